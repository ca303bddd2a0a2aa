import ODataPostgres
import ODataServer
import ODataText

/// What failures of the database mean to who asked the service.
enum Failure {
    /// - Parameter changes: whether something may have been changed when the connection broke.
    static func translated<Result>(
        changes: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            throw translated(error, changes: changes)
        }
    }

    static func translated(_ error: PostgresError, changes: Bool) -> any Error {
        switch error.kind {
        case .tooSlow, .cancelled:
            return answer(
                "deadlineExceeded",
                "Expected a request that is answered sooner; it was ended, and nothing of it stays.",
                503, error)
        case .exhausted:
            return answer(
                "serviceOverloaded", "Expected fewer requests at a time, no connection was free.",
                503, error)
        case .lost where changes:
            return answer(
                "databaseUnreachable",
                "Expected the connection to the database to last; whether the change was made, "
                    + "nobody knows.", 503, error)
        case .unreachable, .lost:
            return answer(
                "databaseUnreachable", "Expected the database to be there; try again later.", 503,
                error)
        case .address: return ODataError(.usage, error.message, underlying: error)
        case .unreadable: return ODataError(.storage, error.message, underlying: error)
        case .refused: return refusal(error)
        }
    }

    private static func answer(
        _ code: String, _ text: String, _ status: Int, _ error: PostgresError
    ) -> ODataError {
        ODataError(ODataError.Code(code), text, status: status, underlying: error)
    }

    private static func busy(_ error: PostgresError) -> ODataError {
        answer(
            "databaseBusy", "Expected the rows to be free, others kept changing them.", 503, error)
    }

    private static func refusal(_ error: PostgresError) -> any Error {
        if error.isShutdown {
            return answer(
                "databaseUnreachable", "Expected the database to be there; try again later.", 503,
                error)
        }
        if let violated = ViolatedConstraint(error, changing: nil) { return violated }
        switch error.sqlState ?? "" {
        case "42501":
            return answer(
                "forbidden",
                "Expected a request that the service's user may carry out in the database.", 403,
                error)
        case "25006":
            return answer(
                "databaseReadOnly",
                "Expected a database that takes changes now, found one that "
                    + "is only read.", 503, error)
        case "53100":
            return ODataError(
                .storage, "Expected room for the change, the disk is full.", status: 507,
                underlying: error)
        case "55P03": return busy(error)
        default: break
        }
        switch error.sqlState?.prefix(2) {
        // Divisions by zero, numbers beyond their type, texts with U+0000.
        case "22": return ODataError(.invalidValue, error.message, status: 400, underlying: error)
        case "40": return busy(error)
        case "54":
            return ODataError(
                .limitExceeded, "Expected a query within the database's limits.", status: 400,
                underlying: error)
        default: return ODataError(.storage, error.message, underlying: error)
        }
    }
}

extension ViolatedConstraint {
    /// What PostgreSQL refuses of a change; nil for every other failure.
    ///
    /// - Parameter table: what is known of the table that the statement changed; nil at the end of a transaction.
    init?(_ error: PostgresError, changing table: ChangedTable?) {
        let isOfTable = table != nil && error.table == table?.name
        let known = isOfTable ? error.constraint.flatMap { table?.constraints[$0] } : nil
        let columns = known?.columns ?? (isOfTable ? error.column.map { [$0] } : nil) ?? []
        let kind: Kind
        switch error.sqlState ?? "" {
        case "23505": kind = known?.isPrimary == true ? .key : .unique
        case "23P01": kind = .unique
        case "23503", "23001": kind = .foreignKey
        case "23502": kind = .notNull
        case "23514": kind = .check
        case "44000": kind = .rule
        case let state where state.hasPrefix("23") || state.hasPrefix("P0"): kind = .rule
        default: return nil
        }
        let named = columns.map { "\(table?.name ?? "").\($0)" }.joined(separator: ", ")
        self.init(
            kind, place: named.isEmpty ? error.constraint : named,
            // Of a foreign key the first one stands for all.
            column: columns.count == 1 || kind == .foreignKey ? columns.first : nil)
    }
}
