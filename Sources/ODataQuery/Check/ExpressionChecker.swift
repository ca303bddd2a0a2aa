import ODataModel
import ODataText

/// Finds the type of an expression and rewrites its literals to the types they meet (URL Conventions 4.01,
/// section 5.1.1). A nil type is one that the model does not tell: dynamic properties and functions of the service.
struct ExpressionChecker {
    typealias Typed = (expression: Expression, type: TypeReference?)

    let graph: MetadataGraph
    /// What `$it` looks like.
    var shape: AppliedShape
    /// The type of `$it` where ``shape`` is that of a nested instance.
    var outerItem: TypeReference?
    /// True inside aggregates, whose paths may go through collections.
    var crossesCollections = false
    let aliases: AliasExpansion
    /// What is checked stands in the value of an alias, which was counted where the alias stands.
    private var isInAlias = false
    /// Types of lambda variables in scope.
    var variables: [String: TypeReference?] = [:]

    init(graph: MetadataGraph, item: TypeReference, aliases: AliasExpansion) {
        self.init(graph: graph, shape: AppliedShape(item: item), aliases: aliases)
    }

    init(graph: MetadataGraph, shape: AppliedShape, aliases: AliasExpansion) {
        self.graph = graph
        self.shape = shape
        self.aliases = aliases
    }

    var item: TypeReference { shape.item }

    // MARK: Errors

    func mismatch(_ expected: String, _ found: TypeReference?, _ place: String) -> ODataError {
        let name = found.map { graph.name(of: $0) } ?? "another type"
        return ODataError(
            .invalidQuery, "Expected \(expected), found \(name).", at: .path(place))
    }

    /// The path as it stands in messages.
    func text(_ path: ExpressionPath) -> String {
        (try? URLWriter.expressionText(.path(path), graph: graph, dialect: .v401)) ?? "path"
    }

    /// What an operand is called in messages: its path, or the operator that takes it.
    func place(_ expression: Expression, _ otherwise: String) -> String {
        switch expression {
        case .path(let path), .count(let path, _): text(path)
        default: otherwise
        }
    }

    // MARK: Expressions

    /// A Boolean expression.
    func condition(_ expression: Expression, _ place: String) throws -> Expression {
        let (checked, type) = try check(expression)
        if let type, type.kind != .primitive(.boolean) || type.isCollection {
            throw mismatch("Edm.Boolean", type, self.place(expression, place))
        }
        return checked
    }

    func check(_ expression: Expression) throws -> Typed {
        switch expression {
        case .literal(let scalar, let written):
            let type = written ?? scalar.naturalType
            return (.literal(scalar, type), type.map { TypeReference(.primitive($0)) })
        case .enumeration(let name, _):
            guard let name else { return (expression, nil) }
            guard let id = graph.enumeration(named: name) else {
                throw ODataError(
                    .unknownName, "Expected an enumeration type, found \(name).", at: .path(name))
            }
            return (expression, TypeReference(.enumeration(id)))
        case .path(let path):
            return (expression, try type(of: path))
        case .unary(let symbol, let operand):
            return try check(symbol, operand)
        case .binary(let symbol, let left, let right):
            return try check(symbol, left, right)
        case .isIn(let operand, let members):
            return try check(operand, in: members)
        case .call(let function, let arguments):
            return try check(function, arguments)
        case .cast(let operand, let name):
            return try check(cast: operand, name)
        case .isOf(let operand, let name):
            _ = try named(type: name)
            return (.isOf(try operand.map { try check($0).expression }, type: name), .boolean)
        case .lambda(let symbol, let path, let variable, let predicate):
            return try check(symbol, path, variable, predicate)
        case .count(let path, let filter):
            return try check(count: path, filter)
        case .aggregate(let path, let term):
            return try check(path, term)
        case .alias(let name):
            return (expression, try type(ofAlias: name))
        case .json:
            return (expression, nil)
        case .custom(let name, let arguments):
            try checkName(ofFunction: name)
            return (
                .custom(name: name, arguments: try arguments.map { try check($0).expression }), nil
            )
        }
    }

    /// The type of what an alias stands for; nil where it stands for nothing.
    func type(ofAlias name: String) throws -> TypeReference? {
        guard let value = aliases.values[name] else { return nil }
        if !isInAlias { try aliases.use(name) }
        var inner = self
        inner.isInAlias = true
        return try inner.check(value).type
    }

    /// - Throws: `unknownName` for a function in one of the model's schemas that the model does not declare.
    private func checkName(ofFunction name: String) throws {
        guard let dot = name.lastIndex(of: "."), graph.operations(named: name).isEmpty else {
            return
        }
        let namespace = name[..<dot]
        guard
            graph.schemas.contains(where: {
                $0.namespace == namespace || $0.alias ?? "" == namespace
            })
        else { return }
        throw ODataError(.unknownName, "Expected a function, found \(name).", at: .path(name))
    }

    private func check(_ symbol: UnaryOperator, _ operand: Expression) throws -> Typed {
        switch symbol {
        case .not:
            return (.unary(.not, try condition(operand, "not")), .boolean)
        case .negate:
            let (checked, type) = try check(operand)
            if let type, !type.isNumeric, type.kind != .primitive(.duration) {
                throw mismatch("a number or a duration", type, place(operand, "-"))
            }
            return (.unary(.negate, checked), type)
        }
    }

