import ODataModel
import ODataQuery
import ODataSyncPlan

/// What an entity or a draft says of its properties, by the names that the service has for them.
public struct Values: Sendable, Hashable {
    /// Where a link leads.
    private enum Target: Sendable, Hashable {
        case nothing
        case row(RowReference)
    }

    private var properties: [String: StoredValue] = [:]
    private var links: [String: Target] = [:]

    init() {}

    /// What an entity says of itself.
    init<E: Entity>(of entity: E) {
        entity.write(to: &self)
    }

    /// Says what a property is; nil is null.
    public mutating func set<Value: FieldValue>(_ property: String, _ value: Value) {
        properties[property] = value.storedValue
    }

    /// Says what a property is, and nothing for nil: drafts leave to the service what they do not know.
    public mutating func set<Value: FieldValue>(_ property: String, ifPresent value: Value?) {
        if let value { properties[property] = value.storedValue }
    }

    /// Says where a single-valued navigation property leads, as far as that is known.
    public mutating func set<E: Entity>(_ property: String, _ link: Link<E>) {
        if let ref = link.ref {
            links[property] = .row(ref.reference)
        } else if link.isLoaded {
            links[property] = Target.nothing
        }
    }

    /// What is different from before.
    func changes(since before: Values) -> Values {
        var result = Values()
        result.properties = properties.filter { before.properties[$0.key] != $0.value }
        result.links = links.filter { before.links[$0.key] != $0.value }
        return result
    }

    var isEmpty: Bool { properties.isEmpty && links.isEmpty }

    /// Links to make with the change.
    var binds: [RequestBody.Bind] {
        links.sorted { $0.key < $1.key }.compactMap { name, target in
            guard case .row(let row) = target else { return nil }
            return RequestBody.Bind(navigation: name, targets: [row])
        }
    }

    /// Navigation properties that lead nowhere from now on.
    var unbinds: [String] { links.filter { $0.value == .nothing }.keys.sorted() }

    /// Puts the properties into a value of the type.
    ///
    /// - Throws: `unknownName` for a property that the type does not have, `wrongType` for a value that does not fit.
    func apply(to structure: inout StructureValue, in graph: MetadataGraph) throws {
        let definition = graph[structure.type]
        for (name, value) in properties {
            guard let slot = definition.slot(named: name) else {
                throw ODataError(
                    .unknownName, "Expected a property of the type, found none of this name.",
                    at: definition.name + "/" + name)
            }
            guard let fitting = try Self.fitting(value, definition.properties[slot].type, graph)
            else {
                throw ODataError(
                    .wrongType, "Expected a value that fits the type of the property.",
                    at: definition.name + "/" + name)
            }
            structure.slots[slot] = fitting
        }
    }

    /// A value in the value space of a type: numbers widen, members of enumerations become their numbers.
    private static func fitting(
        _ value: StoredValue, _ type: TypeReference, _ graph: MetadataGraph
    ) throws -> ODataValue? {
        switch value.content {
        case .list(let items) where type.isCollection:
            var element = type
            element.isCollection = false
            let fitting = try items.compactMap { try Self.fitting($0, element, graph) }
            return fitting.count == items.count ? .list(fitting) : nil
        case .fields(let values) where !type.isCollection:
            guard let id = type.structure else { return nil }
            var structure = StructureValue(type: id, in: graph)
            try values.apply(to: &structure, in: graph)
            return .structure(structure)
        case .value(.scalar(let scalar)) where !type.isCollection:
            var written: PrimitiveType?
            if case .string = scalar { written = .string }
            return LiteralConversion(graph: graph)
                .scalar(.literal(scalar, written), as: type).map { .scalar($0) }
        default: return nil
        }
    }
}
