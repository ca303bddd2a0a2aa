#if !os(iOS)
    import Foundation

    /// How a child is started: with descriptors for its three channels and none besides.
    struct ChildStart {
        let path: String
        let arguments: [String]
        let environment: [String: String]

        init(_ path: String, _ arguments: [String], _ environment: [String: String]) {
            self.path = path
            self.arguments = arguments
            self.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        }

        /// - Returns: the number of the process.
        /// - Throws: `POSIXError` where there is no such program, or none may be started.
        func run(_ descriptors: [Int32]) throws -> pid_t {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
            #endif
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            for (channel, descriptor) in descriptors.enumerated() {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(channel))
            }
            // A group of its own, and every signal: threads of a pool have all of them blocked.
            var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
            #if canImport(Darwin)
                flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
            #else
                _ = Self.closingFrom?(&actions, 3)
            #endif
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setpgroup(&attributes, 0)
            posix_spawnattr_setflags(&attributes, Int16(flags))
            var identifier: pid_t = 0
            let failure = Self.withTexts([path] + arguments) { arguments in
                Self.withTexts(environment.map { "\($0)=\($1)" }) { environment in
                    posix_spawn(&identifier, path, &actions, &attributes, arguments, environment)
                }
            }
            guard failure == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO)
            }
            return identifier
        }

        #if !canImport(Darwin)
            /// `posix_spawn_file_actions_addclosefrom_np` of glibc, which the module for Swift leaves out.
            private static let closingFrom = dlsym(
                nil, "posix_spawn_file_actions_addclosefrom_np"
            ).map {
                unsafeBitCast(
                    $0,
                    to: (@convention(c) (
                        UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32
                    ) -> Int32).self)
            }
        #endif

        /// Texts as C has them, ended by nil.
        private static func withTexts<Result>(
            _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
        ) -> Result {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return body(copies + [nil])
        }
    }

    /// One channel of a child: the descriptor that it gets, and the pipe whose other end stays here.
    struct ChannelEnd {
        let descriptor: Int32
        let pipe: Pipe?
        private let isOwned: Bool
        private let isInput: Bool

        init(_ channel: ChildProcess.Channel, as standard: Int32) throws {
            isInput = standard == STDIN_FILENO
            switch channel {
            case .same, .output: (descriptor, pipe, isOwned) = (standard, nil, false)
            case .null:
                (descriptor, pipe, isOwned) = (try Self.open("/dev/null", O_RDWR), nil, true)
            case .file(let url):
                let flags = isInput ? O_RDONLY : O_WRONLY | O_APPEND
                (descriptor, pipe, isOwned) = (try Self.open(url.path, flags), nil, true)
            case .pipe:
                let both = Pipe()
                let end = isInput ? both.fileHandleForReading : both.fileHandleForWriting
                (descriptor, pipe, isOwned) = (end.fileDescriptor, both, true)
            }
        }

        private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
            let descriptor = Foundation.open(path, flags | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            return descriptor
        }

        /// The child has its own by now.
        func close() throws {
            if let pipe {
                let end = isInput ? pipe.fileHandleForReading : pipe.fileHandleForWriting
                try end.close()
            } else if isOwned {
                _ = Foundation.close(descriptor)
            }
        }
    }
#endif
