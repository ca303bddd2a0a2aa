import ODataSQL
import ODataSQLite
import ODataWire

/// What one statement does with rows of one table of a ``ServedDatabase``.
package struct RowChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case insert
        case update
        case delete
        /// Changes nothing, and keeps others from changing the rows until the transaction ends.
        case lock
    }

    /// A column with its value.
    package struct Value: Sendable, Hashable {
        package var column: String
        /// As the column's encoding makes it, in the storage classes of SQLite; nil for the column's default.
        package var value: SQLArgument?

        package init(_ column: String, _ value: SQLArgument?) {
            self.column = column
            self.value = value
        }
    }

    package var kind: Kind
    package var table: String
    package var values: [Value] = []
    /// What is equal in the rows that are meant; never empty but for an insert.
    package var conditions: [Value] = []
    /// The columns of the rows that the statement gives, in the forms that queries read.
    package var returning: [String] = []

    package init(_ kind: Kind, of table: String) {
        self.kind = kind
        self.table = table
    }
}

/// The rows that a ``RowChange`` reached.
package struct ChangedRows: Sendable {
    package var count: Int
    /// What ``RowChange/returning`` asked for.
    package var rows: [[SQLArgument]]

    package init(count: Int, rows: [[SQLArgument]]) {
        self.count = count
        self.rows = rows
    }
}

/// One transaction of a ``ServedDatabase``.
package protocol ServedRows: RowSource {
    /// Runs a statement that changes rows, in a transaction of ``ServedDatabase/write(isOver:_:)``.
    ///
    /// - Throws: ``ViolatedConstraint`` for what the database does not take, and errors of its own, behind which the
    ///   transaction takes no statement any more.
    func change(_ change: RowChange) throws -> ChangedRows

    /// Has constraints checked at the end of the transaction, as far as their owner lets them wait.
    ///
    /// - Throws: errors of the database's own.
    func deferConstraints() throws

    /// What is remembered of a repeatable request; nil for one that is new. The identity of that is taken: others who send it
    /// wait until this transaction ends.
    ///
    /// - Throws: errors of the database's own.
    func recall(
        _ identity: RepeatabilityHeaders, fingerprint: String
    ) throws -> RememberedAnswer?

    /// Remembers the answer to a request whose identity was taken by ``recall(_:fingerprint:)``.
    ///
    /// - Throws: errors of the database's own.
    func remember(_ answer: [UInt8], to identity: RepeatabilityHeaders) throws

    /// Forgets some of the answers to requests that were sent before that, in seconds.
    ///
    /// - Throws: errors of the database's own.
    func forget(sentBefore instant: Int64) throws

    /// Where the log of changes stands for this transaction, which sees all that the place says; nil where changes of the table
    /// are not noted now.
    ///
    /// - Throws: errors of the database's own.
    func logMark(of table: String) throws -> String?

    /// Rows that changed in a span of the log; nil where the log does not reach back to its beginning, or is another one.
    ///
    /// - Throws: 400 for places that no log names, errors of the database's own.
    func loggedRows(_ span: LogSpan) throws -> LoggedRows?

    /// The same transaction with the rows of a table as they were before some changes, in place of those that there are.
    ///
    /// - Parameter changes: numbers that ``LoggedRows/Row/first`` has given.
    func before(_ changes: [Int64], of table: String) -> any ServedRows

    /// What `body` reads; nil where the database finds values that are none of their types, behind which the transaction goes on.
    ///
    /// - Throws: What `body` throws otherwise.
    func ifReadable<Result>(_ body: () throws -> Result) throws -> Result?
}
