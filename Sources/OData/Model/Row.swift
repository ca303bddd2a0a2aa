import ODataModel
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan

/// What rows are read by, shared by all rows of a result: the metadata with its names at hand, and what of the service is here.
final class RowModel: Sendable {
    let graph: MetadataGraph
    private let slots: [[String: Int]]
    /// Sets that have been downloaded.
    private let sets: Set<String>
    /// Navigation properties, as `Type/Property` with the type that a download asked for, that downloads bring entities along.
    private let links: Set<String>

    init(_ graph: MetadataGraph, sets: Set<String> = [], links: Set<String> = []) {
        self.graph = graph
        self.sets = sets
        self.links = links
        slots = graph.structures.map(\.slotByName)
    }

    /// Whether a collection without entities, of a row of the type, is known to have none.
    func knows(_ property: String, of type: StructureID, to set: String) -> Bool {
        guard !sets.contains(set) else { return true }
        // What a download has brought for a type it has brought for those derived from it.
        var next: StructureID? = links.isEmpty ? nil : type
        while let id = next {
            if links.contains(graph[id].name + "/" + property) { return true }
            next = graph[id].baseID
        }
        return false
    }

    /// Whether rows of a type are what an entity type of Swift stands for.
    func isType<E: Entity>(_ type: StructureID, of entity: E.Type) -> Bool {
        guard let name = E.typeName else { return true }
        return graph.structure(named: name).map { graph.isA(type, $0) } ?? false
    }

    /// The type that a new entity has.
    ///
    /// - Throws: `unknownName` for a set or type that the service does not have.
    func type<E: Entity>(ofNew entity: E.Type) throws(ODataError) -> StructureID {
        if let name = E.typeName {
            guard let id = graph.structure(named: name) else {
                throw ODataError(
                    .unknownName, "Expected a type of the service, found none of this name.",
                    at: name)
            }
            return id
        }
        guard let type = graph.declaredType(ofTable: E.entitySet) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found none of this name.",
                at: E.entitySet)
        }
        return type
    }

    func slot(of name: String, in type: StructureID) -> Int? {
        slots.indices.contains(type.index) ? slots[type.index][name] : nil
    }
}

/// A row of the store as the initialiser of an ``Entity`` reads it: property by property, by the names that the service has
/// for them.
public struct Row: Sendable {
    private let storage: StructureStorage
    private let id: Int64
    private let model: RowModel
    /// What is known of the row beside its properties.
    public let info: RowInfo

    /// A row of a result.
    init(_ chunk: SQLiteRowChunk, _ row: Int, _ model: RowModel) {
        storage = .chunk(chunk, row: row)
        id = chunk.localID(row: row) ?? 0
        self.model = model
        info = RowInfo(RowFlags(chunk.state(row: row)), entityTag: chunk.etag(row: row))
    }

    /// A row by its values.
    init(_ values: StructureValue, id: Int64, _ flags: RowFlags, _ model: RowModel) {
        storage = .value(values)
        self.id = id
        self.model = model
        info = RowInfo(flags, entityTag: values.control.etag)
    }

    /// Which entity the row is.
    public func ref<E: Entity>(as type: E.Type = E.self) -> Ref<E> { Ref(row: id) }

    /// The value of a property.
    ///
    /// - Throws: `unknownName` for a property that the type does not have, `notDownloaded` for one that the row does not
    ///   hold, `unexpectedNull` and `wrongType` where the type of Swift does not take the value.
    public func value<Value: FieldValue>(
        _ property: String, as type: Value.Type = Value.self
    ) throws(ODataError) -> Value {
        let stored = try stored(property)
        do {
            return try Value.fieldValue(from: stored)
        } catch {
            throw ODataError(
                error.code, error.message, at: place(property), cause: error.cause)
        }
    }

    private func stored(_ property: String) throws(ODataError) -> StoredValue {
        let slot = try slot(of: property)
        guard let value = storage.value(slot: slot) else {
            throw ODataError(
                .notDownloaded, "Expected a property that was downloaded.", at: place(property))
        }
        return StoredValue(value, enumeration(of: slot), model)
    }

