import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// One value of a group (Data Aggregation 4.0, section 3.2.1).
    mutating func aggregate(_ term: AggregateTerm) throws -> SQLTerm {
        switch term.value {
        case .count(let path):
            guard !path.segments.isEmpty else { return SQLTerm("count(*)", .integer) }
            guard case .row(let cursor) = try resolve(path), let table = cursor.table else {
                throw Self.notImplemented("$count of values that are no entities in aggregate")
            }
            return SQLTerm("count(\(identity(of: table, alias: cursor.alias)))", .integer)
        case .custom(let path):
            return try customAggregate(path)
        case .expression(let expression, let method):
            return try aggregate(rendered(compile(expression)), method)
        }
    }

    private func aggregate(_ term: SQLTerm, _ method: AggregationMethod) throws -> SQLTerm {
        switch method {
        case .countDistinct: return SQLTerm("count(DISTINCT \(term.distinguished))", .integer)
        case .custom(let name): throw Self.notImplemented("the aggregation method \(name)")
        case .min, .max: return try extreme(term, method)
        case .sum, .average: return try total(term, method)
        }
    }

    private func extreme(_ term: SQLTerm, _ method: AggregationMethod) throws -> SQLTerm {
        switch term.kind {
        case .decimalText: return decimal(method, "N", term.sql, isWhole: term.isWhole)
        case .duration: return duration(method, term.sql)
        case .real(isStored: true):
            return SQLTerm(dialect.aggregate(method, "R", term.sql), term.kind)
        case .open: throw Self.notImplemented("\(method.name) of a dynamic property")
        case .json, .complex, .row: throw Self.invalid("Expected a value that has an order.")
        default:
            var result = SQLTerm(try dialect.extreme(method, term), term.kind)
            if case .instant = term.kind { result.kind = .instant(offset: nil) }
            result.digits = term.digits
            return result
        }
    }

    private func total(_ term: SQLTerm, _ method: AggregationMethod) throws -> SQLTerm {
        if case .duration = term.kind { return duration(method, term.sql) }
        let number = try number(term)
        switch number.form {
        case .real(let isStored):
            guard isStored else {
                return SQLTerm(
                    dialect.aggregateOfReals(method, number.sql), .real(isStored: false))
            }
            return SQLTerm(dialect.aggregate(method, "R", number.sql), number.term.kind)
        case .exact(0, _) where number.isInteger && method == .average:
            return SQLTerm(dialect.averageOfIntegers(number.sql), .real(isStored: false))
        case .text where number.isInteger && method == .average:
            // Integers that may lie beyond 64 bits, as sums do: their average is a double all the same.
            let sql = dialect.aggregate(method, "N", number.sql)
            return SQLTerm(dialect.double(sql), .real(isStored: true))
        case .exact(let scale, let digits) where method == .sum && digits <= 10:
            // Ten digits summed up stay within 64 bits for as many rows as a table can have here.
            return SQLTerm(
                dialect.sumOfIntegers(number.sql),
                number.isInteger && scale == 0 ? .integer : .scaled(scale))
        default:
            return decimal(
                method, "N", number.decimal(dialect), isWhole: number.isInteger && method == .sum)
        }
    }

    private func decimal(
        _ method: AggregationMethod, _ kind: String, _ sql: SQLText, isWhole: Bool
    ) -> SQLTerm {
        let sql = dialect.aggregate(method, kind, sql)
        var term = SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
        term.isWhole = isWhole
        return term
    }

    private func duration(_ method: AggregationMethod, _ sql: SQLText) -> SQLTerm {
        let sql = dialect.aggregate(method, "P", sql)
        return SQLTerm(sql, .duration(order: dialect.durationOrder(sql)))
    }
}
