import ODataModel
import ODataQuery
import ODataText

/// The filter that entities pass whom somebody may see, in OData's language; `@claim.name` stands for a claim of who asks.
struct RowFilter: Sendable, Hashable {
    /// As it stands in the file.
    let text: String
    /// With a parameter alias in place of each claim.
    private let condition: Expression
    /// The claims, each at the number in the name of its alias.
    private let claims: [String]

    /// - Throws: `invalidQuery` for what is no expression.
    init(_ text: String) throws {
        let (aliased, claims) = Self.aliased(text)
        self.text = text
        self.claims = claims
        condition = try URLParser.parseExpression(aliased, dialect: .v401)
    }

    /// The filter for who has these claims, checked against the type; nil where one is missing, is null or has another
    /// form than what it is compared with, so that nothing passes.
    ///
    /// - Throws: what is wrong with the filter itself.
    func bound(
        to values: JSONObject, of type: StructureID, in graph: MetadataGraph
    ) throws -> Expression? {
        var binding = ClaimBinding(
            type: type, graph: graph, claims: claims.map { Self.value($0, in: values) })
        guard let bound = try binding.bound(condition), !binding.hasFailed else { return nil }
        return try QueryChecker.check(bound, of: type, graph: graph)
    }

    /// The filter with null in place of each claim, which tells whether it fits the type.
    func checked(of type: StructureID, in graph: MetadataGraph) throws -> Expression {
        var binding = ClaimBinding(type: type, graph: graph, claims: nil)
        guard let bound = try binding.bound(condition) else { return .literal(.null, nil) }
        return try QueryChecker.check(bound, of: type, graph: graph)
    }

    /// `a.b` is the claim of that name, or `b` of the object `a`.
    private static func value(_ name: String, in claims: JSONObject) -> JSONValue {
        if let value = claims[name] { return value }
        guard let dot = name.firstIndex(of: ".") else { return .null }
        guard let inner = claims[String(name[..<dot])]?.object else { return .null }
        return value(String(name[name.index(after: dot)...]), in: inner)
    }

    /// A claim by a path of names, as filters name them.
    static func claim(_ name: String, in claims: JSONObject) -> JSONValue {
        value(name, in: claims)
    }

    /// Puts `@claim_0` for `@claim.sub`, but within texts.
    private static func aliased(_ text: String) -> (text: String, claims: [String]) {
        var (result, claims) = ("", [String]())
        var rest = text[...]
        var isInText = false
        while let first = rest.first {
            if first == "'" { isInText.toggle() }
            guard !isInText, rest.hasPrefix(prefix) else {
                result.append(first)
                rest.removeFirst()
                continue
            }
            rest.removeFirst(prefix.count)
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
            rest.removeFirst(name.count)
            let position = claims.firstIndex(of: String(name)) ?? claims.count
            if position == claims.count { claims.append(String(name)) }
            result += "@\(ClaimBinding.aliasPrefix)\(position)"
        }
        return (result, claims)
    }

    private static let prefix = "@claim."
}

/// Puts the values of claims in the places of their aliases, in the form of what they are compared with.
struct ClaimBinding {
    static let aliasPrefix = "claim_"

    let type: StructureID
    let graph: MetadataGraph
    /// Nil puts null for each.
    let claims: [JSONValue]?
    /// A claim has no value that fits its place.
    private(set) var hasFailed = false
    /// What lambda variables stand for.
    private var variables: [String: StructureID?] = [:]

    init(type: StructureID, graph: MetadataGraph, claims: [JSONValue]?) {
        self.type = type
        self.graph = graph
        self.claims = claims
    }

