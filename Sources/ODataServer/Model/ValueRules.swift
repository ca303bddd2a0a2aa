import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// What the document says of values that a request leaves out (Protocol 4.01, section 11.4.2).
struct ValueRules {
    let graph: MetadataGraph

    /// Whether the client could have given what is missing.
    enum Strictness {
        /// A property that is neither nullable nor has a default has to be given.
        case strict
        /// The request is of another form: what has to be there becomes zero, empty or now.
        case lenient
        /// The row is one of those that a database begins with: the owner gives even what clients may not set.
        case seed
    }

    /// The value with every property that it leaves out at its default.
    ///
    /// - Parameter given: paths whose values come from elsewhere, such as a link.
    /// - Throws: 400 for a property without a value that may not be null and has no default.
    func completed(
        _ value: StructureValue, given: Set<String> = [], _ strictness: Strictness,
        path: String = "", depth: Int = 0
    ) throws -> StructureValue {
        var result = value
        let type = graph[value.type]
        guard depth < 16 else { return result }
        let keys = path.isEmpty ? Set(type.key.map(\.path)) : []
        for (slot, property) in type.properties.enumerated() where !property.isNavigation {
            let name = path + property.name
            switch result.slots[slot] {
            case .structure(let inner)?:
                result.slots[slot] = .structure(
                    try completed(inner, strictness, path: name + "/", depth: depth + 1))
            case .list(let members)?:
                result.slots[slot] = .list(
                    try members.map { member in
                        guard case .structure(let inner) = member else { return member }
                        return .structure(
                            try completed(inner, strictness, path: name + "/", depth: depth + 1))
                    })
            case .scalar?: continue
            case nil:
                guard property.type.primitive != .stream, !given.contains(name),
                    !keys.contains(name)
                else { continue }
                result.slots[slot] = try missing(property, name, strictness, depth: depth)
            }
        }
        return result
    }

    private func missing(
        _ property: PropertyDefinition, _ name: String, _ strictness: Strictness, depth: Int
    ) throws -> ODataValue {
        if property.type.isCollection { return .list([]) }
        if let value = defaultValue(of: property) { return .scalar(value) }
        if property.type.isNullable { return .null }
        guard strictness != .strict || property.isMadeWhereMissing else {
            throw ODataError(
                .invalidPayload, "Expected a value for every property that is not nullable.",
                at: .path(name), status: 400)
        }
        if case .structure(let id) = property.type.kind {
            return .structure(
                try completed(
                    StructureValue(type: id, in: graph), .lenient, path: name + "/",
                    depth: depth + 1))
        }
        return .scalar(Self.zero(of: property.type))
    }

    /// The default that the document states; nil for none, and for one that is no value of the type.
    func defaultValue(of property: PropertyDefinition) -> Scalar? {
        guard let text = property.defaultValue, !property.type.isCollection else { return nil }
        switch property.type.kind {
        case .primitive(.boolean) where text == "0" || text == "1": return .boolean(text == "1")
        case .primitive(let type): return Lexical.scalar(text, as: type)
        case .enumeration(let id):
            return (graph[id].value(of: text) ?? Int64(text)).map { .integer($0) }
        case .structure: return nil
        }
    }

    /// Zero, empty, false, or the beginning of time.
    static func zero(of type: TypeReference) -> Scalar {
        guard let primitive = type.primitive else { return .integer(0) }
        switch primitive {
        case .boolean: return .boolean(false)
        case .string: return .string("")
        case .binary: return .binary([])
        case .double, .single: return .double(0)
        case .guid: return .guid(Guid(high: 0, low: 0))
        case .decimal: return .decimal(DecimalNumber(0))
        case .date: return Lexical.scalar("0001-01-01", as: .date) ?? .null
        case .timeOfDay: return Lexical.scalar("00:00:00", as: .timeOfDay) ?? .null
        case .dateTimeOffset:
            return Lexical.scalar("0001-01-01T00:00:00Z", as: .dateTimeOffset) ?? .null
        case .duration: return Lexical.scalar("PT0S", as: .duration) ?? .null
        default: return primitive.isInteger ? .integer(0) : .null
        }
    }

    /// What rows get for a property that the document has gained; nil where it wants a value.
    func initialSQL(of column: ODataSQL.ColumnMapping) -> String? {
        if column.type.isCollection { return "'[]'" }
        guard column.slots.count == 1, column.encoding != .presence else { return "NULL" }
        let property = graph[column.owner].properties[column.slots[0]]
        if let value = defaultValue(of: property), column.storedCount == 1,
            let stored = try? column.encoding.arguments(for: value).first
        {
            switch stored {
            case .integer(let number): return String(number)
            case .real(let number): return String(number)
            case .text(let text): return SQLName.constant(text)
            default: break
            }
        }
        return property.type.isNullable ? "NULL" : nil
    }
}
