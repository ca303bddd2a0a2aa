import ODataModel
import ODataText

/// Collections and structures written as JSON (URL Conventions 4.01, section 5.1.1.14.2) against values: a structure
/// takes the type of what it is compared with.
extension ExpressionEvaluator {
    /// The value of an operand beside another one.
    func operand(_ expression: Expression, like other: ODataValue) throws -> ODataValue {
        var expression = expression
        if case .alias(let name) = expression, let value = aliases[name] { expression = value }
        guard case .json(let text) = expression else { return try value(expression) }
        return try typed(JSONValue(parsing: text), like: other)
    }

    private func typed(_ json: JSONValue, like other: ODataValue) throws -> ODataValue {
        switch (json, other) {
        case (.object(let object), .structure(let sample)):
            return .structure(try structure(object, sample.type))
        case (.array(let items), .list(let samples)):
            let sample = samples.first { !$0.isNull } ?? .null
            return .list(try items.map { try typed($0, like: sample) })
        default: return Self.value(of: json)
        }
    }

    private func structure(_ object: JSONObject, _ type: StructureID) throws -> StructureValue {
        var result = StructureValue(type: type, in: graph)
        for member in object.members where !member.name.contains("@") {
            guard let slot = graph[type].slot(named: member.name) else {
                guard graph[type].isOpen else {
                    throw ODataError(
                        .unknownName,
                        "Expected a property of \(graph[type].qualifiedName), found \(member.name).",
                        at: .path(member.name))
                }
                result.dynamicValues[member.name] = Self.value(of: member.value)
                continue
            }
            result.slots[slot] = try value(member.value, graph[type].properties[slot].type)
        }
        return result
    }

    private func value(_ json: JSONValue, _ type: TypeReference) throws -> ODataValue {
        if let items = json.array, type.isCollection {
            var member = type
            member.isCollection = false
            return .list(try items.map { try value($0, member) })
        }
        if let object = json.object, let id = type.structure {
            return .structure(try structure(object, id))
        }
        let found = Self.value(of: json)
        guard let scalar = found.scalar,
            let typed = LiteralConversion(graph: graph).scalar(.literal(scalar, nil), as: type)
        else { return found }
        return .scalar(typed)
    }

    /// Whether values are equal, numbers whatever their type; what is not there is null.
    static func areSame(_ first: ODataValue, _ second: ODataValue) -> Bool {
        switch (first, second) {
        case (.scalar(let a), .scalar(let b)):
            return a == .null || b == .null ? a == b : compare(.eq, a, b)
        case (.list(let a), .list(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { areSame($0, $1) }
        case (.structure(let a), .structure(let b)):
            let count = max(a.slots.count, b.slots.count)
            let names = Set(a.dynamicValues.keys).union(b.dynamicValues.keys)
            return a.type == b.type
                && (0..<count).allSatisfy { areSame(slot($0, of: a), slot($0, of: b)) }
                && names.allSatisfy {
                    areSame(a.dynamicValues[$0] ?? .null, b.dynamicValues[$0] ?? .null)
                }
        default: return false
        }
    }

    private static func slot(_ slot: Int, of value: StructureValue) -> ODataValue {
        slot < value.slots.count ? value.slots[slot] ?? .null : .null
    }
}