    /// - Throws: `invalidQuery` for a claim where none can be put.
    mutating func bound(_ expression: Expression) throws -> Expression? {
        switch expression {
        case .alias(let name): return try literal(name, as: nil)
        case .unary(let symbol, let operand):
            return try bound(operand).map { .unary(symbol, $0) }
        case .binary(let symbol, let left, let right):
            let (leftType, rightType) = (primitive(right), primitive(left))
            guard let left = try operand(left, as: leftType),
                let right = try operand(right, as: rightType)
            else { return nil }
            return .binary(symbol, left, right)
        case .isIn(let value, let members):
            let type = primitive(value)
            guard let value = try bound(value) else { return nil }
            var list: [Expression] = []
            for member in members {
                if case .alias(let name) = member {
                    list += try literals(name, as: type)
                } else if let member = try bound(member) {
                    list.append(member)
                }
            }
            return .isIn(value, list)
        case .call(let function, let arguments):
            return .call(function, try arguments.compactMap { try bound($0) })
        case .lambda(let symbol, let path, let variable, let predicate):
            let before = variables[variable]
            variables[variable] = structure(at: path)
            defer { variables[variable] = before }
            return .lambda(
                symbol, path, variable: variable, predicate: try predicate.flatMap { try bound($0) }
            )
        default:
            guard !expression.holdsAlias else {
                throw ODataError(
                    .invalidQuery,
                    "Expected claims in comparisons, lists and arguments of functions.")
            }
            return expression
        }
    }

    private mutating func operand(_ expression: Expression, as type: PrimitiveType?) throws
        -> Expression?
    {
        guard case .alias(let name) = expression else { return try bound(expression) }
        return try literal(name, as: type)
    }

    /// The one value of a claim.
    private mutating func literal(_ alias: String, as type: PrimitiveType?) throws -> Expression? {
        let values = try literals(alias, as: type)
        guard let value = values.first, values.count == 1 else {
            hasFailed = true
            return nil
        }
        return value
    }

    private mutating func literals(_ alias: String, as type: PrimitiveType?) throws -> [Expression]
    {
        guard alias.hasPrefix(Self.aliasPrefix),
            let position = Int(alias.dropFirst(Self.aliasPrefix.count))
        else {
            throw ODataError(
                .invalidQuery, "Expected @claim and the name of a claim, found @\(alias).")
        }
        guard let claims else { return [.literal(.null, nil)] }
        guard claims.indices.contains(position) else { return [] }
        let values = claims[position].array ?? [claims[position]]
        return values.compactMap { value in
            let scalar = Self.scalar(value, as: type)
            if scalar == nil { hasFailed = true }
            return scalar
        }
    }

    private static func scalar(_ value: JSONValue, as type: PrimitiveType?) -> Expression? {
        let text: String
        switch value {
        case .string(let string):
            guard let type, type != .string else { return .literal(.string(string), .string) }
            text = string
        case .number(let number):
            if type == .string { return .literal(.string(number), .string) }
            text = number
        case .boolean(let flag):
            return type == nil || type == .boolean ? .literal(.boolean(flag), .boolean) : nil
        case .null, .array, .object: return nil
        }
        let wanted = type ?? (text.contains(where: { ".eE".contains($0) }) ? .decimal : .int64)
        return Lexical.scalar(text, as: wanted).map { .literal($0, wanted) }
    }

    /// The type of a property that stands for itself.
    private func primitive(_ expression: Expression) -> PrimitiveType? {
        guard case .path(let path) = expression, let names = path.propertyNames else {
            if case .call(let function, _) = expression,
                function == .toLower || function == .toUpper || function == .trim
            {
                return .string
            }
            return nil
        }
        var start: StructureID? = type
        if case .variable(let name) = path.root { start = variables[name] ?? nil }
        return start.flatMap { graph.type(ofPath: names.joined(separator: "/"), in: $0)?.primitive }
    }

    private func structure(at path: ExpressionPath) -> StructureID? {
        guard let names = path.propertyNames else { return nil }
        var start: StructureID? = type
        if case .variable(let name) = path.root { start = variables[name] ?? nil }
        return start.flatMap { graph.type(ofPath: names.joined(separator: "/"), in: $0)?.structure }
    }
}

extension Expression {
    /// Whether an alias stands in it.
    fileprivate var holdsAlias: Bool {
        if case .alias = self { return true }
        return parts.contains(where: \.holdsAlias)
    }
}
