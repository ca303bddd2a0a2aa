import GRDB
import ODataSQL
import ODataSyncPlan

/// What ingest asks of the owner of local changes: rows that the queue has requests for are not overwritten, their
/// base images are.
package protocol ShadowedRowHandler {
    /// Whether any row of the table has a base image or was created here and is not yet accepted. Asked once per
    /// transaction; false lets rows be written without looking.
    func hasLocalChanges(in table: TableMapping, database: Database) throws -> Bool

    /// Ingest has written (or marked as removed) the base images of these rows in this transaction: bring the rows to
    /// what base and requests say.
    func baseImagesChanged(
        _ rows: [Int64], in table: TableMapping, database: Database) throws

    /// Ingest is about to write over the base image of a row.
    ///
    /// - Returns: the image, where it has no tag and ``wroteOver(_:in:database:)`` is to be called behind it.
    func untaggedImage(of row: Int64, in table: TableMapping, database: Database) throws
        -> StoredRow?

    /// Ingest has written over a base image without a tag; `before` is what it was.
    func wroteOver(_ before: StoredRow, in table: TableMapping, database: Database) throws

    /// Ingest has inserted or changed these rows, which were there before as a whole.
    func upserted(_ rows: [Int64], in table: TableMapping, database: Database) throws

    /// Whether anybody wants to know what was rewritten (``rewrote(_:in:database:)``). Asked once per transaction, of a table with
    /// local changes; false spares the comparison of what is shadowed.
    func notesRewritten(in table: TableMapping, database: Database) throws -> Bool

    /// Ingest has written something else in the place of these rows, or of their base images.
    func rewrote(_ rows: [Int64], in table: TableMapping, database: Database) throws
}

extension ShadowedRowHandler {
    package func untaggedImage(
        of row: Int64, in table: TableMapping, database: Database
    ) throws -> StoredRow? { nil }

    package func wroteOver(_ before: StoredRow, in table: TableMapping, database: Database) {}

    package func upserted(_ rows: [Int64], in table: TableMapping, database: Database) {}

    package func notesRewritten(in table: TableMapping, database: Database) -> Bool { false }

    package func rewrote(_ rows: [Int64], in table: TableMapping, database: Database) {}
}

/// A store without a queue.
package struct NoShadowedRows: ShadowedRowHandler {
    package init() {}

    package func hasLocalChanges(in table: TableMapping, database: Database) -> Bool { false }

    package func baseImagesChanged(
        _ rows: [Int64], in table: TableMapping, database: Database
    ) {}
}
