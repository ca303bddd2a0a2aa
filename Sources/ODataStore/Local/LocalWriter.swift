import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataSyncPlan
import ODataText
import ODataQuery

/// Carries out local writes: check, apply to the rows, keep base images, append to the queue. The caller owns the
/// transaction, so that a refused write leaves no trace.
struct LocalWriter {
    let transaction: StoreTransaction
    let join: JoinOnWrite
    var emulation = LinkEmulation()

    // Hot: LocalWrites
    /// - Returns: the row created or changed.
    func perform(_ write: LocalWrite, _ options: WriteOptions) throws -> RowReference {
        let row = try carryOut(write, options)
        if try transaction.texts(of: row.table).isClientOnly {
            try ClientOnlyChange(transaction: transaction).settle(row)
        }
        return row
    }

    private func carryOut(_ write: LocalWrite, _ options: WriteOptions) throws -> RowReference {
        switch write {
        case .create(let table, let value, let binds):
            return try create(
                in: try transaction.table(table), value, binds, parent: nil, options)
        case .createRelated(let parent, let name, let value, let binds):
            let navigation = try navigation(name, of: parent)
            guard navigation.isCollection else {
                throw ODataError(
                    .usage, "Expected a collection-valued navigation property to create in.",
                    at: .path("\(parent.table)/\(name)"))
            }
            return try create(
                in: transaction.mapping[navigation.target], value, binds,
                parent: (parent, navigation), options)
        case .update(let row, let changes, let binds, let mode):
            try update(row, changes, binds, mode, options)
            return row
        case .delete(let row):
            try delete(row, options)
            return row
        case .createLink(let row, let name, let target):
            try link(.createLink, row, name, target, options)
            return row
        case .updateLink(let row, let name, let target):
            try link(.updateLink, row, name, target, options)
            return row
        case .deleteLink(let row, let name, let target):
            try link(.deleteLink, row, name, target, options)
            return row
        case .putStream(let row, let property), .deleteStream(let row, let property):
            try changeStream(of: row, property, options)
            return row
        case .fix(let request, let changes, let binds):
            let inside = emulation.keepsOthers ? [] : binds
            let row = try transaction.fix(request, changes, inside)
            if emulation.keepsOthers { try linkApart(binds, of: row, options) }
            return row
        }
    }

    // MARK: Create

    private func create(
        in table: TableMapping, _ value: StructureValue, _ binds: [RequestBody.Bind],
        parent: (row: RowReference, navigation: NavigationMapping)?, _ options: WriteOptions
    ) throws -> RowReference {
        guard table.parent == nil || parent != nil else {
            throw ODataError(
                .usage, "Expected a parent for an entity that is contained in another.",
                at: .path(table.path))
        }
        if options.stream == nil, !transaction.graph.isClientOnly(table.entitySet) {
            try MediaCreation.refuseWithoutContent(value.type, in: transaction.graph)
        }
        var builder = BodyBuilder(transaction: transaction)
        let row = transaction.reference(table, try transaction.settings.nextLocalRowID())
        var body = try builder.body(of: value, binds: binds, row: row, table: table)
        let apart = try takeApart(&body, of: row, created: builder.created)
        var planner = EffectPlanner(transaction, created: builder.created)
        for (keyed, keys) in builder.keys {
            planner.add(.values(row: keyed, values: keys, principal: nil))
        }
        try relate(body, row, table, &planner)
        if let parent { try planner.link(parent.row, parent.navigation, row) }
        for created in builder.created.keys.sorted() {
            guard let values = builder.created[created] else { continue }
            let owner = try transaction.table(created.table)
            try planner.followForeignKeys(of: created, in: values, table: owner)
            try check(
                values, created, owner, planner.effects,
                parent: created == row ? parent?.row.id : nil,
                // The content makes a media entity; its properties follow.
                isComplete: !options.flags.contains(.media))
        }
        var request = try self.request(.create, row, options)
        request.body = try emulation.applied(to: body, of: row, planner.effects)
        request.effects = planner.effects
        request.principals = planner.principals.subtracting(builder.created.keys).sorted()
        if let parent {
            request.navigation = QueuedRequest.Navigation(
                property: parent.navigation.path, row: parent.row, isContained: table.parent != nil)
        }
        // Nobody has heard of the row before.
        let known = RowRefresh.Known(row: row, current: nil, image: nil, requests: [])
        let stored = try QueueChange(transaction: transaction).apply(
            [.append(request)], known: known)
        if let content = options.stream, let id = stored.first?.id {
            let streams = StreamRows(database: transaction.database)
            try checkSize(of: content, options, streams)
            try streams.assign(content, to: row, nil, request: id, in: table)
        }
        try linkApart(apart, of: row, options)
        return row
    }