    /// The value at the end of a way over complex properties and links that are expanded; null where the way ends before.
    ///
    /// - Throws: `notLoaded` for a link that leads to what is not here, otherwise as ``value(_:as:)``.
    func value<Value: FieldValue>(at path: ArraySlice<String>) throws(ODataError) -> Value {
        guard let name = path.first, path.count > 1 else { return try value(path.first ?? "") }
        let rest = path.dropFirst()
        let slot = try slot(of: name)
        guard model.graph[storage.type].properties[slot].isNavigation else {
            let inner = try stored(name)
            return inner.isNull
                ? try Value.fieldValue(from: .null) : try inner.row().value(at: rest)
        }
        if let first = try related(name)?.first { return try first.value(at: rest) }
        guard try related(name) != nil, try !namesAnother(name) else {
            throw ODataError(
                .notLoaded, "Expected a related entity that was downloaded.", at: place(name))
        }
        return try Value.fieldValue(from: .null)
    }

    /// What a row of an open type has beside its declared properties; nothing for other types.
    public var dynamic: DynamicProperties {
        guard model.graph[storage.type].isOpen else { return DynamicProperties() }
        return DynamicProperties(storage.structureValue.dynamicValues, model)
    }

    /// The qualified name of the row's type, which may be derived from that of its set.
    public var typeName: String { model.graph[storage.type].qualifiedName }

    /// The entity that a navigation property leads to, as far as the query has asked for it. One that is named by a foreign
    /// key and is not in the store counts as not loaded.
    ///
    /// - Throws: `unknownName` for a property that the type does not have, and what reading the entity throws.
    public func link<E: Entity>(
        _ property: String, to type: E.Type = E.self
    ) throws(ODataError) -> Link<E> {
        guard let rows = try related(property) else { return Link() }
        if let first = rows.first { return Link(.loaded([try E(first)])) }
        return try namesAnother(property) ? Link() : Link(.none)
    }

    /// Whether the foreign key of a navigation property says that there is an entity, which is not here.
    private func namesAnother(_ property: String) throws(ODataError) -> Bool {
        let definition = model.graph[storage.type].properties[try slot(of: property)]
        guard let constraints = definition.navigation?.referentialConstraints, !constraints.isEmpty
        else { return false }
        return constraints.allSatisfy { constraint in
            guard let slot = model.slot(of: constraint.property, in: storage.type) else {
                return false
            }
            return storage.value(slot: slot)?.isNull == false
        }
    }

    /// The entities that a navigation property leads to, as far as the query has asked for them. None, where no download
    /// brings any, counts as not loaded.
    ///
    /// - Throws: As ``link(_:to:)``.
    public func links<E: Entity>(
        _ property: String, to type: E.Type = E.self
    ) throws(ODataError) -> Links<E> {
        guard let rows = try related(property),
            !rows.isEmpty || id < 0 || model.knows(property, of: storage.type, to: E.entitySet)
        else { return Links() }
        var entities: [E] = []
        for row in rows { entities.append(try E(row)) }
        return Links(entities)
    }

    /// Nil where the query did not ask for them.
    private func related(_ property: String) throws(ODataError) -> [Row]? {
        let slot = try slot(of: property)
        guard let related = storage.related(slot: slot),
            let chunk = related.chunk as? SQLiteRowChunk
        else { return nil }
        return related.rows.map { Row(chunk, $0, model) }
    }

    private func slot(of property: String) throws(ODataError) -> Int {
        guard let slot = model.slot(of: property, in: storage.type) else {
            throw ODataError(
                .unknownName, "Expected a property of the type, found none of this name.",
                at: place(property))
        }
        return slot
    }

    /// Whether the type is one of media entities.
    var hasContent: Bool { model.graph[storage.type].hasStream }

    func isStream(_ property: String) throws(ODataError) -> Bool {
        let type = model.graph[storage.type].properties[try slot(of: property)].type
        return type.primitive == .stream && !type.isCollection
    }

    private func enumeration(of slot: Int) -> EnumerationDefinition? {
        model.graph[storage.type].properties[slot].type.enumeration.map { model.graph[$0] }
    }

    private func place(_ property: String) -> String {
        model.graph[storage.type].name + "/" + property
    }
}

extension RowInfo {
    init(_ flags: RowFlags, entityTag: String?) {
        isLocal = flags.contains(.isLocal)
        isPending = flags.contains(.hasPendingChanges)
        isRefused = flags.contains(.inErrorState)
        self.entityTag = entityTag
    }
}
