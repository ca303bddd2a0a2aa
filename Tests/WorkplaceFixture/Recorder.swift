package import SAPCommon
import Synchronization

/// Keeps what listeners are told, from any thread.
package final class Recorder<Item: Sendable>: Sendable {
    private let items = Mutex<[Item]>([])

    package init() {}

    package func add(_ item: Item) { items.withLock { $0.append(item) } }

    package var all: [Item] { items.withLock { $0 } }
}

/// Keeps what is logged.
package final class LogRecorder: LogHandler, Sendable {
    package let entries = Recorder<String>()
    package let errors = Recorder<String>()

    package init() {}

    package func handle(_ entry: LogEntry) {
        entries.add(entry.message)
        if entry.level == .error { errors.add(entry.message) }
    }
}
