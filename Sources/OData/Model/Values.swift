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
    /// What no type declares.
    private var dynamic: [String: StoredValue] = [:]
    /// Entities that come to be with this one.
    private var children: [String: [Child]] = [:]

    /// A new entity inside another.
    private struct Child: Sendable, Hashable {
        let set: String
        let type: String?
        let values: Values
    }

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

    /// Says what an entity of an open type has beside its declared properties; names that are no longer there go.
    public mutating func set(dynamic properties: DynamicProperties) {
        dynamic = properties.values.mapValues(\.stored)
    }

    /// Says which new entities come with a new one, in one request (Protocol 4.01, section 11.4.2.2). Of use in drafts only:
    /// what an existing entity says is not looked at.
    public mutating func insert<D: EntityDraft>(_ property: String, _ drafts: [D]) {
        children[property] = drafts.map { draft in
            var values = Values()
            draft.write(to: &values)
            return Child(set: D.Target.entitySet, type: D.Target.typeName, values: values)
        }
    }

    /// Says which new entity a single-valued navigation property of a new one leads to; nothing for nil.
    public mutating func insert<D: EntityDraft>(_ property: String, _ draft: D?) {
        if let draft { insert(property, [draft]) }
    }

    /// What is different from before.
    func changes(since before: Values) -> Values {
        var result = Values()
        result.dynamic = dynamic.filter { before.dynamic[$0.key] != $0.value }
        for name in before.dynamic.keys where dynamic[name] == nil { result.dynamic[name] = .null }
        result.properties = properties.filter { before.properties[$0.key] != $0.value }
        result.links = links.filter { before.links[$0.key] != $0.value }
        return result
    }

    var isEmpty: Bool { properties.isEmpty && links.isEmpty && dynamic.isEmpty }

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
        for (name, value) in dynamic {
            guard definition.isOpen, let value = value.undeclared else {
                throw ODataError(
                    .wrongType,
                    "Expected a plain value or a list of such for a property that is not declared.",
                    at: definition.name + "/" + name)
            }
            structure.dynamicValues[name] = value
        }
    }

    /// Puts the new entities inside into a value of the type; see ``insert(_:_:)``.
    ///
    /// - Throws: As ``apply(to:in:)``; `notImplemented` for a link of an entity inside.
    func applyChildren(to structure: inout StructureValue, in graph: MetadataGraph) throws {
        let definition = graph[structure.type]
        for (name, children) in children {
            let place = definition.name + "/" + name
            guard let slot = definition.slot(named: name),
                let declared = definition.properties[slot]
                    .type.structure, definition.properties[slot].isNavigation
            else {
                throw ODataError(
                    .unknownName, "Expected a navigation property of the type, found none.",
                    at: place)
            }
            guard definition.properties[slot].type.isCollection || children.count <= 1 else {
                throw ODataError(
                    .wrongType, "Expected one new entity for a link to one, found several.",
                    at: place)
            }
            let entities = try children.map { child in
                try child.values.inner(declared, child.type, in: graph, at: place)
            }
            structure.slots[slot] =
                definition.properties[slot].type.isCollection
                ? .list(entities.map { .structure($0) })
                : entities.first.map { .structure($0) }
        }
    }

    private func inner(
        _ declared: StructureID, _ name: String?, in graph: MetadataGraph, at place: String
    ) throws -> StructureValue {
        guard links.isEmpty else {
            throw ODataError(
                .notImplemented,
                "Expected an entity inside another without links: make it by an insertion of its own.",
                at: place)
        }
        guard let type = name.map({ graph.structure(named: $0) }) ?? declared else {
            throw ODataError(
                .unknownName, "Expected a type of the service, found none of this name.", at: name)
        }
        var structure = StructureValue(type: type, in: graph)
        try apply(to: &structure, in: graph)
        try applyChildren(to: &structure, in: graph)
        return structure
    }

    /// The values of the parameters that these properties name, for a call of an operation.
    ///
    /// - Throws: `unknownName` for a name that is no parameter, `wrongType` for a value that does not fit one, `notImplemented`
    ///   for a list or a complex value that would stand in a URL.
    func arguments(
        of operation: OperationDefinition, in graph: MetadataGraph
    ) throws -> [OperationCall.Argument] {
        let parameters = operation.ownParameters
        let known = Set(parameters.map(\.name))
        if let other = names.first(where: { !known.contains($0) }) {
            throw ODataError(
                .unknownName, "Expected a parameter of the operation, found none of this name.",
                at: operation.name + "/" + other)
        }
        let standsInURL = operation.hasParametersInURL(in: graph.version)
        return try parameters.compactMap { parameter in
            guard let value = properties[parameter.name] else { return nil }
            let place = operation.name + "/" + parameter.name
            guard !standsInURL || !value.isWhole else {
                throw ODataError(
                    .notImplemented,
                    "Expected a single value for a parameter that stands in the URL.", at: place)
            }
            guard let fitting = try Self.fitting(value, parameter.type, graph) else {
                throw ODataError(
                    .wrongType, "Expected a value that fits the type of the parameter.", at: place)
            }
            return OperationCall.Argument(
                name: parameter.name, value: fitting, expression: value.literal)
        }
    }

    /// The names of the properties, in order.
    var names: [String] { properties.keys.sorted() }

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
