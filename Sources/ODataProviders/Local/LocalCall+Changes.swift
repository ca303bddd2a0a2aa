import ODataClasses
import ODataStore
import ODataSync
import ODataSyncPlan

/// Changes of the app's entities.
extension LocalCall {
    func create(_ entity: EntityValue, _ options: WriteOptions) throws {
        let made = try writes.create(
            creation(of: entity), options, in: document.graph)
        try refresh(entity, made)
        entity.isCreated = true
    }

    /// - Parameter fixed: The failed request that an update of the row corrects; nil for none.
    mutating func update(
        _ entity: EntityValue, _ mode: UpdateMode, _ options: WriteOptions,
        fixing fixed: (RowReference) -> Int64?
    ) throws {
        planned = [ObjectIdentifier(entity)]
        let outcomes = try writes.update(
            update(of: entity, mode), mode == .merge ? .merge : .replace, options,
            in: document.graph, fixing: fixed)
        for outcome in outcomes {
            let entity = objects[outcome.object] ?? entity
            // An entity that others take along may be new.
            let isNew = !objects.isEmpty && entity.isNew
            try refresh(entity, outcome)
            if isNew { entity.isCreated = true } else { entity.isUpdated = true }
        }
    }

    func delete(_ entity: EntityValue, _ options: WriteOptions) throws {
        try writes.delete(name(of: entity), options)
        entity.isDeleted = true
    }

    func delete(_ entities: EntityValueList, _ options: WriteOptions) throws {
        try writes.delete(entities.map(name(of:)), options)
    }

    func createLink(
        _ from: EntityValue, _ property: Property, _ to: EntityValue, _ options: WriteOptions
    ) throws {
        try writes.change(
            .create(name(of: from), navigation: property.name, target: name(of: to)), options)
    }

    func updateLink(
        _ from: EntityValue, _ property: Property, _ to: EntityValue, _ options: WriteOptions
    ) throws {
        try writes.change(
            .update(name(of: from), navigation: property.name, target: name(of: to)), options)
    }

    func deleteLink(
        _ from: EntityValue, _ property: Property, _ to: EntityValue, _ options: WriteOptions
    ) throws {
        // Services name a blank entity where the app named none: a single-valued property leads to one.
        let isBlank = to.localID == nil && to.readLink == nil && to.editLink == nil && !to.hasKey()
        let target = property.isCollection || !isBlank ? name(of: to) : nil
        try writes.change(
            .delete(name(of: from), navigation: property.name, target: target), options)
    }

    func undo(_ entities: EntityValueList) throws {
        try writes.undo(entities.map(name(of:)))
    }
}

extension WriteOptions {
    /// What the store notes of a request.
    init(_ headers: HTTPHeaders, _ options: RequestOptions) {
        self.init(
            headers: headers.fields, changeSet: options.changeSet, customTag: options.customTag,
            uploadGroup: options.uploadGroup, transactionID: options.fields.transactionID)
        namesTransactionByRow = options.fields.namesTransactionByRow
        namesGroupByRow = options.fields.namesGroupByRow
        if !options.canCombineRequests { flags.insert(.unmodifiable) }
        if options.preferNoContent { flags.insert(.minimalAnswer) }
        if options.fields.removesAfterUpload { flags.insert(.removeAfterUpload) }
    }
}
