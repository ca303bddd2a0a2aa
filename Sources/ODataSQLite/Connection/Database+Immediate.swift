import GRDB

extension Database {
    // Hot: LocalWrites
    /// Runs `body` in a transaction that has the writer's lock from the start; an error undoes all of it.
    ///
    /// GRDB's `inTransaction` prepares `BEGIN` and `COMMIT` anew for each change, which took as long as the change of a row. It
    /// also refuses statements once SQLite has undone the transaction by itself, as when the disk is full. Here the end finds
    /// that out, so that `body` must let such errors through.
    ///
    /// - Throws: `DatabaseError`, `SQLITE_ABORT` where the transaction was undone before its end, and what `body` throws.
    package func inImmediateTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE TRANSACTION", [])
        do {
            let result = try body()
            guard isInsideTransaction else {
                throw DatabaseError(
                    resultCode: .SQLITE_ABORT, message: "Transaction was aborted")
            }
            try run("COMMIT TRANSACTION", [])
            return result
        } catch {
            // The first error says what happened.
            try? rollback()
            throw error
        }
    }
}
