#if !os(iOS)
    import Foundation

    /// A program that runs as a child, and that nobody waits for without an end.
    ///
    /// It has its three channels and nothing else that is open here, whatever other threads open meanwhile, and takes every
    /// signal. Foundation's own processes promise neither, and read past the end of a buffer where very many files are open.
    package final class ChildProcess: @unchecked Sendable {  // what changes is guarded by `state`
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

        package let identifier: pid_t
        private let state = NSCondition()
        private var end: End?
        private let inputPipe: Pipe?
        private let outputPipe: Pipe?
        private let errorPipe: Pipe?
        private let title: String

        /// Starts the program at `path`.
        ///
        /// - Parameter environment: what it has beside, or in place of, what this process has.
        /// - Throws: `POSIXError` where it cannot be started or a file is not there.
        package init(
            _ path: String, _ arguments: [String], environment: [String: String] = [:],
            input: Channel = .null, output: Channel = .null, errors: Channel = .null
        ) throws {
            title = ([path] + arguments).joined(separator: " ")
            let ends = [
                try ChannelEnd(input, as: STDIN_FILENO), try ChannelEnd(output, as: STDOUT_FILENO),
                try ChannelEnd(errors, as: STDERR_FILENO),
            ]
            (inputPipe, outputPipe, errorPipe) = (ends[0].pipe, ends[1].pipe, ends[2].pipe)
            var descriptors = ends.map(\.descriptor)
            if case .output = errors { descriptors[2] = descriptors[1] }
            identifier = try ChildStart(path, arguments, environment).run(descriptors)
            for end in ends { try end.close() }
            Thread.detachNewThread { [weak self, identifier] in
                var info = siginfo_t()
                while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) != 0,
                    errno == EINTR
                {}
                Self.reap(identifier, for: self)
            }
        }

        /// Takes the end of a child over. Until then its number belongs to nobody else.
        private static func reap(_ identifier: pid_t, for child: ChildProcess?) {
            child?.state.lock()
            defer { child?.state.unlock() }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            child?.end = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
            child?.state.broadcast()
        }

        deinit { if end == nil { kill(identifier, SIGKILL) } }

        package var isRunning: Bool {
            state.lock()
            defer { state.unlock() }
            return end == nil
        }

        /// Waits for its end.
        ///
        /// - Throws: ``Overdue``, and then it is killed.
        @discardableResult
        package func wait(atMost patience: Duration = patience) throws -> End {
            let limit = Date(timeIntervalSinceNow: patience.seconds)
            state.lock()
            defer { state.unlock() }
            while end == nil {
                guard state.wait(until: limit) else {
                    if end == nil { kill(identifier, SIGKILL) }
                    throw Overdue(description: "Expected an end within \(patience): \(title)")
                }
            }
            return end ?? .exit(0)
        }

        /// Does nothing behind its end.
        package func send(signal: Int32) {
            state.lock()
            defer { state.unlock() }
            if end == nil { kill(identifier, signal) }
        }

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
            let watch = DispatchWorkItem { [weak self] in self?.send(signal: SIGKILL) }
            defer { watch.cancel() }
            DispatchQueue.global().asyncAfter(deadline: .now() + patience.seconds, execute: watch)
            let text = try read()
            guard ContinuousClock.now < end else {
                throw Overdue(description: "Expected \(what) within \(patience): \(title)")
            }
            return text
        }
    }

    extension Duration {
        fileprivate var seconds: Double {
            Double(components.seconds) + Double(components.attoseconds) * 1e-18
        }
    }
#endif
