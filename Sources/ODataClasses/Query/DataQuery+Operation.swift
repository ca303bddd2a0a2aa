import ODataModel
import ODataQuery

/// Calls of functions and actions (Protocol 4.01, section 11.5).
extension DataQuery {
    /// Asks for the result of an operation; arguments of a function become part of the URL, those of an action the body.
    @discardableResult
    public final func invoke(
        _ method: DataMethod, _ parameters: ParameterList = ParameterList()
    ) -> DataQuery {
        let arguments = parameters.map {
            NamedArgument(name: $0.name, value: DataValue.queryExpression($0.value))
        }
        let name = method.isBound ? method.qualifiedName : method.name
        target.operation = (name, method.isAction ? [] : arguments)
        target.call = DataMethodCall.apply(method, parameters)
        target.model = method.model
        return self
    }

    /// The operation that is called, with its arguments; nil when none is.
    public final var methodCall: DataMethodCall? {
        get { target.call }
        set {
            target.operation = nil
            target.call = nil
            if let call = newValue { invoke(call.method, call.parameters) }
        }
    }
}
