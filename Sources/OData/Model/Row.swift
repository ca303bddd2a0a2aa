import ODataModel
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan

/// What rows are read by: the metadata with its names at hand, shared by all rows of a result.
final class RowModel: Sendable {
    let graph: MetadataGraph
    private let slots: [[String: Int]]

    init(_ graph: MetadataGraph) {
        self.graph = graph
        slots = graph.structures.map(\.slotByName)
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
        let slot = try slot(of: property)
        guard let value = storage.value(slot: slot) else {
            throw ODataError(
                .notDownloaded, "Expected a property that was downloaded.", at: place(property))
        }
        do {
            return try Value.fieldValue(from: StoredValue(value, enumeration(of: slot)))
        } catch {
            throw ODataError(
                error.code, error.message, at: place(property), cause: error.cause)
        }
    }

    /// The entity that a navigation property leads to, as far as the query has asked for it.
    ///
    /// - Throws: `unknownName` for a property that the type does not have, and what reading the entity throws.
    public func link<E: Entity>(
        _ property: String, to type: E.Type = E.self
    ) throws(ODataError) -> Link<E> {
        guard let rows = try related(property) else { return Link() }
        guard let first = rows.first else { return Link(.none) }
        return Link(.loaded([try E(first)]))
    }

    /// The entities that a navigation property leads to, as far as the query has asked for them.
    ///
    /// - Throws: As ``link(_:to:)``.
    public func links<E: Entity>(
        _ property: String, to type: E.Type = E.self
    ) throws(ODataError) -> Links<E> {
        guard let rows = try related(property) else { return Links() }
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
