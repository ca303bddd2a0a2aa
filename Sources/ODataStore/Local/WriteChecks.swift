import ODataModel
import ODataSQL
import ODataText

/// Refuses values that the metadata does not allow, before anything is written.
struct WriteChecks {
    let graph: MetadataGraph
    private static let maximumDepth = 32

    /// - Parameter isComplete: every property that must have a value has to be there (a creation).
    /// - Throws: `invalidValue` or `unknownName`, naming the property, never its value.
    func check(
        _ value: StructureValue, table: TableMapping, isComplete: Bool
    ) throws {
        guard value.type.index < graph.structures.count, graph.isA(value.type, table.structure)
        else {
            throw ODataError(
                .invalidValue,
                "Expected an entity of type \(graph[table.structure].qualifiedName).",
                at: .path(table.path))
        }
        guard !graph[value.type].isAbstract || !isComplete else {
            throw ODataError(
                .invalidValue, "Expected an entity of a type that is not abstract.",
                at: .path(graph[value.type].qualifiedName))
        }
        let keys = table.keyColumns.map { table.columns[$0].slots.first }
        try check(
            value, path: { table.path }, isComplete: isComplete, exempt: { keys.contains($0) },
            depth: 0)
    }

    // Places are made when something is wrong with them.
    private func check(
        _ value: StructureValue, path: () -> String, isComplete: Bool, exempt: (Int) -> Bool,
        depth: Int
    ) throws {
        let definition = graph[value.type]
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels.", at: .path(path()))
        }
        guard value.slots.count == definition.properties.count else {
            throw ODataError(
                .invalidValue, "Expected the properties of \(definition.qualifiedName).",
                at: .path(path()))
        }
        guard value.dynamicValues.isEmpty || definition.isOpen else {
            throw ODataError(
                .unknownName, "Expected declared properties, found others.", at: .path(path()))
        }
        let properties = definition.properties
        for slot in properties.indices where isComplete || value.slots[slot] != nil {
            guard !properties[slot].isNavigation else { continue }
            func place() -> String { path() + "/" + properties[slot].name }
            guard let slotValue = value.slots[slot] else {
                guard Self.isRequired(properties[slot]), !exempt(slot) else { continue }
                throw ODataError(
                    .invalidValue, "Expected a value for a required property, found none.",
                    at: .path(place()))
            }
            try check(slotValue, properties[slot].type, place, exempt: exempt(slot), depth: depth)
        }
    }

    private static func isRequired(_ property: PropertyDefinition) -> Bool {
        !property.type.isNullable && !property.type.isCollection
            && property.type.primitive != .stream && property.defaultValue == nil
            && !property.isMadeByService && !property.hasComputedDefault
    }

    private func check(
        _ value: ODataValue, _ type: TypeReference, _ path: () -> String, exempt: Bool, depth: Int
    ) throws {
        if type.isCollection {
            guard case .list(let items) = value else { throw mismatch("a collection", path()) }
            var element = type
            element.isCollection = false
            for item in items { try check(item, element, path, exempt: true, depth: depth + 1) }
            return
        }
        if value.isNull {
            guard type.isNullable || exempt else {
                throw mismatch("a value that is not null", path())
            }
            return
        }
        switch (type.kind, value) {
        case (.structure(let id), .structure(let structure)):
            guard graph.isA(structure.type, id) else {
                throw mismatch("a value of \(graph[id].qualifiedName)", path())
            }
            try check(
                structure, path: path, isComplete: false, exempt: { _ in false }, depth: depth + 1)
        case (.enumeration, .scalar(.integer)): break
        case (.primitive(let primitive), .scalar(let scalar)):
            try check(scalar, primitive, type.facets, path)
        default: throw mismatch("a value of the declared kind", path())
        }
    }

    private func check(
        _ scalar: Scalar, _ type: PrimitiveType, _ facets: TypeFacetValues, _ path: () -> String
    ) throws {
        let fits =
            switch (type, scalar) {
            case (.untyped, _), (.stream, _): true
            case (.boolean, .boolean): true
            case (.byte, .integer(let value)): (0...255).contains(value)
            case (.sbyte, .integer(let value)): (-128...127).contains(value)
            case (.int16, .integer(let value)): Int16(exactly: value) != nil
            case (.int32, .integer(let value)): Int32(exactly: value) != nil
            case (.int64, .integer): true
            case (.double, .double), (.single, .double): true
            case (.double, .integer), (.single, .integer): true
            case (.decimal, .decimal), (.decimal, .integer): true
            case (.string, .string), (.binary, .binary), (.guid, .guid): true
            case (.date, .date), (.timeOfDay, .timeOfDay), (.time, .timeOfDay): true
            case (.dateTimeOffset, .dateTimeOffset), (.dateTime, .dateTime): true
            case (.duration, .duration): true
            case (_, .geo): type.isGeospatial
            default: false
            }
        guard fits else { throw mismatch("a value of Edm.\(type.name)", path()) }
        guard let limit = facets.maxLength, limit != Int.max else { return }
        switch scalar {
        case .string(let text) where text.unicodeScalars.count > limit:
            throw mismatch("at most \(limit) characters", path())
        case .binary(let bytes) where bytes.count > limit:
            throw mismatch("at most \(limit) bytes", path())
        default: break
        }
    }

    private func mismatch(_ expected: String, _ path: String) -> ODataError {
        ODataError(.invalidValue, "Expected \(expected).", at: .path(path))
    }
}
