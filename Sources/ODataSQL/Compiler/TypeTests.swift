import ODataModel
import ODataQuery
import ODataText

/// `isof` (URL Conventions 4.01, section 5.1.1.10.2): a truth for every value, which is false for null.
extension ExpressionCompiler {
    /// `isof(type)` and `isof(path, type)`.
    mutating func isOf(_ operand: Expression?, _ name: String) throws -> SQLTerm {
        if let type = graph.structure(named: name) { return try isOf(operand, type) }
        guard let operand else { return SQLTerm(SQLText(truth: false), .boolean) }
        let term = try rendered(compile(operand))
        let isThere: SQLText = "(\(term.sql) IS NOT NULL)"
        if term.kind == .null { return SQLTerm(SQLText(truth: false), .boolean) }
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            let member = graph.type(named: String(name.dropFirst(11).dropLast()))
            guard case .json(let type) = term.kind, type.isCollection, type.kind == member?.kind
            else { return SQLTerm(SQLText(truth: false), .boolean) }
            return SQLTerm(isThere, .boolean)
        }
        if let id = graph.enumeration(named: name) {
            return SQLTerm(
                term.kind == .enumeration(id) ? isThere : SQLText(truth: false), .boolean)
        }
        guard let type = PrimitiveType(name: name) else {
            throw ODataError(
                .unknownName, "Expected a type, found \(name).", at: .path(name), status: 400)
        }
        if term.isNumeric, type != .untyped { return try isOf(number: term, type) }
        return SQLTerm(Self.holds(term.kind, type) ? isThere : SQLText(truth: false), .boolean)
    }

    /// Whether values of the kind are of the type, all of them or none.
    private static func holds(_ kind: SQLTerm.Kind, _ type: PrimitiveType) -> Bool {
        if type == .untyped { return true }
        switch kind {
        case .boolean: return type == .boolean
        case .string: return type == .string
        case .guid, .guidBytes: return type == .guid
        case .binary: return type == .binary
        case .date: return type == .date
        case .time: return type == .timeOfDay || type == .time
        case .instant, .unix: return type == .dateTimeOffset
        case .wall: return type == .dateTime
        case .duration: return type == .duration
        case .json(let own):
            guard !own.isCollection, let found = own.primitive else { return false }
            return found == type || found.isGeospatial && found.abstractShape == type
        default: return false
        }
    }

    /// Integers are of every integer type that has room for them, decimals are Decimals, doubles are Singles where
    /// nothing is lost.
    private func isOf(number term: SQLTerm, _ type: PrimitiveType) throws -> SQLTerm {
        let number = try number(term)
        let isThere: SQLText = "(\(term.sql) IS NOT NULL)"
        switch (number.isReal, type) {
        case (true, .double): return SQLTerm(isThere, .boolean)
        case (true, .single):
            let single = dialect.single(number.real(dialect))
            return SQLTerm("(\(isThere) AND \(single) = \(number.sql))", .boolean)
        case (false, .decimal) where !number.isInteger: return SQLTerm(isThere, .boolean)
        case (false, .byte), (false, .sbyte), (false, .int16), (false, .int32), (false, .int64):
            guard number.isInteger else { return SQLTerm(SQLText(truth: false), .boolean) }
            let cast = dialect.cast(number.decimal(dialect), to: type)
            return SQLTerm("(\(cast) IS NOT NULL)", .boolean)
        default: return SQLTerm(SQLText(truth: false), .boolean)
        }
    }

    private mutating func isOf(_ operand: Expression?, _ type: StructureID) throws -> SQLTerm {
        var cursor = scopes[itScope].cursor
        if let operand {
            guard case .path(let path) = operand, case .row(let end) = try resolve(path) else {
                throw Self.invalid("Expected a path to a structured value in isof().")
            }
            cursor = end
            if graph[type].kind == .complex { return try isOf(complex: path, cursor, type) }
        }
        guard let table = cursor.table, cursor.prefix.isEmpty, cursor.json == nil else {
            return SQLTerm(SQLText(truth: false), .boolean)
        }
        guard let condition = typeCondition(type, table: table, alias: cursor.alias) else {
            return SQLTerm("\(identity(of: table, alias: cursor.alias)) IS NOT NULL", .boolean)
        }
        guard let column = table.system.type else {
            return SQLTerm(SQLText(truth: false), .boolean)
        }
        return SQLTerm(
            "(\(name: cursor.alias).\(name: column) IS NOT NULL AND \(condition))", .boolean)
    }

    /// A complex value, of which the store knows the declared type only.
    private mutating func isOf(
        complex path: ExpressionPath, _ cursor: RowCursor, _ type: StructureID
    ) throws -> SQLTerm {
        let declared =
            cursor.json?.type.structure
            ?? cursor.structure.flatMap {
                graph.type(ofPath: String(cursor.prefix.dropLast()), in: $0)?.structure
            }
        guard let declared, cursor.json != nil || !cursor.prefix.isEmpty else {
            return SQLTerm(SQLText(truth: false), .boolean)
        }
        guard graph.isA(declared, type) else {
            guard graph.isA(type, declared) else { return SQLTerm(SQLText(truth: false), .boolean) }
            throw Self.notImplemented("isof with a type derived from that of a complex property")
        }
        return SQLTerm("(\(try term(for: path).sql) IS NOT NULL)", .boolean)
    }
}

extension PrimitiveType {
    /// The abstract type of a shape's family.
    fileprivate var abstractShape: PrimitiveType {
        name.hasPrefix("Geography") ? .geography : .geometry
    }
}
