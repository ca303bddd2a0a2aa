import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataTransport
import ODataWire

/// Makes results of the answers of a service (JSON Format 4.01; V2 JSON; Atom where a service answers with it).
struct OnlineReader {
    let model: MetadataModel
    let dialect: Dialect
    /// The absolute service root, ending in `/`.
    let root: String
    var checks = ResultChecks()
    /// The query makes properties that no type declares.
    var keepsComputed = false

    private var json: EntityJSONReader {
        var reader = EntityJSONReader(model.graph, dialect: dialect)
        reader.keepsComputed = keepsComputed
        return reader
    }
    private var atom: AtomReader { AtomReader(model.graph) }

    private func isXML(_ answer: ResponseMessage) -> Bool {
        answer.headers["Content-Type"].flatMap { MediaType(parsing: $0) }?.isXML ?? false
    }

    /// The first page of a collection as a list.
    func list(_ answer: ResponseMessage, _ resource: ResolvedResource) throws -> EntityValueList {
        let list = EntityValueList()
        try append(answer, resource, to: list)
        return list
    }

    /// Adds a page to a list; links and count of the page become those of the list.
    func append(
        _ answer: ResponseMessage, _ resource: ResolvedResource, to list: EntityValueList
    ) throws {
        guard let type = resource.structure else { throw unreadable("a collection of entities") }
        list.itemTypeObject = model[type] as? EntityType
        guard !answer.body.isEmpty else { return }
        if resource.form == .reference {
            let found =
                try isXML(answer)
                ? atom.references(answer.body) : json.references(answer.body)
            list.append(contentsOf: found.ids.map { reference($0, type, resource.targetSet) })
            list.isReference = true
            list.nextLink = found.nextLink.map(relative)
            return
        }
        var page =
            try isXML(answer)
            ? atom.page(answer.body, of: type, in: resource.targetSet)
            : json.page(answer.body, of: type, in: resource.targetSet)
        if checks.hasWork {
            for position in page.items.indices {
                guard case .entity(var value, let set) = page.items[position] else { continue }
                try checks.apply(to: &value, in: model.graph)
                page.items[position] = .entity(value, set)
            }
        }
        let hasOthers = page.items.contains { if case .entity = $0 { false } else { true } }
        if hasOthers {
            list.append(contentsOf: page.items.compactMap { entity($0, resource) })
            list.changedLinks.append(contentsOf: page.items.compactMap { link($0, resource) })
        } else {
            let chunk = PageRows(page.entities)
            let rows = EntityValueList.rows(
                chunk, 0..<chunk.count, in: model, set: resource.targetSet.map { model[$0] })
            list.append(contentsOf: rows.toArray())
        }
        list.totalCount = page.count ?? list.totalCount
        list.nextLink = page.nextLink.map(relative)
        list.deltaLink = page.deltaLink.map(relative) ?? list.deltaLink
    }

    /// One entity; nil for an answer without content.
    func entity(_ answer: ResponseMessage, _ resource: ResolvedResource) throws -> EntityValue? {
        guard let type = resource.structure else { throw unreadable("an entity") }
        guard !answer.body.isEmpty, answer.status != 204 else { return nil }
        if resource.form == .reference {
            return reference(try json.reference(answer.body), type, resource.targetSet)
        }
        let value = try structure(answer, type, resource.targetSet)
        return make(value, resource.targetSet)
    }

    /// The values of one entity, its tag taken from the headers where the body has none.
    func structure(
        _ answer: ResponseMessage, _ type: StructureID, _ set: EntitySetID?
    ) throws -> StructureValue {
        var value =
            try isXML(answer)
            ? atom.entity(answer.body, of: type, in: set)
            : json.entity(answer.body, of: type, in: set)
        if value.control.etag == nil { value.control.etag = answer.headers["ETag"] }
        try checks.apply(to: &value, in: model.graph)
        return value
    }

    /// The value of a property, or what an operation returned.
    func value(_ answer: ResponseMessage, _ resource: ResolvedResource) throws -> DataValue? {
        guard let type = resource.type, answer.status != 204, !answer.body.isEmpty else {
            return nil
        }
        guard resource.form != .rawValue else { return try raw(answer, type) }
        let value =
            try isXML(answer)
            ? atom.property(answer.body, as: type) : json.property(answer.body, as: type)
        return DataValue.of(value, type, in: model)
    }