    // MARK: Streams

    /// A change of a stream stands alone in the queue: its content is fixed when it is recorded.
    private func changeStream(
        of row: RowReference, _ property: String?, _ options: WriteOptions
    ) throws {
        _ = try existing(row)
        let table = try transaction.table(row.table)
        let streams = StreamRows(database: transaction.database)
        var request = try self.request(
            options.stream == nil ? .deleteStream : .putStream, row, options)
        request.flags.insert(.unmodifiable)
        request.navigation = property.map { QueuedRequest.Navigation(property: $0, row: nil) }
        request.ifMatch = try options.ifMatch ?? streams.base(row, property)?.etag
        let stored = try QueueChange(transaction: transaction).apply([.append(request)])
        guard let id = stored.first?.id else { return }
        if let content = options.stream {
            try checkSize(of: content, options, streams)
            try streams.assign(content, to: row, property, request: id, in: table)
        } else {
            try streams.remove(row, property, request: id, in: table)
        }
    }

    /// A change set goes in one batch, which is held in memory.
    private func checkSize(
        of content: Int64, _ options: WriteOptions, _ streams: StreamRows
    ) throws {
        guard options.changeSet != nil else { return }
        let length = try streams.chunks.length(of: content)
        guard length <= UploadPlanner.largestBatchedStream else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(UploadPlanner.largestBatchedStream) bytes of content in a change"
                    + " set, found \(length).")
        }
    }

    private func check(
        _ values: StructureValue, _ row: RowReference, _ table: TableMapping,
        _ effects: [RequestEffect], parent: Int64?, isComplete: Bool
    ) throws {
        var complete = values
        for case .values(row, let change, _) in effects {
            complete = StructureMerge.merge(change, over: complete)
        }
        complete = complete.structural(in: transaction.graph)
        try WriteChecks(graph: transaction.graph).check(
            complete, table: table, isComplete: isComplete)
        let access = transaction.access(table)
        if let key = access.key(of: complete), let id = try access.id(key: key, parent: parent),
            id != row.id, try transaction.visibleRow(transaction.reference(table, id)) != nil
        {
            throw ODataError(
                .conflict, "Expected a key that no entity has, found one that is taken.",
                at: .path(table.path))
        }
    }

    /// Effects of the binds and nested entities of a body, at every depth.
    private func relate(
        _ body: RequestBody, _ row: RowReference, _ table: TableMapping,
        _ planner: inout EffectPlanner
    ) throws {
        for bind in body.binds {
            let navigation = try navigation(bind.navigation, of: row)
            guard navigation.isCollection || bind.targets.count <= 1 else {
                throw ODataError(
                    .invalidValue, "Expected one entity to bind to a to-one navigation property.",
                    at: .path("\(table.path)/\(bind.navigation)"))
            }
            for target in bind.targets {
                guard target.table == transaction.mapping[navigation.target].path else {
                    throw ODataError(
                        .invalidValue, "Expected an entity of the navigation property's set.",
                        at: .path("\(table.path)/\(bind.navigation)"))
                }
                try planner.link(row, navigation, target)
            }
        }
        for child in body.inline {
            let navigation = try navigation(child.navigation, of: row)
            try planner.link(row, navigation, child.row)
            try relate(
                child.body, child.row, try transaction.table(child.row.table), &planner)
        }
    }

    // MARK: Update and delete

    private func update(
        _ row: RowReference, _ changes: StructureValue, _ binds: [RequestBody.Bind],
        _ mode: QueuedRequest.UpdateMode, _ options: WriteOptions
    ) throws {
        let table = try transaction.table(row.table)
        let current = try existing(row)
        var values = changes.structural(in: transaction.graph)
        try WriteChecks(graph: transaction.graph).check(values, table: table, isComplete: false)
        try checkKey(&values, current, row, table)
        var body = RequestBody(values: values, binds: binds)
        let apart = try takeApart(&body, of: row, created: [:])
        guard !body.isEmpty || mode == .replace else {
            return try linkApart(apart, of: row, options)
        }
        var planner = EffectPlanner(transaction)
        try relate(body, row, table, &planner)
        try planner.followForeignKeys(of: row, in: values, table: table)
        var request = try self.request(.update(mode), row, options)
        request.body = try emulation.applied(to: body, of: row, planner.effects)
        request.effects = planner.effects
        request.principals = planner.principals.sorted()
        try record(request, of: current, options)
        try linkApart(apart, of: row, options)
    }

    /// Keys stay as they are, except of a row that was never sent.
    private func checkKey(
        _ values: inout StructureValue, _ current: StoredRow, _ row: RowReference,
        _ table: TableMapping
    ) throws {
        for column in table.keys {
            guard let new = values.value(at: column.slots) else { continue }
            if new == current.values.value(at: column.slots) {
                if column.slots.count == 1 { values.slots[column.slots[0]] = nil }
                continue
            }
            guard try transaction.isUnsentCreation(current, row) else {
                throw ODataError(
                    .invalidValue, "Expected key properties to stay as they are.",
                    at: .path("\(table.path)/\(column.path)"))
            }
        }
        // The key that the row has is its own.
        guard table.keyColumns.contains(where: { values.value(at: table.columns[$0].slots) != nil })
        else { return }
        let access = transaction.access(table)
        let merged = StructureMerge.merge(values, over: current.values)
        if let key = access.key(of: merged),
            let id = try access.id(key: key, parent: current.parent), id != row.id,
            try transaction.visibleRow(transaction.reference(table, id)) != nil
        {
            throw ODataError(
                .conflict, "Expected a key that no entity has, found one that is taken.",
                at: .path(table.path))
        }
    }

    private func delete(_ row: RowReference, _ options: WriteOptions) throws {
        let current = try existing(row)
        var planner = EffectPlanner(transaction)
        try planner.cascade(from: row, known: current)
        var request = try self.request(.delete, row, options)
        request.effects = planner.effects
        try record(request, of: current, options)
    }

    // MARK: Links

    func link(
        _ operation: QueuedRequest.Operation, _ row: RowReference, _ name: String,
        _ target: RowReference?, _ options: WriteOptions
    ) throws {
        _ = try existing(row)
        if let target { _ = try existing(target) }
        let navigation = try navigation(name, of: row)
        let place = ODataError.Location.path("\(row.table)/\(name)")
        guard !navigation.containsTarget else {
            throw ODataError(.usage, "Expected a relation that is not containment.", at: place)
        }
        if let target, target.table != transaction.mapping[navigation.target].path {
            throw ODataError(
                .invalidValue, "Expected an entity of the navigation property's set.", at: place)
        }
        guard operation == .deleteLink || navigation.isCollection == (operation == .createLink)
        else {
            throw ODataError(
                .usage, "Expected createLink for collections and updateLink for one entity.",
                at: place)
        }
        var planner = EffectPlanner(transaction)
        if operation == .deleteLink {
            guard target != nil || !navigation.isCollection else {
                throw ODataError(.usage, "Expected the entity to unlink.", at: place)
            }
            try planner.unlink(row, navigation, target)
        } else if let target {
            try planner.link(row, navigation, target)
        }
        guard !emulation.links else {
            return try changeForeignKey(
                emulation.change(row, name, planner.effects), planner, options)
        }
        var request = try self.request(operation, row, options)
        request.navigation = QueuedRequest.Navigation(property: name, row: target)
        request.effects = planner.effects
        request.principals = planner.principals.subtracting([row]).sorted()
        try record(request)
    }

    /// A link operation as the update that has the same effect.
    private func changeForeignKey(
        _ change: (row: RowReference, values: StructureValue), _ planner: EffectPlanner,
        _ options: WriteOptions
    ) throws {
        let current = try existing(change.row)
        var request = try self.request(.update(.merge), change.row, options)
        request.body = RequestBody(values: change.values)
        request.effects = planner.effects
        request.principals = planner.principals.subtracting([change.row]).sorted()
        try record(request, of: current, options)
    }

    // MARK: Parts

    /// Records a change of a row. It says which one it is made for by the tag that the service last gave, not one of a local
    /// change.
    private func record(
        _ request: QueuedRequest, of current: StoredRow, _ options: WriteOptions
    ) throws {
        var request = request
        let earlier = try transaction.requests.requests(writing: [request.target])
        let image = try transaction.images(request.target.table).image(id: request.target.id)
        request.ifMatch =
            options.ifMatch ?? image?.row.values.control.etag ?? current.values.control.etag
        if options.ifMatch == nil, let image, image.kind == .present,
            let behind = ChangeBehind(
                earlier, of: request.target, over: image.row.values, transaction.graph)
        {
            request.ifMatch = behind.ifMatch
            if behind.isRebased { request.flags.insert(.rebased) }
        }
        let known = RowRefresh.Known(
            row: request.target, current: current, image: image, requests: earlier)
        try record(request, behind: earlier, known)
    }

    private func record(_ request: QueuedRequest) throws {
        try record(
            request, behind: try transaction.requests.requests(writing: [request.target]), nil)
    }

    private func record(
        _ request: QueuedRequest, behind earlier: [QueuedRequest], _ known: RowRefresh.Known?
    ) throws {
        if let name = request.changeSet,
            let present = try transaction.requests.group(ofChangeSet: name)
        {
            try CategoryGroup.check(
                request.uploadGroup, against: present, at: request.target.table)
        }
        var request = request
        var queue: [QueuedRequest] = []
        if !earlier.isEmpty {
            // Only what the same user did joins into what waits.
            request.user = try transaction.settings.user()
            queue = try transaction.requests.all(from: earlier.map(\.position).min() ?? 0)
        }
        try QueueChange(transaction: transaction).apply(
            join.edits(recording: request, behind: queue), known: known)
    }

    private func request(
        _ operation: QueuedRequest.Operation, _ row: RowReference, _ options: WriteOptions
    ) throws -> QueuedRequest {
        let isNamedByRow = options.namesTransactionByRow || options.namesGroupByRow
        guard operation == .create || !isNamedByRow else {
            throw ODataError(
                .usage, "Expected a creation to take the name of its entity, found another change.",
                at: .path(row.table))
        }
        let name = "\(row.table)/\(row.id)"
        let transactionID =
            options.namesTransactionByRow
            ? (options.transactionID ?? "") + name : options.transactionID
        return QueuedRequest(
            id: 0, identity: RepeatabilityIdentity(id: ""), operation: operation, target: row,
            headers: options.headers.withoutCredentials, changeSet: options.changeSet,
            customTag: options.customTag,
            uploadGroup: options.namesGroupByRow
                ? (options.uploadGroup ?? "") + name : options.uploadGroup,
            transactionID: transactionID, flags: options.flags, position: 0,
            createdAt: transaction.now)
    }

    private func existing(_ row: RowReference) throws -> StoredRow {
        guard let stored = try transaction.visibleRow(row) else {
            throw ODataError(.notFound, "Expected an entity, found none.", at: .path(row.table))
        }
        return stored
    }

    func navigation(_ name: String, of row: RowReference) throws -> NavigationMapping {
        guard let navigation = try transaction.table(row.table).navigation(path: name) else {
            throw ODataError(
                .unknownName, "Expected a navigation property, found none.",
                at: .path("\(row.table)/\(name)"))
        }
        return navigation
    }
}
