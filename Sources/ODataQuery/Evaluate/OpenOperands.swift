import ODataModel
import ODataText

/// Operands whose type the model does not tell: dynamic properties of open types and what is made of them. What they do
/// not fit is null.
extension ExpressionEvaluator {
    /// The value of an operation; null where an operand without type does not fit it.
    func fitting(
        _ operands: [Expression], _ value: () throws -> ODataValue
    ) throws -> ODataValue {
        do { return try value() } catch let error as ODataError {
            guard error.code == .invalidQuery, operands.contains(where: isOpen) else { throw error }
            return .null
        }
    }

    /// True for a dynamic property, and for what gets its type from one.
    func isOpen(_ expression: Expression) -> Bool { isOpen(expression, levels: 16) }

    /// Aliases may name each other.
    private func isOpen(_ expression: Expression, levels: Int) -> Bool {
        switch expression {
        case .path(let path): isOpen(path)
        case .unary(.negate, let operand): isOpen(operand, levels: levels)
        case .binary(let symbol, let left, let right):
            switch symbol {
            case .add, .sub, .mul, .div, .divby, .mod:
                isOpen(left, levels: levels) || isOpen(right, levels: levels)
            default: false
            }
        case .call(_, let arguments): arguments.contains { isOpen($0, levels: levels) }
        case .alias(let name) where levels > 0:
            aliases[name].map { isOpen($0, levels: levels - 1) } ?? false
        default: false
        }
    }

    private func isOpen(_ path: ExpressionPath) -> Bool {
        var current: ODataValue
        switch path.root {
        case .it, .this: current = item
        case .variable(let name): current = variables[name] ?? .null
        default: return false
        }
        for segment in path.segments {
            if isOpen(segment, of: current) { return true }
            guard let next = try? step(segment, from: current, isBehindOpen: false) else {
                return false
            }
            current = next
        }
        return false
    }

    /// True for the name of a property that the value's type, an open one, does not declare.
    func isOpen(_ segment: ExpressionPath.Segment, of value: ODataValue) -> Bool {
        guard !readsText, case .property(let name) = segment, let structure = value.structure,
            graph[structure.type].isOpen
        else { return false }
        return graph[structure.type].slot(named: name) == nil
    }
}
