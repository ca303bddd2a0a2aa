import GRDB
import ODataStore

/// Lets the writes of several sources be one transaction where their ends say no more than that nothing has changed. Used by
/// one thread.
final class SharedWrites {
    /// Sources in one transaction at most: a local write waits for it.
    static let limit = 64

    /// The open transaction that writes join.
    private var database: Database?

    /// True while what is written is part of a larger transaction: nothing of it is stored yet.
    var isShared: Bool { database != nil }

    /// Runs `body` in the shared transaction where there is one, else in one of its own.
    func write(_ store: LocalStore, _ body: (Database) throws -> Void) throws {
        if let database {
            try body(database)
        } else {
            try store.write(.normal, body)
        }
    }

    /// Runs `body`, all writes of which are one transaction: an error undoes all of them.
    func share(_ store: LocalStore, _ body: () throws -> Void) throws {
        try store.write(.normal) { database in
            self.database = database
            defer { self.database = nil }
            try body()
        }
    }
}
