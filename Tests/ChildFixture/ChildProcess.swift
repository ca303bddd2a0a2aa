#if !os(iOS)
    import Foundation

    /// A program that runs as a child, and that nobody waits for without an end.
    ///
    /// Children are started one at a time, their pipes with them. Foundation closes in a child the descriptors that were open
    /// when it began to start it; what another thread opened since is inherited, and whoever reads a pipe to its end, or waits
    /// for a process, would wait for that other child as well, which may be a server that ends last of all.
    package final class ChildProcess: @unchecked Sendable {  // Foundation's process, started once
        /// Where one of its three channels leads.
        package enum Channel {
            case null, pipe
            /// This process's own.
            case same
            /// Where its output leads; for its errors.
            case output
            /// A file that is there; what it says goes behind what is in it.
            case file(URL)
        }

        /// How it ended.
        package enum End: Equatable, Sendable {
            case exit(Int32)
            case signal(Int32)

            /// The status, or the signal.
            package var number: Int32 {
                switch self {
                case .exit(let number), .signal(let number): number
                }
            }
        }

        /// It did not end, or did not say what it was expected to, in time, and was killed.
        package struct Overdue: Error, CustomStringConvertible {
            package var description: String
        }

        /// How long a child is waited for where a test names no limit; a busy machine is many times slower than a quiet one.
        package static let patience: Duration = .seconds(300)

        private static let turn = NSLock()

        private let process = Process()
        private let ended = DispatchSemaphore(value: 0)
        private let inputPipe: Pipe?
        private let outputPipe: Pipe?
        private let errorPipe: Pipe?
        private let title: String

        /// Starts the program at `path`.
        ///
        /// - Parameter environment: what it has beside, or in place of, what this process has.
        package init(
            _ path: String, _ arguments: [String], environment: [String: String] = [:],
            input: Channel = .null, output: Channel = .null, errors: Channel = .null
        ) throws {
            title = ([path] + arguments).joined(separator: " ")
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            if !environment.isEmpty {
                process.environment = ProcessInfo.processInfo.environment.merging(environment) {
                    $1
                }
            }
            let process = process
            let ended = ended
            process.terminationHandler = { _ in ended.signal() }
            Self.turn.lock()
            defer { Self.turn.unlock() }
            inputPipe = try Self.open(input, isInput: true) { process.standardInput = $0 }
            outputPipe = try Self.open(output) { process.standardOutput = $0 }
            errorPipe = try Self.open(errors) { process.standardError = $0 }
            if case .output = errors { process.standardError = process.standardOutput }
            try Self.takingSignals { try process.run() }
        }

        /// A child has the signal mask of the thread that starts it, and threads of a pool have every signal blocked.
        private static func takingSignals(_ body: () throws -> Void) rethrows {
            var none = sigset_t()
            var own = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &own)
            defer { pthread_sigmask(SIG_SETMASK, &own, nil) }
            try body()
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

        package var identifier: pid_t { process.processIdentifier }
        package var isRunning: Bool { process.isRunning }

        /// Waits for its end.
        ///
        /// - Throws: ``Overdue``, and then it is killed.
        @discardableResult
        package func wait(atMost patience: Duration = patience) throws -> End {
            guard ended.wait(timeout: .now() + patience.seconds) == .success else {
                kill(identifier, SIGKILL)
                throw Overdue(description: "Expected an end within \(patience): \(title)")
            }
            ended.signal()
            let status = process.terminationStatus
            return process.terminationReason == .exit ? .exit(status) : .signal(status)
        }

        package func send(signal: Int32) { kill(identifier, signal) }

        /// Gives its input, a pipe, a line.
        package func send(line: String) throws {
            try inputPipe?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Ends its input, a pipe.
        package func endInput() throws { try inputPipe?.fileHandleForWriting.close() }

        /// The next line of its output, a pipe; empty at the end.
        ///
        /// - Throws: ``Overdue``, and then it is killed.
        package func line(atMost patience: Duration = patience) throws -> String {
            try bounded(patience, "a line") {
                var line: [UInt8] = []
                while let byte = try outputPipe?.fileHandleForReading.read(upToCount: 1)?.first,
                    byte != 10
                {
                    line.append(byte)
                }
                return String(decoding: line, as: UTF8.self)
            }
        }

        /// All that is left of its output, a pipe, at its end.
        ///
        /// - Throws: ``Overdue``, and then it is killed.
        package func output(atMost patience: Duration = patience) throws -> String {
            try bounded(patience, "the end of its output") { try Self.rest(outputPipe) }
        }

        /// All that it says on its channel for errors, a pipe, until its end.
        ///
        /// - Throws: ``Overdue``, and then it is killed.
        package func errors(atMost patience: Duration = patience) throws -> String {
            try bounded(patience, "the end of its errors") { try Self.rest(errorPipe) }
        }

        private static func rest(_ pipe: Pipe?) throws -> String {
            let data = try pipe?.fileHandleForReading.readToEnd() ?? Data()
            return String(decoding: data, as: UTF8.self)
        }

        /// Reads what comes from it, and kills it where that takes too long: then its pipes end.
        private func bounded(
            _ patience: Duration, _ what: String, _ read: () throws -> String
        ) throws -> String {
            let end = ContinuousClock.now + patience
            let watch = DispatchWorkItem { [identifier] in kill(identifier, SIGKILL) }
            defer { watch.cancel() }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience.seconds, execute: watch)
            let text = try read()
            guard ContinuousClock.now < end else {
                throw Overdue(description: "Expected \(what) within \(patience): \(title)")
            }
            return text
        }

        private static func open(
            _ channel: Channel, isInput: Bool = false, _ set: (Any) -> Void
        ) throws -> Pipe? {
            switch channel {
            case .null: set(FileHandle.nullDevice)
            case .same, .output: break
            case .file(let url):
                let flags = isInput ? O_RDONLY : O_WRONLY | O_APPEND
                let descriptor = Foundation.open(url.path, flags | O_CLOEXEC)
                guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
                set(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
            case .pipe:
                let pipe = Pipe()
                set(pipe)
                return pipe
            }
            return nil
        }
    }

    extension Duration {
        fileprivate var seconds: Double {
            Double(components.seconds) + Double(components.attoseconds) * 1e-18
        }
    }
#endif
