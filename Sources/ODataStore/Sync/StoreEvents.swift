import GRDB
import ODataSyncPlan

extension StoreTransaction {
    /// Adds to the store's history, in this transaction.
    func addEvent(_ type: String, details: String?) throws {
        try database.execute(
            sql: "INSERT INTO _odata_event (type, time, details) VALUES (?, ?, ?)",
            arguments: [type, now, details])
    }
}
