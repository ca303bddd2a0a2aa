import Foundation

/// One message on its way to a handler.
public struct LogEntry: Sendable {
    /// The name of the logger that was called.
    public let loggerName: String
    /// The importance it was logged with.
    public let level: LogLevel
    /// The text, error included.
    public let message: String
}

/// Receives the messages of a logger and of the loggers beneath it.
public protocol LogHandler: AnyObject {
    /// Takes one message; called on the thread that logs, which may be any, so it should be quick.
    func handle(_ entry: LogEntry)
}

/// Writes messages to the standard error stream, one line each.
public final class ConsoleLogHandler: LogHandler, Sendable {
    /// Makes a handler; several may exist.
    public init() {}

    /// Writes `level name: message`.
    public func handle(_ entry: LogEntry) {
        let line = "\(entry.level) \(entry.loggerName): \(entry.message)\n"
        // Nobody may be there to read it, which is no reason to end.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
