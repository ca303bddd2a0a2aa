import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// A comparison: null only with `eq` and `ne` gives an answer, everything else with null is null.
    mutating func compare(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLText {
        switch (left.kind, right.kind) {
        case (.null, .null):
            guard operation == .eq || operation == .ne else { return "NULL" }
            return SQLText(truth: operation == .eq)
        case (.null, _): return try nullTest(operation, right)
        case (_, .null): return try nullTest(operation, left)
        case (.open, _), (_, .open): return try compareOpen(operation, left, right)
        case (.literal, .literal):
            return try general(operation, rendered(left), rendered(right))
        case (.literal, _), (.enumerationLiteral, _):
            return try compare(operation.flipped, right, left)
        case (_, .literal(let scalar)): return try literal(operation, left, scalar)
        case (_, .enumerationLiteral(let type, let members)):
            let value = try enumerationValue(type: type, members: members, for: left)
            return try literal(operation, left, value)
        default: return try general(operation, left, right)
        }
    }

    private func nullTest(_ operation: BinaryOperator, _ term: SQLTerm) throws -> SQLText {
        guard operation == .eq || operation == .ne else { return "NULL" }
        switch term.kind {
        case .literal, .enumerationLiteral: return SQLText(truth: operation == .ne)
        case .complex where term.sql.isEmpty: return SQLText(truth: operation == .ne)
        default: return "\(term.sql) IS \(raw: operation == .eq ? "" : "NOT ")NULL"
        }
    }

    /// A column or expression against a literal, the literal brought into the form of the column.
    private func literal(
        _ operation: BinaryOperator, _ term: SQLTerm, _ scalar: Scalar
    ) throws -> SQLText {
        let sign = operation.symbol
        if let native = term.native,
            let sql = PostgreSQL.compare(
                operation, native, try Self.argument(scalar, like: term, in: graph),
                try literal(scalar, like: term))
        {
            return sql
        }
        switch (term.kind, scalar) {
        case (.boolean, .boolean(let value)):
            return "(\(term.sql)) \(raw: sign) \(truth: value)"
        case (.integer, _), (.scaled, _), (.unix, _):
            return try boundary(operation, term, scalar)
        case (.real(let isStored), _):
            return try real(operation, term.sql, scalar, isStored: isStored)
        case (.decimalText, .double(let value)) where !value.isFinite:
            let outcome = Self.beyond(operation, isAbove: value > 0, isNumber: !value.isNaN)
            return Self.constant(outcome, unlessNull: term.sql)
        default:
            return "\(term.compared) \(raw: sign) \(try literal(scalar, like: term))"
        }
    }

    /// An integer form against a number that may lie between two integers, or beyond all of them.
    private func boundary(
        _ operation: BinaryOperator, _ term: SQLTerm, _ scalar: Scalar
    ) throws -> SQLText {
        if case .double(let value) = scalar, !value.isFinite {
            let outcome = Self.beyond(operation, isAbove: value > 0, isNumber: !value.isNaN)
            return Self.constant(outcome, unlessNull: term.sql)
        }
        let (number, scale) = try Self.number(scalar, like: term)
        if let value = number.scaled(by: scale) {
            return "\(term.sql) \(raw: operation.symbol) \(argument: .integer(value))"
        }
        guard let floor = number.rounded(toScale: scale, .floor).scaled(by: scale) else {
            let outcome = Self.beyond(operation, isAbove: number.signum > 0, isNumber: true)
            return Self.constant(outcome, unlessNull: term.sql)
        }
        switch operation {
        case .gt, .ge: return "\(term.sql) > \(argument: .integer(floor))"
        case .lt, .le: return "\(term.sql) <= \(argument: .integer(floor))"
        default: return Self.constant(operation == .ne, unlessNull: term.sql)
        }
    }

    /// The answer for a literal above (or below) every value.
    private static func beyond(
        _ operation: BinaryOperator, isAbove: Bool, isNumber: Bool
    ) -> Bool {
        switch operation {
        case .ne: true
        case .lt, .le: isNumber && isAbove
        case .gt, .ge: isNumber && !isAbove
        default: false
        }
    }

    static func constant(_ value: Bool, unlessNull sql: SQLText) -> SQLText {
        "CASE WHEN \(sql) IS NOT NULL THEN \(truth: value) END"
    }

    /// Stored NaN and infinities are text, which SQLite puts above every number.
    private func real(
        _ operation: BinaryOperator, _ sql: SQLText, _ scalar: Scalar, isStored: Bool
    ) throws -> SQLText {
        guard let value = ColumnEncoding.double(scalar) else {
            throw Self.invalid("Expected a number to compare with a number.")
        }
        guard value.isFinite else {
            return special(operation, sql, value)
        }
        let comparison: SQLText = "\(sql) \(raw: operation.symbol) \(argument: .real(value))"
        guard isStored else { return comparison }
        switch operation {
        case .gt, .ge: return "(\(comparison) AND \(sql) NOT IN ('NaN', '-INF'))"
        case .lt, .le: return "(\(comparison) OR \(sql) = '-INF')"
        default: return comparison
        }
    }

    private func special(
        _ operation: BinaryOperator, _ sql: SQLText, _ value: Double
    ) -> SQLText {
        guard !value.isNaN else { return Self.constant(operation == .ne, unlessNull: sql) }
        let name: SQLText = value > 0 ? "'INF'" : "'-INF'"
        switch (operation, value > 0) {
        case (.eq, _): return "\(sql) = \(name)"
        case (.ne, _): return "\(sql) <> \(name)"
        case (.ge, true), (.le, false): return "\(sql) = \(name)"
        case (.le, true), (.ge, false): return "\(sql) <> 'NaN'"
        case (.lt, true), (.gt, false): return "\(sql) NOT IN ('NaN', \(name))"
        default: return Self.constant(false, unlessNull: sql)
        }
    }

    /// Two terms that are no literals.
    private func general(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLText {
        let sign = operation.symbol
        if left.isNumeric, right.isNumeric {
            return compareNumbers(operation, try number(left), try number(right))
        }
        switch (left.kind, right.kind) {
        case (.string, .string), (.guid, .guid), (.guidBytes, .guidBytes), (.binary, .binary),
            (.date, .date), (.time, .time), (.wall, .wall), (.boolean, .boolean),
            (.instant, .instant), (.duration, .duration), (.row, .row),
            (.instant, .wall),
            (.wall, .instant):
            return "\(left.compared) \(raw: sign) \(right.compared)"
        case (.enumeration, .enumeration), (.enumeration, .integer), (.integer, .enumeration):
            return "\(left.sql) \(raw: sign) \(right.sql)"
        case (.date, .instant), (.date, .wall):
            return "(\(left.sql) || 'T00:00:00') \(raw: sign) \(right.sql)"
        case (.instant, .date), (.wall, .date):
            return "\(left.sql) \(raw: sign) (\(right.sql) || 'T00:00:00')"
        case (.unix(let first), .unix(let second)) where first == second:
            return "\(left.sql) \(raw: sign) \(right.sql)"
        case (.json, .json) where operation == .eq || operation == .ne:
            return try sameJSON(operation, left.sql, right.sql)
        default: throw Self.invalid("Expected operands of comparable types.")
        }
    }

    /// `has` on flags.
    func has(_ left: SQLTerm, _ right: SQLTerm) throws -> SQLTerm {
        guard !left.isOpen, !right.isOpen else {
            throw Self.notImplemented("has of a dynamic property")
        }
        let value: Scalar
        switch right.kind {
        case .null: return SQLTerm("NULL", .boolean)
        case .literal(let scalar): value = scalar
        case .enumerationLiteral(let type, let members):
            value = try enumerationValue(type: type, members: members, for: left)
        case .enumeration:
            return SQLTerm("(\(left.sql) & \(right.sql)) = \(right.sql)", .boolean)
        default: throw Self.invalid("Expected an enumeration value after has.")
        }
        let argument = try literal(value, like: left)
        return SQLTerm("(\(left.sql) & \(argument)) = \(argument)", .boolean)
    }

    private func enumerationValue(
        type: String?, members: String, for term: SQLTerm
    ) throws -> Scalar {
        var id: EnumerationID?
        if case .enumeration(let own) = term.kind { id = own }
        if let type, let named = graph.enumeration(named: type) { id = id ?? named }
        if case .string = term.kind { return .string(members) }
        guard let id, let value = graph[id].value(of: members) else {
            throw Self.invalid("Expected a member of an enumeration of the model.")
        }
        return .integer(value)
    }

    /// `in`: one SQL `IN` where every literal has an exact form, else a chain of comparisons. A null never answers.
    mutating func membership(of operand: Expression, in list: [Expression]) throws -> SQLTerm {
        let list = try members(of: list)
        guard !list.isEmpty else { return SQLTerm(SQLText(truth: false), .boolean) }
        guard list.count <= Self.maximumListLength else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(Self.maximumListLength) values in a list, found \(list.count).",
                status: 400)
        }
        let term = try rendered(self.operand(operand))
        guard term.kind != .null else { return SQLTerm("NULL", .boolean) }
        if list.count == 1, let found = try member(term, of: list[0]) { return found }
        var conditions: [SQLText] = []
        var arguments: [SQLText] = []
        for item in list {
            if case .literal(.null, _) = item {
                arguments.append("NULL")
            } else if case .literal(let scalar, _) = item,
                let argument = try? literal(scalar, like: term)
            {
                arguments.append(argument)
            } else if let same = try structures(.eq, operand, item) {
                conditions.append("(\(same.sql))")
            } else {
                conditions.append("(\(try compare(.eq, term, compile(item))))")
            }
        }
        if !arguments.isEmpty {
            conditions.insert("\(term.compared) IN (\(arguments.joined(", ")))", at: 0)
        }
        let sql = conditions.joined(" OR ")
        return SQLTerm(conditions.count == 1 ? sql : "(\(sql))", .boolean)
    }

    /// Below SQLite's limit of bound values.
    private static let maximumListLength = 10_000
}

extension BinaryOperator {
    /// The comparison with its sides exchanged.
    var flipped: BinaryOperator {
        switch self {
        case .gt: .lt
        case .ge: .le
        case .lt: .gt
        case .le: .ge
        default: self
        }
    }

    var symbol: String {
        switch self {
        case .eq: "="
        case .ne: "<>"
        case .gt: ">"
        case .ge: ">="
        case .lt: "<"
        case .le: "<="
        case .add: "+"
        case .sub: "-"
        case .mul: "*"
        case .div, .divby: "/"
        case .mod: "%"
        default: ""
        }
    }
}
