import GRDB
import ODataSyncPlan

extension StoreTransaction {
    /// Adds to the store's history, in this transaction.
    func addEvent(_ type: String, details: String?) throws {
        try database.addEvent(type, at: now, details: details)
    }
}

extension Database {
    /// - Parameter time: in milliseconds since 1970.
    func addEvent(_ type: String, at time: Int64, details: String?) throws {
        try cachedStatement(sql: "INSERT INTO _odata_event (type, time, details) VALUES (?, ?, ?)")
            .execute(arguments: [type, time, details])
    }
}
