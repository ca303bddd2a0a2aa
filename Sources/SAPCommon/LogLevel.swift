/// How important a log message is; a logger drops what is below its level.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Everything, like ``debug``; spelled so by older programs.
    case all = 0
    /// For developers who follow the course of a program.
    case debug = 1
    /// Normal events that an operator may want to see.
    case info = 2
    /// Something is off, the program goes on.
    case warn = 3
    /// An operation failed.
    case error = 4
    /// Nothing is logged.
    case off = 5

    /// Orders by importance: ``debug`` is below ``error``.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
