import GRDB
import ODataSQLite

/// Tells rows of the queue and of its attempts by what they hold, where the pages that lead to them are lost.
enum QueueOrphans {
    /// Without `user`, which format 11 has added: rows from before stay as they were written.
    private static let olderRequestColumns = 30
    static let requestColumns = 31
    static let attemptColumns = 8

    private static let operations: Set<String> = [
        "create", "merge", "replace", "delete", "createLink", "updateLink", "deleteLink",
    ]
    private static let states: Set<String> = ["waiting", "frozen", "failed", "blocked", "unknown"]
    private static let methods: Set<String> = ["GET", "POST", "PUT", "PATCH", "MERGE", "DELETE"]

    static func isRequest(_ values: [DatabaseValue]) -> Bool {
        guard (olderRequestColumns...requestColumns).contains(values.count), values[0].isNull,
            Int64.fromDatabaseValue(values[1]) != nil, text(values[3]) != nil,
            Int64.fromDatabaseValue(values[4]) != nil, text(values[19]) != nil,
            Int64.fromDatabaseValue(values[29]) != nil
        else { return false }
        return text(values[2]).map(operations.contains) == true
            && text(values[21]).map(states.contains) == true
    }

    static func isAttempt(_ values: [DatabaseValue]) -> Bool {
        guard values.count == attemptColumns, values[0].isNull, text(values[2]) != nil,
            text(values[5]) != nil, Int64.fromDatabaseValue(values[6]) != nil,
            Int64.fromDatabaseValue(values[7]) != nil
        else { return false }
        return text(values[1]).map(methods.contains) == true
    }

    private static func text(_ value: DatabaseValue) -> String? {
        if case .string(let text) = value.storage { return text }
        return nil
    }
}