    private func check(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> Typed {
        switch symbol {
        case .and, .or:
            let name = symbol.rawValue
            return (
                .binary(symbol, try condition(left, name), try condition(right, name)), .boolean
            )
        case .eq, .ne, .gt, .ge, .lt, .le:
            let (first, second) = try unified(left, right, symbol)
            return (.binary(symbol, first, second), .boolean)
        case .has:
            let first = try check(left)
            guard let type = first.type, case .enumeration(let id) = type.kind else {
                guard first.type == nil else {
                    throw mismatch("an enumeration", first.type, place(left, "has"))
                }
                return (.binary(.has, first.expression, right), .boolean)
            }
            let second = try member(right, of: type, "has")
            _ = id
            return (.binary(.has, first.expression, second), .boolean)
        case .add, .sub, .mul, .div, .divby, .mod:
            return try arithmetic(symbol, left, right)
        }
    }

    private func check(_ operand: Expression, in members: [Expression]) throws -> Typed {
        let first = try check(operand)
        let checked = try members.map { member -> Expression in
            if member.isLiteral, let type = first.type {
                return try self.member(member, of: type, place(operand, "in"))
            }
            return try check(member).expression
        }
        return (.isIn(first.expression, checked), .boolean)
    }

    // MARK: Comparison

    private func unified(
        _ left: Expression, _ right: Expression, _ symbol: BinaryOperator
    ) throws -> (Expression, Expression) {
        let (first, second) = (try check(left), try check(right))
        if right.isLiteral, !left.isLiteral, let type = first.type {
            return (first.expression, try member(right, of: type, place(left, symbol.rawValue)))
        }
        if left.isLiteral, !right.isLiteral, let type = second.type {
            return (try member(left, of: type, place(right, symbol.rawValue)), second.expression)
        }
        guard let a = first.type, let b = second.type else {
            return (first.expression, second.expression)
        }
        let isEquality = symbol == .eq || symbol == .ne
        guard areComparable(a, b), isEquality || a.structure == nil else {
            throw mismatch(graph.name(of: a), b, place(left, symbol.rawValue))
        }
        return (first.expression, second.expression)
    }

    /// The literal as a value of `type`; numbers that `type` cannot hold stay what they are.
    private func member(
        _ literal: Expression, of type: TypeReference, _ place: String
    ) throws -> Expression {
        guard literal.isLiteral else { return try check(literal).expression }
        if case .literal(.null, _) = literal { return literal }
        guard let scalar = LiteralConversion(graph: graph).scalar(literal, as: type) else {
            let (checked, found) = try check(literal)
            if type.isNumeric, found?.isNumeric == true { return checked }
            if case .enumeration(_, let members) = literal, found?.kind == type.kind {
                throw ODataError(
                    .invalidQuery, "Expected members of \(graph.name(of: type)), found \(members).",
                    at: .path(place))
            }
            throw mismatch(graph.name(of: type), found, place)
        }
        switch type.kind {
        case .primitive(let primitive):
            return .literal(scalar, primitive == .untyped ? scalar.naturalType : primitive)
        case .enumeration(let id):
            guard case .literal(.string(let members), _) = literal else { return literal }
            return .enumeration(type: graph[id].qualifiedName, members: members)
        case .structure:
            return literal
        }
    }

    private func areComparable(_ a: TypeReference, _ b: TypeReference) -> Bool {
        if a.isNumeric, b.isNumeric { return true }
        if a.primitive == .untyped || b.primitive == .untyped { return true }
        switch (a.kind, b.kind) {
        case (.structure, .structure): return true
        case (.primitive(.timeOfDay), .primitive(.time)),
            (.primitive(.time), .primitive(.timeOfDay)):
            return true
        default: return a.kind == b.kind && a.isCollection == b.isCollection
        }
    }

    // MARK: Other forms

    func named(type name: String) throws -> TypeReference {
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            var item = try named(type: String(name.dropFirst(11).dropLast()))
            item.isCollection = true
            return item
        }
        guard let type = graph.type(named: name) else {
            throw ODataError(.unknownName, "Expected a type, found \(name).", at: .path(name))
        }
        return type
    }

    private func check(cast operand: Expression?, _ name: String) throws -> Typed {
        let type = try named(type: name)
        return (.cast(try operand.map { try check($0).expression }, type: name), type)
    }

    private func check(
        _ symbol: LambdaOperator, _ path: ExpressionPath, _ variable: String,
        _ predicate: Expression?
    ) throws -> Typed {
        var type = try collection(path, symbol.rawValue)
        type?.isCollection = false
        var inner = self
        inner.variables[variable] = .some(type)
        let checked = try predicate.map { try inner.condition($0, symbol.rawValue) }
        return (.lambda(symbol, path, variable: variable, predicate: checked), .boolean)
    }

    private func check(count path: ExpressionPath, _ filter: Expression?) throws -> Typed {
        var type = try collection(path, "$count")
        guard let filter, type != nil else {
            return (.count(path, filter: filter), TypeReference(.primitive(.int64)))
        }
        type?.isCollection = false
        var inner = self
        inner.outerItem = outerItem ?? item
        inner.shape = AppliedShape(item: type ?? item)
        let checked = try inner.condition(filter, "$count")
        return (.count(path, filter: checked), TypeReference(.primitive(.int64)))
    }

    private func collection(_ path: ExpressionPath, _ what: String) throws -> TypeReference? {
        guard let type = try type(of: path) else { return nil }
        guard type.isCollection else {
            throw mismatch("a collection in front of \(what)", type, text(path))
        }
        return type
    }
}

extension TypeReference {
    static let boolean = TypeReference(.primitive(.boolean))
    static let string = TypeReference(.primitive(.string))

    var isNumeric: Bool { !isCollection && primitive?.isNumeric == true }
}

extension Scalar {
    /// The type of a literal that nothing else decides; nil for null.
    package var naturalType: PrimitiveType? {
        switch self {
        case .null: nil
        case .integer(let value): Int32(exactly: value) == nil ? .int64 : .int32
        default: literalType(.v4)
        }
    }
}
