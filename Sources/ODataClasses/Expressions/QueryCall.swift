import ODataModel
import ODataQuery

/// A call of a function in an expression tree, as providers walk it.
open class QueryFunctionCall: DataValue, @unchecked Sendable {
    // Immutable.
    package final let expression: Expression
    package final let arguments: [DataValue]
    /// The function that is called.
    public final let queryFunction: QueryFunction

    package init(_ expression: Expression, _ function: QueryFunction, _ arguments: [DataValue]) {
        self.expression = expression
        self.arguments = arguments
        queryFunction = function
        super.init()
    }

    /// The operands.
    open var callArguments: DataValueList { DataValueList.fromArray(arguments) }

    /// Computes the function from the values of its operands, as a provider has found them for a row: a canonical function
    /// (URL Conventions 4.01, section 5.1.1.4 and following) has one, unless it is about more than values, as `now` and
    /// `isdefined` are. Throws `DataQueryError` for operands that the function does not take.
    ///
    /// - Throws: `DataQueryError`, from the function it gives, for operands that the function does
    ///   not take.
    open var callEvaluator: ((DataValueListWithNulls) throws -> DataValue?)? {
        guard let function = queryFunction.canonical, function != .now, function != .isDefined
        else { return nil }
        return { try FunctionEvaluator.value(of: function, $0) }
    }

    /// The call as URL text in V4 notation, not percent-encoded.
    open override func toString() -> String { expression.displayText }

    /// Equal when the calls are.
    open override func equals(_ other: AnyObject?) -> Bool {
        expression == (other as? QueryFunctionCall)?.expression
    }

    /// Hashes the call.
    open override func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}

/// An operator with its operands in an expression tree, as providers walk it.
open class QueryOperatorCall: DataValue, @unchecked Sendable {
    // Immutable.
    package final let expression: Expression
    package final let arguments: [DataValue]
    /// The operator that is applied.
    public final let queryOperator: QueryOperator

    package init(_ expression: Expression, _ symbol: QueryOperator, _ arguments: [DataValue]) {
        self.expression = expression
        self.arguments = arguments
        queryOperator = symbol
        super.init()
    }

    /// The operands.
    open var callArguments: DataValueList { DataValueList.fromArray(arguments) }

    /// The call as URL text in V4 notation, not percent-encoded.
    open override func toString() -> String { expression.displayText }

    /// Equal when the calls are.
    open override func equals(_ other: AnyObject?) -> Bool {
        expression == (other as? QueryOperatorCall)?.expression
    }

    /// Hashes the call.
    open override func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}

/// Turns expressions into trees of calls.
enum QueryCall {
    /// The expression as a call over the trees of its operands; a leaf for what is no call.
    static func tree(
        _ expression: Expression, in model: MetadataModel? = nil
    ) -> DataValue {
        switch expression {
        case .literal(let scalar, let type):
            return DataValue.of(scalar, type ?? scalar.naturalType ?? .untyped)
                ?? QueryExpression(expression)
        case .alias(let name):
            return QueryAlias(name: name)
        case .unary(let symbol, let operand):
            let name = symbol.rawValue
            return call(expression, QueryOperator.forName(name), [operand], model)
        case .binary(let symbol, let left, let right):
            return call(expression, QueryOperator.forName(symbol.rawValue), [left, right], model)
        case .lambda(let symbol, let path, let variable, let predicate):
            let operands = [.path(path)] + (predicate.map { [$0] } ?? [])
            _ = variable
            return call(expression, QueryOperator.forName(symbol.rawValue), operands, model)
        case .call(let function, let arguments):
            let name = function.rawValue
            return QueryFunctionCall(
                expression, QueryFunction(function, name), arguments.map { tree($0, in: model) })
        case .custom(let name, let arguments):
            let method = model?.methods(named: name).first { $0.isFunction }
            return QueryFunctionCall(
                expression, method.map { .of($0) } ?? QueryFunction(nil, name),
                arguments.map { tree($0, in: model) })
        default:
            return QueryExpression(expression)
        }
    }

    private static func call(
        _ expression: Expression, _ symbol: QueryOperator?, _ operands: [Expression],
        _ model: MetadataModel?
    ) -> DataValue {
        guard let symbol else { return QueryExpression(expression) }
        return QueryOperatorCall(expression, symbol, operands.map { tree($0, in: model) })
    }
}
