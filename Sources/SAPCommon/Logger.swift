import Synchronization

/// A named logger. Names form a hierarchy by dots: `OData.Sync` passes its messages on to `OData`, and that to
/// ``root``; a logger without a level of its own has its parent's.
///
/// Messages are made only when a level lets them through. Everything mutable is guarded by one lock.
public final class Logger: Hashable, CustomStringConvertible, Sendable {
    /// A handler of the app's; that it takes messages of any thread is said at ``LogHandler``.
    private struct Handler: @unchecked Sendable {
        let target: any LogHandler
    }

    private struct State {
        var level: LogLevel?
        var handlers: [Handler] = []
        var usesParentHandlers = true
    }

    /// The logger above all others; its level is ``LogLevel/warn`` until changed.
    public static let root = Logger(name: "", parent: nil, level: .warn)

    private static let registry = Mutex<[String: Logger]>([:])

    /// The dotted name; empty for ``root``.
    public let name: String
    private let parent: Logger?
    private let state: Mutex<State>

    private init(name: String, parent: Logger?, level: LogLevel?) {
        self.name = name
        self.parent = parent
        state = Mutex(State(level: level))
    }

    /// The logger of this name: the same object for each call with the same name.
    public static func shared(named name: String) -> Logger {
        guard !name.isEmpty else { return root }
        if let known = registry.withLock({ $0[name] }) { return known }
        let parent = name.lastIndex(of: ".").map { shared(named: String(name[..<$0])) } ?? root
        return registry.withLock { registry in
            if let known = registry[name] { return known }
            let logger = Logger(name: name, parent: parent, level: nil)
            registry[name] = logger
            return logger
        }
    }

    /// The level in force: the one set here, or else the parent's. Setting nil inherits again.
    public var logLevel: LogLevel? {
        get { state.withLock { $0.level } ?? parent?.logLevel ?? .warn }
        set { state.withLock { $0.level = newValue } }
    }

    /// Whether messages also go to the handlers of the loggers above; true at first.
    public var useParentHandlers: Bool {
        get { state.withLock { $0.usesParentHandlers } }
        set { state.withLock { $0.usesParentHandlers = newValue } }
    }

    /// Adds a handler; a handler that is there already is not added twice.
    public func add(handler: any LogHandler) {
        let added = Handler(target: handler)
        state.withLock { state in
            guard !state.handlers.contains(where: { $0.target === added.target }) else { return }
            state.handlers.append(added)
        }
    }

    /// Removes a handler.
    public func remove(handler: any LogHandler) {
        let removed = Handler(target: handler)
        state.withLock { $0.handlers.removeAll { $0.target === removed.target } }
    }

    /// Logs that an operation failed.
    public func error(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        log(.error, message, error)
    }

    /// Logs that something is off.
    public func warn(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        log(.warn, message, error)
    }

    /// Logs a normal event.
    public func info(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        log(.info, message, error)
    }

    /// Logs for developers.
    public func debug(_ message: @autoclosure () -> String, error: (any Error)? = nil) {
        log(.debug, message, error)
    }

    private func log(_ level: LogLevel, _ message: () -> String, _ error: (any Error)?) {
        guard let limit = logLevel, limit != .off, level >= limit else { return }
        let text = error.map { "\(message()): \($0)" } ?? message()
        deliver(LogEntry(loggerName: name, level: level, message: text))
    }

    private func deliver(_ entry: LogEntry) {
        let (handlers, goesOn) = state.withLock { ($0.handlers, $0.usesParentHandlers) }
        for handler in handlers { handler.target.handle(entry) }
        if goesOn { parent?.deliver(entry) }
    }

    /// The name, or `root`.
    public var description: String { name.isEmpty ? "root" : name }

    /// Loggers are equal when they are the same object.
    public static func == (left: Logger, right: Logger) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
