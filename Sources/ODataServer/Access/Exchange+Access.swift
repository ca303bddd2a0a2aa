import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText

extension AccessView {
    /// The view of who sends the request at hand; nil where everybody may do everything, and for the service itself.
    ///
    /// - Throws: 500 where nobody asked who sends it: nothing is shown by mistake.
    static func current(in model: ServiceModel) throws -> AccessView? {
        guard let control = model.configuration.access else { return nil }
        switch Client.current {
        case .service?: return nil
        case .known(let principal)?: return try control.view(of: principal, in: model)
        case nil:
            throw ODataError(ServiceCode.unauthenticated, "The service failed.", status: 500)
        }
    }

    /// Runs a query as the client may see it.
    ///
    /// - Throws: 403 where it reads what the client may not.
    func run(_ query: Query, isKept: Bool, _ exchange: Exchange) throws -> ResultPage {
        let model = exchange.model
        if !restrictsRows, isKept, !model.narrow.concerns(query, model.mapping) {
            let bound = try model.queries.prepared(query, check: { $0 })
            try requireRead(bound.plan.tables)
            return try model.queries.reader.run(bound, in: exchange.database)
        }
        let mapping = try model.narrow.mapping(for: query, model.mapping, in: exchange.database)
        let reader = QueryReader(mapping: mapping, options: options)
        let prepared = try reader.prepare(query)
        try requireRead(prepared.plan.tables)
        return try reader.run(prepared, in: exchange.database)
    }
}

/// The rows that a request has written, to be looked at when it is through: what it makes may come into view by what it
/// links last.
final class WrittenRows {
    // Confined to the thread that answers the request.
    private(set) var rows: [(target: RowTarget, operation: AccessOperation)] = []

    func note(_ target: RowTarget, _ operation: AccessOperation) {
        rows.append((target, operation))
    }
}

extension Exchange {
    /// - Throws: 403 for a row that the request wrote and that is not in the client's view now.
    func requireInView() throws {
        guard let access, let written else { return }
        for (target, operation) in written.rows {
            guard !access.mayLeave(target.table, operation) else { continue }
            for rule in [operation, .read] where access.restricts(target.table, rule) {
                // Who may not read sees nothing leave.
                if rule == .read, access.rule(target.table, .read) == .none { continue }
                guard try TargetRows(self, sees: .those(rule)).exists(target) else {
                    throw AccessView.outOfView
                }
            }
        }
    }

    /// Notes a row that the request makes or changes.
    func noteWritten(_ target: RowTarget, _ operation: AccessOperation) {
        written?.note(target, operation)
    }
}
