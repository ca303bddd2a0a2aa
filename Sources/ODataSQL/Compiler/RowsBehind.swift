import ODataText

extension QueryCompiler {
    /// The rows that come behind a row, by the values that order it as they were read: whatever came, went or changed in
    /// between, a row that did not change is in one page and one page only (Protocol 4.01, section 11.2.6.7).
    ///
    /// - Throws: `invalidQuery` (400) for another number of values than the order has.
    static func condition(
        behind values: [SQLArgument], _ terms: [ExpressionCompiler.OrderTerm], _ dialect: SQLDialect
    ) throws -> SQLText {
        try dialect.requireSQLite(for: "the rows behind a row that was read")
        guard values.count == terms.count, !terms.isEmpty else {
            throw ODataError(
                .invalidQuery, "Expected a token of this query, found one of another.", status: 400)
        }
        let bounds = zip(terms, values).map { term, value in
            RowsBehindPosition.Bound(
                equal: value.isNull
                    ? "\(term.sql) IS NULL" : "\(term.sql) = \(argument: value)" as SQLText,
                beyond: beyond(term, value))
        }
        guard let any = RowsBehindPosition(bounds: bounds).condition else { return "0 = 1" }
        // What an index can begin at.
        guard let first = terms.first, !first.isDescending, let value = values.first, !value.isNull
        else { return any }
        return "\(first.sql) >= \(argument: value) AND \(any)"
    }

    /// Null comes before every value.
    private static func beyond(
        _ term: ExpressionCompiler.OrderTerm, _ value: SQLArgument
    ) -> SQLText? {
        switch (term.isDescending, value.isNull) {
        case (true, true): nil
        case (true, false):
            "(\(term.sql) < \(argument: value) OR \(term.sql) IS NULL)"
        case (false, true): "\(term.sql) IS NOT NULL"
        case (false, false): "\(term.sql) > \(argument: value)"
        }
    }
}
