import ODataModel

/// A parameter of an action or function, or its value in a call.
open class Parameter: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes the value, as callers promise.
    package final let definition: OperationDefinition.Parameter?
    private final let model: MetadataModel?

    /// The name of the parameter.
    public final let name: String
    /// The type of the parameter; unknown where only a value was given.
    public final let type: DataType
    /// The value in a call.
    public final var value: DataValue?

    /// ``mode`` of a parameter that is passed to the operation.
    public static let modeIn = 1
    /// ``mode`` of a parameter that the operation sets.
    public static let modeOut = 2
    /// ``mode`` of a parameter that is passed and set.
    public static let modeInOut = 3

    /// Which way the value goes: ``modeIn``, or what a function import of V2 or V3 says otherwise.
    public final var mode: Int { definition?.mode.rawValue ?? Self.modeIn }

    package init(
        name: String, type: DataType, value: DataValue? = nil,
        definition: OperationDefinition.Parameter? = nil, model: MetadataModel? = nil
    ) {
        self.name = name
        self.type = type
        self.value = value
        self.definition = definition
        self.model = model
        super.init()
    }

    /// True when the value may be null.
    public final var isNullable: Bool { definition?.type.isNullable ?? true }

    /// The most characters or bytes; `TypeFacets.anyLength` when nothing is stated.
    public final var maxLength: Int {
        definition?.type.facets.maxLength ?? TypeFacets.anyLength
    }

    /// The most digits, or the digits of a second's fraction; `TypeFacets.anyPrecision` when nothing is stated.
    public final var precision: Int {
        definition?.type.facets.precision ?? TypeFacets.anyPrecision
    }

    /// The digits behind the decimal point, or one of the constants of ``TypeFacets``; 0 when nothing is stated.
    public final var scale: Int { definition?.type.facets.statedScale ?? 0 }

    /// The facets of the type; none are stated where only a value was given (CSDL 4.01, section 12.9).
    public final var facets: TypeFacets {
        definition.map { TypeFacets($0.type) } ?? TypeFacets(TypeFacetValues())
    }

    /// The annotations of the parameter by term; none where only a value was given.
    public final var annotations: AnnotationMap {
        guard let definition, let model else { return AnnotationMap() }
        return .of(definition.annotations, model)
    }

    /// The name and the value.
    open override func toString() -> String { "\(name)=\(value?.toString() ?? "null")" }
}

/// The parameters of a method, or those of a call.
open class ParameterList: MetadataList<Parameter>, @unchecked Sendable {
    // Confined as its base class says.

    /// Sets a parameter of a call and returns the list.
    @discardableResult
    open func with(name: String, value: DataValue?) -> ParameterList {
        remove(name)
        append(Parameter(name: name, type: value?.dataType ?? DataType.unknown, value: value))
        return self
    }

    /// Adds the declaration of a parameter.
    open func addFormal(_ parameter: Parameter) { append(parameter) }

    /// Removes the parameter with this name, where there is one.
    open func remove(_ name: String) { items.removeAll { $0.name == name } }

    /// The parameter with this name; nil when there is none.
    package final func parameter(named name: String) -> Parameter? {
        items.first { $0.name == name }
    }

    /// The parameter with this name. A missing one is a programming error and traps.
    open func required(_ name: String) -> Parameter {
        guard let parameter = parameter(named: name) else {
            preconditionFailure("Expected a parameter with the name \(name).")
        }
        return parameter
    }
}

/// A call of an action or function with its parameters.
open class DataMethodCall: ObjectBase, @unchecked Sendable {
    // The method is constant; the list is confined as it says itself.

    /// What is called.
    public final let method: DataMethod
    /// The values that it is called with.
    public final let parameters: ParameterList

    private init(_ method: DataMethod, _ parameters: ParameterList) {
        self.method = method
        self.parameters = parameters
        super.init()
    }

    /// The call of a method with these parameters.
    public static func apply(_ method: DataMethod, _ parameters: ParameterList) -> DataMethodCall {
        DataMethodCall(method, parameters)
    }
}
