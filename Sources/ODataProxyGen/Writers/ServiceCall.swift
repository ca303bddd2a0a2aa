/// One call of the service class: what it is given, what it asks, and what it makes of the answer.
struct ServiceCall {
    var name: SwiftName
    /// As they are declared, before headers and options.
    var parameters: [String]
    /// The query that is executed, as an expression.
    var query: String
    /// The Swift type of the result; nil where there is none.
    var result: String?
    /// The statements after `result`, the result of the query.
    var reading: String
    var isAction = false
    var sentence: String
    var note = ""

    static func all(of model: ProxyModel) -> [ServiceCall] {
        let calls = ServiceCallMaker(model: model)
        return model.sets.flatMap { set in
            set.isSingleton
                ? [calls.singleton(set)]
                : [calls.many(set), calls.one(set), calls.withKey(set)].compactMap { $0 }
        } + model.operations.compactMap { calls.operation($0) }
    }
}

struct ServiceCallMaker {
    let model: ProxyModel

    private static let anyQuery = "query: DataQuery? = nil"
    private static let given = "DataQuery.newIfNull(query: query)"

    private func place(_ set: ProxySet) -> String {
        "\(model.registry).\(set.space).\(set.member.code)"
    }

    private func entity(_ set: ProxySet) -> String {
        "return CastRequired<\(set.typeName)>.from(try result.requiredEntity())"
    }

    func many(_ set: ProxySet) -> ServiceCall {
        let type = ProxyType(shape: .entity(set.typeName), isCollection: true, isNullable: false)
        return ServiceCall(
            name: set.fetchName, parameters: ["matching \(Self.anyQuery)"],
            query: "\(Self.given).fromDefault(\(place(set)))", result: "[\(set.typeName)]",
            reading: "return " + values(type).array("try result.entityList()"),
            sentence: "The entities of `\(SwiftText.comment(set.name))` that a query asks for.")
    }

    func one(_ set: ProxySet) -> ServiceCall? {
        guard let name = set.fetchOneName else { return nil }
        return ServiceCall(
            name: name, parameters: ["matching query: DataQuery"],
            query: "query.fromDefault(\(place(set)))", result: set.typeName, reading: entity(set),
            sentence: "The one entity of `\(SwiftText.comment(set.name))` that a query asks for.")
    }

    func withKey(_ set: ProxySet) -> ServiceCall? {
        guard let name = set.fetchKeyName else { return nil }
        let key = set.key.map { "\($0.member.code): \($0.member.code)" }.joined(separator: ", ")
        return ServiceCall(
            name: name,
            parameters: set.key.map { "\($0.member.code): \($0.type.declared)" } + [Self.anyQuery],
            query: "\(Self.given).fromDefault(\(place(set)))"
                + ".withKey(\(set.typeName).key(\(key)))",
            result: set.typeName, reading: entity(set),
            sentence: "The entity of `\(SwiftText.comment(set.name))` with this key.")
    }

    func singleton(_ set: ProxySet) -> ServiceCall {
        ServiceCall(
            name: set.fetchName, parameters: ["matching \(Self.anyQuery)"],
            query: "\(Self.given).fromDefault(\(place(set)))", result: set.typeName,
            reading: entity(set), sentence: "The singleton `\(SwiftText.comment(set.name))`.")
    }

    func operation(_ operation: ProxyOperation) -> ServiceCall? {
        guard let name = operation.callName else { return nil }
        let method =
            "\(model.registry).\(operation.place.rawValue).\(operation.member.code)"
        let arguments = operation.parameters.reduce("ParameterList()") { code, parameter in
            let value = values(parameter.type).value(parameter.member.code)
            return code + ".with(name: \(SwiftText.literal(parameter.name)), value: \(value))"
        }
        let binding = operation.isBound ? ".bind(binding)" : ""
        let kind = operation.isAction ? "action" : "function"
        return ServiceCall(
            name: name,
            parameters: (operation.isBound ? ["in binding: any BindingPath"] : [])
                + operation.parameters.map { "\($0.member.code): \($0.type.declared)" }
                + [Self.anyQuery],
            query: "\(Self.given)\(binding).invoke(\(method), \(arguments))",
            result: operation.result?.declared, reading: reading(operation.result),
            isAction: operation.isAction,
            sentence: "Calls the \(kind) `\(SwiftText.comment(operation.name))`.",
            note: operation.note)
    }

    private func values(_ type: ProxyType) -> ValueCode {
        ValueCode(type: type, converters: model.converters)
    }

    private func reading(_ type: ProxyType?) -> String {
        guard let type else { return "_ = try result.checkedResult()" }
        let code = values(type)
        if type.isCollection {
            switch type.shape {
            case .entity: return "return " + code.array("try result.entityList()")
            case .complex: return "return " + code.array("try result.complexList()")
            case .untyped: return "return try result.basicList().toArray()"
            case .enumeration:
                return
                    "return try result.basicList().toArray().compactMap { \(code.optional("$0")) }"
            default: return "return try result.basicList().toArray().map { \(code.required("$0")) }"
            }
        }
        let kind: String
        switch type.shape {
        case .entity: kind = "Entity"
        case .complex: kind = "Complex"
        case .untyped: return "return try result.checkedResult()"
        default: kind = "Basic"
        }
        return type.isOptional
            ? "return " + code.optional("try result.optional\(kind)()")
            : "return " + code.required("try result.required\(kind)()")
    }
}
