import ODataModel
import ODataQuery
import ODataText

/// Computes one canonical function from value objects.
enum FunctionEvaluator {
    /// - Throws: `DataQueryError` for operands that the function does not take.
    static func value(
        of function: Function, _ arguments: DataValueListWithNulls
    ) throws -> DataValue? {
        try ErrorBase.translating {
            guard function.arity.contains(arguments.length) else {
                throw ODataError(
                    .invalidQuery,
                    "Expected \(function.arity.lowerBound) to \(function.arity.upperBound)"
                        + " operands, found \(arguments.length).",
                    at: .path(function.rawValue))
            }
            var evaluator = ExpressionEvaluator(graph: MetadataGraph(version: .v401))
            let operands = arguments.enumerated().map { position, value -> Expression in
                guard let value else { return .literal(.null, nil) }
                if let scalar = value.scalarValue() { return .literal(scalar, nil) }
                // Lists and structures are no literals.
                let name = "operand\(position)"
                evaluator.variables[name] = value.odataValue()
                return .path(ExpressionPath(root: .variable(name), []))
            }
            return object(try evaluator.value(function, operands))
        }
    }

    private static func object(_ value: ODataValue) -> DataValue? {
        switch value {
        case .scalar(let scalar):
            scalar.naturalType.flatMap { DataValue.of(scalar, $0) }
        case .list(let items):
            DataValueListWithNulls.fromArray(items.map(object))
        case .structure: nil
        }
    }
}
