import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Turns what an app did to entity objects into changes of the store, and brings the objects to the stored state.
struct EntityWrites {
    let store: LocalStore
    let document: CSDLDocument
    var rules = LocalRules()

    // MARK: Rows

    /// The row of an entity that is in the store, found by its row id, its link or its key.
    ///
    /// - Throws: `notFound` when there is none, `usage` when the entity does not say which it is.
    func row(of entity: EntityValue) throws -> RowReference {
        let set = try entitySet(of: entity)
        if let id = entity.localID { return RowReference(table: set.localName, id: id) }
        if let link = entity.control.readLink ?? entity.control.editLink,
            let row = try store.row(link: link)
        {
            return row
        }
        let key = entity.keyScalars
        guard !key.contains(where: { $0 == nil || $0 == .null }) else {
            throw ODataError(
                .usage, "Expected an entity with a key or a link.", at: .path(set.localName))
        }
        guard let row = try store.row(in: set.localName, key: key.compactMap { $0 }) else {
            throw ODataError(
                .notFound, "Expected an entity with this key, found none.",
                at: .path(set.localName), status: 404)
        }
        return row
    }

    /// The set of the entity, named by the app or the only one of its type.
    func entitySet(of entity: EntityValue) throws -> EntitySet {
        let set = entity.entitySet
        guard set !== EntitySet.undefined, let known = document.entitySet(named: set.localName)
        else {
            throw ODataError(
                .invalidValue,
                "Expected an entity whose set is named, or whose type has only one set.",
                at: .path(entity.entityType.qualifiedName), status: 400)
        }
        return known
    }

    // MARK: Changes

    /// The creation in the entity's set, or in the collection of the parent that it names.
    func create(_ entity: EntityValue) throws -> LocalWrite {
        if let parent = entity.parentEntity, let property = entity.parentProperty {
            return try createRelated(entity, in: parent, property)
        }
        let set = try entitySet(of: entity)
        return .create(
            table: set.localName,
            value: try rules.applied(to: try values(of: entity), in: document.graph),
            binds: try binds(of: entity))
    }

    func createRelated(
        _ entity: EntityValue, in parent: EntityValue, _ property: Property
    ) throws -> LocalWrite {
        .createRelated(
            parent: try row(of: parent), navigation: property.name,
            value: try rules.applied(to: try values(of: entity), in: document.graph),
            binds: try binds(of: entity))
    }

    /// The update of what changed since the entity was loaded; with replacement, of everything that is set.
    func update(_ entity: EntityValue, mode: UpdateMode) throws -> LocalWrite {
        let row = try row(of: entity)
        var changes = entity.structureValue
        let changed = Set(entity.changedSlots)
        let properties = entity.entityType.properties
        for slot in changes.slots.indices {
            let isNavigation = properties[slot].isNavigation
            if isNavigation || (mode == .merge && !changed.contains(slot)) {
                changes.slots[slot] = nil
            }
        }
        return .update(
            row, changes: try adopted(changes, from: entity), binds: try binds(of: entity),
            mode: mode == .merge ? .merge : .replace)
    }

    /// What the entity holds, as a value of the store.
    private func values(of entity: EntityValue) throws -> StructureValue {
        try adopted(entity.structureValue, from: entity)
    }

    /// A value of the entity's document as one of the store's: an app may hold a document of another version.
    private func adopted(
        _ value: StructureValue, from entity: EntityValue
    ) throws -> StructureValue {
        let model = entity.entityType.model
        guard model.root !== document.model.root, !document.graph.hasLayout(of: model.graph) else {
            return value
        }
        return try document.graph.adopting(value, of: model.graph)
    }

    /// Links to remove with an update: what was unbound.
    func unbinds(of entity: EntityValue) throws -> [LocalWrite] {
        guard rules.unbinds else { return [] }
        return try entity.bindings.filter { !$0.isBind }.map { binding in
            .deleteLink(
                try row(of: entity), navigation: binding.property.name,
                target: try binding.target.map(row(of:)))
        }
    }

    private func binds(of entity: EntityValue) throws -> [RequestBody.Bind] {
        var binds: [RequestBody.Bind] = []
        for binding in entity.bindings where binding.isBind && rules.binds {
            guard let target = binding.target else { continue }
            let row = try row(of: target)
            if let place = binds.firstIndex(where: { $0.navigation == binding.property.name }) {
                binds[place].targets.append(row)
            } else {
                binds.append(RequestBody.Bind(navigation: binding.property.name, targets: [row]))
            }
        }
        return binds
    }

    // MARK: Objects

    /// Fills the object with the row's present state.
    ///
    /// - Throws: `notFound` when the row is not in view.
    func refresh(_ entity: EntityValue, from row: RowReference) throws {
        try refresh(entity, from: row, try store.entity(row))
    }

    /// As ``refresh(_:from:)`` from a state that was read before.
    func refresh(_ entity: EntityValue, from row: RowReference, _ state: RowState?) throws {
        guard let state, let values = state.values else {
            throw ODataError(
                .notFound, "Expected an entity in the store, found none.", at: .path(row.table),
                status: 404)
        }
        let waiting = entity.bindings.filter { $0.isBind ? !rules.binds : !rules.unbinds }
        entity.load(.value(values), type: document[values.type] as? EntityType)
        entity.bindings = waiting
        entity.localID = row.id
        if let set = document.entitySet(named: row.table) { entity.entitySet = set }
        entity.setFlags(state.flags)
    }

    /// Brings the flags of the object to those of the row; its values stay.
    func noteState(_ entity: EntityValue, of row: RowReference) throws {
        if let state = try store.entity(row) { entity.setFlags(state.flags) }
    }

    /// What the store notes of a request.
    static func options(_ headers: HTTPHeaders, _ options: RequestOptions) -> WriteOptions {
        var result = WriteOptions(
            headers: headers.fields, changeSet: options.changeSet, customTag: options.customTag,
            uploadGroup: options.uploadGroup, transactionID: options.fields.transactionID)
        result.namesTransactionByRow = options.fields.namesTransactionByRow
        result.namesGroupByRow = options.fields.namesGroupByRow
        if !options.canCombineRequests { result.flags.insert(.unmodifiable) }
        if options.preferNoContent { result.flags.insert(.minimalAnswer) }
        if options.fields.removesAfterUpload { result.flags.insert(.removeAfterUpload) }
        return result
    }
}

extension EntityValue {
    /// The state flags that the store keeps of a row.
    func setFlags(_ row: RowFlags) {
        let pairs: [(EntityFlags, RowFlags)] = [
            (.local, .isLocal), (.pendingChanges, .hasPendingChanges), (.errorState, .inErrorState),
            (.deleteError, .isDeleteError),
        ]
        for (flag, source) in pairs {
            if row.contains(source) { flags.insert(flag) } else { flags.remove(flag) }
        }
    }
}