    /// The number that `/$count` answers with.
    func count(_ answer: ResponseMessage) throws -> DataValue {
        let text = String(decoding: answer.body, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"]))
        guard let number = Int64(text) else { throw unreadable("a number") }
        return LongValue(number)
    }

    /// What `/$value` answers with.
    private func raw(_ answer: ResponseMessage, _ type: TypeReference) throws -> DataValue? {
        if type.primitive == .binary { return BinaryValue(Data(answer.body)) }
        let text = String(decoding: answer.body, as: UTF8.self)
        guard let primitive = type.primitive else { return StringValue(text) }
        return DataValue.of(.scalar(try Lexical.parse(text, as: primitive)), type, in: model)
    }

    // MARK: Entities

    private func make(_ value: StructureValue, _ set: EntitySetID?) -> EntityValue {
        EntityValueList.rows(PageRows([value]), 0..<1, in: model, set: set.map { model[$0] })[0]
    }

    private func entity(_ item: EntityPageItem, _ resource: ResolvedResource) -> EntityValue? {
        switch item {
        case .entity(let value, let set): return make(value, set ?? resource.targetSet)
        case .removed(let removed):
            let entity: EntityValue
            switch removed.reference {
            case .key(let value): entity = make(value, removed.set ?? resource.targetSet)
            case .id(let id):
                guard let type = resource.structure else { return nil }
                entity = reference(id, type, removed.set ?? resource.targetSet)
            }
            entity.isDeleted = true
            return entity
        case .link, .deletedLink: return nil
        }
    }

    /// A relationship that a delta says began or ended, between entities of which it knows the names only.
    private func link(_ item: EntityPageItem, _ resource: ResolvedResource) -> ChangedLink? {
        let change: LinkChange
        let isDeleted: Bool
        switch item {
        case .link(let found): (change, isDeleted) = (found, false)
        case .deletedLink(let found): (change, isDeleted) = (found, true)
        case .entity, .removed: return nil
        }
        guard let type = resource.structure else { return nil }
        let set = change.set ?? resource.targetSet
        let sourceType = set.map { model.graph[$0].type } ?? type
        guard let property = model[sourceType].property(named: change.relationship),
            let targetType = property.definition.type.structure
        else { return nil }
        let targetSet = set.flatMap { model.graph.targetSet(of: property.slot, in: $0) }
        let link = ChangedLink(
            source: named(change.source, sourceType, set), sourceProperty: property,
            target: named(change.target, targetType, targetSet))
        (link.isCreated, link.isDeleted) = (!isDeleted, isDeleted)
        return link
    }

    private func named(
        _ name: EntityReference, _ type: StructureID, _ set: EntitySetID?
    ) -> EntityValue {
        switch name {
        case .id(let id): return reference(id, type, set)
        case .key(let value):
            let entity = make(value, set)
            entity.isReference = true
            return entity
        }
    }

    private func reference(
        _ id: String, _ type: StructureID, _ set: EntitySetID?
    ) -> EntityValue {
        var value = StructureValue(type: type, in: model.graph)
        value.control.id = id
        setKey(of: &value, from: id)
        let entity = make(value, set)
        entity.isReference = true
        return entity
    }

    /// Sets the key properties that an entity-id or location names, where it is a URL of this service.
    func setKey(of value: inout StructureValue, from url: String) {
        guard
            let query = try? URLParser.parse(
                relative(url), graph: model.graph, dialect: dialect),
            let resource = try? ResourceResolver.resolve(query.path, in: model.graph),
            let key = resource.key, resource.steps.isEmpty
        else { return }
        let definition = model.graph[value.type]
        guard key.count == definition.key.count else { return }
        for (part, scalar) in zip(definition.key, key) {
            guard let slot = definition.slot(named: part.path) else { continue }
            value.setSlot(slot, .scalar(scalar))
        }
    }

    private func relative(_ url: String) -> String { ServiceURL.relative(url, root: root) }

    private func unreadable(_ what: String) -> ODataError {
        ODataError(.invalidPayload, "Expected \(what) in the answer, found something else.")
    }
}

/// The entities of one answer as rows that entity values share until their first write.
private final class PageRows: RowChunk {
    private let rows: [StructureValue]

    init(_ rows: [StructureValue]) { self.rows = rows }

    var count: Int { rows.count }

    func type(row: Int) -> StructureID { rows[row].type }

    func value(row: Int, slot: Int) -> ODataValue? {
        rows[row].slots.indices.contains(slot) ? rows[row].slots[slot] : nil
    }

    func isSet(row: Int, slot: Int) -> Bool { value(row: row, slot: slot) != nil }

    func control(row: Int) -> ControlInformation { rows[row].control }

    func structureValue(row: Int) -> StructureValue { rows[row] }

    func localID(row: Int) -> Int64? { nil }
}
