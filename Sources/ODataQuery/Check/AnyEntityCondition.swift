import ODataModel
import ODataText

/// A condition on entities of any type, as `$all` has them (URL Conventions 4.01, section 4.16), put for those of one type.
///
/// `Edm.EntityType` declares no properties: what is named stands behind the name of a type, `Ws.Tool/Price gt 7`, and is null
/// for entities that are of no such type.
package struct AnyEntityCondition {
    private let graph: MetadataGraph
    private let type: StructureID

    /// The condition for entities declared to be of `type`, with typed literals.
    ///
    /// - Throws: `unknownName` for types that are not defined and properties of none, `notImplemented` (501) for collections
    ///   and for functions of the service, and what `QueryChecker` throws.
    package static func condition(
        _ expression: Expression, for type: StructureID, in graph: MetadataGraph
    ) throws -> Expression {
        let condition = try AnyEntityCondition(graph: graph, type: type).rewritten(expression)
        return try QueryChecker.check(condition, of: type, graph: graph)
    }

    /// - Throws: 501 for an alias that stands for more than values.
    package static func check(aliases: [String: Expression]) throws {
        for (name, value) in aliases where !value.isValue {
            throw notImplemented("parameter aliases of other than values", at: "@\(name)")
        }
    }

    private func rewritten(_ expression: Expression) throws -> Expression {
        switch expression {
        case .literal, .enumeration, .alias, .json: return expression
        case .path(let path): return try isPossible(path) ? expression : .literal(.null, nil)
        case .unary(.not, let operand): return .unary(.not, try rewritten(operand))
        case .unary(let symbol, let operand):
            return try combined([operand]) { .unary(symbol, $0[0]) }
        case .binary(let symbol, let left, let right):
            switch symbol {
            case .and, .or, .eq, .ne, .gt, .ge, .lt, .le:
                return .binary(symbol, try rewritten(left), try rewritten(right))
            case .has, .add, .sub, .mul, .div, .divby, .mod:
                return try combined([left, right]) { .binary(symbol, $0[0], $0[1]) }
            }
        case .isIn(let operand, let members):
            return .isIn(try rewritten(operand), try members.map(rewritten))
        case .call(.case, let arguments): return .call(.case, try arguments.map(rewritten))
        case .call(let function, let arguments):
            return try combined(arguments) { .call(function, $0) }
        case .cast(let operand?, let type):
            return try combined([operand]) { .cast($0[0], type: type) }
        case .isOf(let operand, let name): return try rewritten(isOf: operand, name)
        case .cast, .lambda, .count, .aggregate, .custom:
            throw Self.notImplemented("collections and functions of the service", at: "$filter")
        }
    }

    /// What is made of operands; null where one of them is what the entities do not have.
    private func combined(
        _ operands: [Expression], _ make: ([Expression]) -> Expression
    ) throws -> Expression {
        let null = Expression.literal(.null, nil)
        let rewritten = try operands.map(rewritten)
        let isGone = zip(operands, rewritten).contains { $0 != $1 && $1 == null }
        return isGone ? null : make(rewritten)
    }

    private func rewritten(isOf operand: Expression?, _ name: String) throws -> Expression {
        let never = Expression.literal(.boolean(false), .boolean)
        if let operand, operand != .path(ExpressionPath(root: .it, [])) {
            guard case .path(let path) = operand else {
                return .isOf(try rewritten(operand), type: name)
            }
            return try isPossible(path) ? .isOf(operand, type: name) : never
        }
        return try isRelated(to: name) ? .isOf(nil, type: name) : never
    }

    /// Whether entities of the type may have what the path leads to.
    private func isPossible(_ path: ExpressionPath) throws -> Bool {
        switch path.root {
        case .variable, .root: return true
        case .this, .these: throw Self.notImplemented("$this and $these", at: "$filter")
        case .it: break
        }
        guard case .typeCast(let name)? = path.segments.first, path.segments.count > 1 else {
            throw ODataError(
                .unknownName,
                "Expected the name of an entity type in front of each property, for Edm.EntityType has "
                    + "none.", at: .path(path.propertyNames?.joined(separator: "/") ?? "$it"),
                status: 400)
        }
        guard try isRelated(to: name) else {
            // What is misspelt is so for all entities.
            if let target = graph.structure(named: name) {
                var rest = path
                rest.segments.removeFirst()
                _ = try QueryChecker.check(.path(rest), of: target, graph: graph)
            }
            return false
        }
        return true
    }

    private func isRelated(to name: String) throws -> Bool {
        guard let target = graph.structure(named: name), graph[target].kind == .entity else {
            throw ODataError(
                .unknownName, "Expected an entity type, found \(name).", at: .path(name),
                status: 400)
        }
        return graph.isA(target, type) || graph.isA(type, target)
    }

    private static func notImplemented(_ what: String, at place: String) -> ODataError {
        ODataError(
            .notImplemented, "Expected a condition on single values over $all, found \(what).",
            at: .path(place), status: 501)
    }
}

extension Expression {
    /// True for what reads nothing of the instances.
    fileprivate var isValue: Bool {
        switch self {
        case .path, .lambda, .count, .aggregate, .custom, .isOf, .cast: false
        default: parts.allSatisfy(\.isValue)
        }
    }
}
