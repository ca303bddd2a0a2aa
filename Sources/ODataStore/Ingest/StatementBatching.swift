import ODataWire

/// Whether a first load inserts several rows by one statement (offline reference, section 3).
package struct StatementBatching: Sendable {
    /// Most rows of one statement.
    package var rows: Int
    /// Told when a batch held a row that is there already, with the path of its table and the number of its rows.
    package var foundDuplicate: @Sendable (_ path: String, _ rows: Int) -> Void

    /// Parameters that SQLite allows in one statement, with room to spare.
    private static let maximumParameters = 30_000

    package init(
        rows: Int = 50, foundDuplicate: @escaping @Sendable (_ path: String, _ rows: Int) -> Void
    ) {
        self.rows = rows
        self.foundDuplicate = foundDuplicate
    }

    func rows(ofParameters count: Int) -> Int {
        max(1, min(rows, Self.maximumParameters / max(count, 1)))
    }
}

/// The rows that wait to be inserted by one statement: all of them bring the same columns.
struct RowBatch {
    let statements: RowStatements
    private(set) var rows: [RetainedRow] = []
    private let limit: Int

    init(_ statements: RowStatements, _ batching: StatementBatching) {
        self.statements = statements
        limit = batching.rows(ofParameters: Int(statements.nextParameter) - 1)
    }

    var isFull: Bool { rows.count >= limit }

    mutating func add(_ row: IncomingRow) { rows.append(RetainedRow(row)) }
}
