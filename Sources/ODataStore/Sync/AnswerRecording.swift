import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// Brings the answers of one attempt into the store: an accepted change becomes the base, a refused one an error that
/// holds back only what depends on it.
struct AnswerRecording {
    let transaction: StoreTransaction
    /// An earlier sending of the attempt has no answer, and may have had the effect.
    let isOpen: Bool
    private(set) var outcome = LocalStore.RecordOutcome()
    private var rows: Set<RowReference> = []
    private var links: Set<LinkReference> = []
    /// Rows whose key became known, with their values as the service has them.
    private var keyed: [RowReference: StructureValue] = [:]

    init(transaction: StoreTransaction, isOpen: Bool = false) {
        self.transaction = transaction
        self.isOpen = isOpen
    }

    mutating func record(_ answer: AttemptAnswers.Answer) throws {
        guard let request = try transaction.requests.requests([answer.request]).first else {
            return
        }
        switch AnswerRule.of(answer.outcome, for: request, isOpen: isOpen) {
        case .accept(let message): try accept(request, message)
        case .become(let state): try become(request, state)
        case .wait: try wait(request, isOpen: false)
        case .waitOpen: try wait(request, isOpen: true)
        case .stay: outcome.unanswered.append(request.id)
        }
    }

    private mutating func become(_ request: QueuedRequest, _ state: RequestState) throws {
        var request = request
        request.state = state
        request.flags.remove(.open)
        try transaction.requests.update(request)
        if state.isUnknown {
            outcome.unknown.append(request.id)
        } else {
            outcome.refused.append(request.id)
        }
        note(request)
    }

    /// - Parameter isOpen: a sending of it may have had the effect, so that it stays as it was sent.
    private mutating func wait(_ request: QueuedRequest, isOpen: Bool) throws {
        var request = request
        request.state = .waiting
        if isOpen {
            request.flags.insert(.open)
        } else {
            request.flags.remove(.open)
            request.identity.firstSent = nil
        }
        try transaction.requests.update(request)
        outcome.waiting.append(request.id)
    }

    /// Rewrites what waits, holds back what depends on refusals, and brings rows up to date.
    mutating func finish() throws {
        if !keyed.isEmpty { rows.formUnion(try Rekeying(transaction: transaction).apply(keyed)) }
        let refused = Set(outcome.refused + outcome.unknown)
        if !refused.isEmpty {
            let blocked = RequestDependencies.quarantine(
                after: refused, in: try transaction.requests.all())
            for var request in try transaction.requests.requests(blocked.keys) {
                request.state = .blocked(by: blocked[request.id] ?? 0)
                try transaction.requests.update(request)
                note(request)
            }
            outcome.blocked = blocked
        }
        try RowRefresh(transaction: transaction).refresh(rows, links: links)
    }

    private mutating func note(_ request: QueuedRequest) {
        rows.formUnion(request.touchedRows)
        rows.formUnion(request.writtenRows)
        links.formUnion(request.changedLinks)
    }

    // MARK: Success

    private mutating func accept(_ request: QueuedRequest, _ message: ResponseMessage) throws {
        outcome.accepted.append(request.id)
        note(request)
        switch request.operation {
        case .create: try acceptCreate(request, message)
        case .update: try acceptUpdate(request, message)
        case .delete: try acceptDelete(request)
        case .putStream, .deleteStream: try acceptStream(request, message)
        case .createLink, .updateLink, .deleteLink: break
        }
        try acceptEffects(request)
        try transaction.requests.remove(request.id)
    }

    /// The content becomes the one that the service has; later changes of it wait for its new tag.
    private func acceptStream(_ request: QueuedRequest, _ message: ResponseMessage) throws {
        let tag = request.operation == .putStream ? message.headers["ETag"] : nil
        try StreamRows(database: transaction.database).settle(request: request.id, etag: tag)
        for var later in try transaction.requests.requests(writing: [request.target])
        where later.operation.isStream && later.state == .waiting && later.id != request.id
            && later.navigation == request.navigation
        {
            later.ifMatch = tag
            try transaction.requests.update(later)
        }
    }

    private func answered(
        _ message: ResponseMessage, _ type: StructureID, _ table: TableMapping
    ) -> StructureValue? {
        guard !message.body.isEmpty, message.status != 204 else { return nil }
        let value = try? AnswerReader(graph: transaction.graph).entity(
            message, of: type, in: table.parent == nil ? table.entitySet : nil)
        guard var value, transaction.graph.isA(value.type, table.structure) else { return nil }
        if let etag = message.headers["ETag"] { value.control.etag = etag }
        return value
    }

    private mutating func acceptCreate(
        _ request: QueuedRequest, _ message: ResponseMessage
    ) throws {
        guard let body = request.body else { return }
        let row = request.target
        let table = try transaction.table(row.table)
        let current = try transaction.access(table).row(id: row.id)
        let answer = answered(message, body.values.type, table)
        var values = body.values
        for case .values(row, let change, _?) in request.effects {
            values = StructureMerge.merge(change, over: values)
        }
        if let answer { values = Self.merge(answer, over: values) }
        values.control = ControlInformation(
            etag: answer?.control.etag ?? message.headers["ETag"])
        addKey(from: message, to: &values, table)
        if request.bringsStream {
            try StreamRows(database: transaction.database).settle(
                request: request.id, etag: answer?.control.mediaETag)
        }
        try adopt(values, as: row, current, table, request)
        for child in body.inline {
            try acceptInline(child, of: request, answer.flatMap { nested(child, in: $0) })
        }
    }

    /// The key in the headers of an answer without a body (Protocol 4.01, 8.3.4).
    private func addKey(
        from message: ResponseMessage, to values: inout StructureValue, _ table: TableMapping
    ) {
        guard transaction.access(table).key(of: values) == nil else { return }
        guard let link = message.headers["OData-EntityId"] ?? message.headers["Location"],
            let key = EntityIDKey.scalars(of: link, table: table, graph: transaction.graph)
        else { return }
        for (column, scalar) in zip(table.keys, key) {
            values.set(.scalar(scalar), at: column.slots, in: transaction.graph)
        }
    }

    /// Makes `values` the base of a row created here; another row with its key gives way to it.
    private mutating func adopt(
        _ values: StructureValue, as row: RowReference, _ current: StoredRow?,
        _ table: TableMapping, _ request: QueuedRequest
    ) throws {
        let access = transaction.access(table)
        var stored = StoredRow(
            id: row.id, values: values, state: .created, parent: current?.parent)
        let images = try transaction.images(row.table)
        // A download can only have seen what the creation made, or something later.
        let known = try images.image(id: row.id)
        if let known { Self.bring(known.row, into: &stored) }
        guard let key = access.key(of: values) else {
            // Without a key it cannot be told apart later: the next download brings it.
            try transaction.forget(row)
            return
        }
        if let other = try access.id(key: key, parent: stored.parent), other != row.id {
            let merged = try RowMerge(transaction: transaction).merge(
                RowReference(table: row.table, id: other), into: row)
            stored.sources = merged?.sources ?? 0
            if let merged, !RowRefresh.isUnsentCreation(merged.state) {
                Self.bring(merged, into: &stored)
            } else if merged != nil {
                stored.state = []
            }
        }
        if request.flags.contains(.removeAfterUpload), row == request.target,
            try transaction.requests.requests(writing: [row]).count <= 1
        {
            try transaction.forget(row)
            return
        }
        try images.write(stored, kind: known?.kind ?? .present)
        keyed[row] = stored.values
        if table.parent == nil {
            let urls = EntityURL(
                graph: transaction.graph, dialect: Dialect.of(transaction.graph.version))
            try transaction.database.execute(
                sql: "INSERT OR REPLACE INTO _odata_alias VALUES (?, ?, ?)",
                arguments: [row.table, row.id, try urls.text(set: row.table, key: key)])
        }
    }

    private mutating func acceptInline(
        _ child: RequestBody.InlineEntity, of request: QueuedRequest, _ answer: StructureValue?
    ) throws {
        let table = try transaction.table(child.row.table)
        var values = child.body.values
        for case .values(child.row, let change, let principal?) in request.effects {
            // The parent's key may be provisional; it is taken from the answer.
            let known = keyed[principal].map { _ in principal } == nil
            if known { values = StructureMerge.merge(change, over: values) }
        }
        if let answer { values = Self.merge(answer, over: values) }
        values.control = ControlInformation(etag: answer?.control.etag)
        let current = try transaction.access(table).row(id: child.row.id)
        try adopt(values, as: child.row, current, table, request)
        for next in child.body.inline {
            try acceptInline(next, of: request, answer.flatMap { nested(next, in: $0) })
        }
    }

    /// A to-one child in the answer; a collection's order is not promised, so its children are told by key only.
    private func nested(
        _ child: RequestBody.InlineEntity, in answer: StructureValue
    ) -> StructureValue? {
        guard let slot = transaction.graph[answer.type].slot(named: child.navigation) else {
            return nil
        }
        switch answer.slots[slot] {
        case .structure(let value): return value
        case .list(let items) where items.count == 1: return items[0].structure
        default: return nil
        }
    }

    private mutating func acceptUpdate(
        _ request: QueuedRequest, _ message: ResponseMessage
    ) throws {
        guard let body = request.body else { return }
        let row = request.target
        let images = try transaction.images(row.table)
        guard let found = try images.image(id: row.id) else { return }
        var image = found.row
        let old = image.values.control.etag
        let change = body.values
        image.values =
            request.operation == .update(.replace)
            ? StructureMerge.replace(with: change, over: image.values, graph: transaction.graph)
            : StructureMerge.merge(change, over: image.values)
        let table = try transaction.table(row.table)
        let answer = answered(message, image.values.type, table)
        var new = message.headers["ETag"] ?? answer?.control.etag
        if found.kind == .tombstone || Self.isOlder(new, than: old, request) {
            new = old
        } else {
            if let answer { image.values = Self.merge(answer, over: image.values) }
            image.values.control.etag = new
            image.state.insert(.updated)
            try images.write(image, kind: .present)
        }
        let waiting = try transaction.requests.requests(writing: [row]).filter {
            $0.target == row && $0.id != request.id && $0.state == .waiting
                && ($0.operation.isUpdate || $0.operation == .delete)
        }
        for var later in waiting where new != nil {
            later.ifMatch = new
            try transaction.requests.update(later)
        }
        if new == nil, old != nil, !waiting.isEmpty { outcome.needsETag.append(row) }
    }

    /// The state that a download has brought goes over the one that an answer tells.
    private static func bring(_ known: StoredRow, into stored: inout StoredRow) {
        stored.values = merge(known.values, over: stored.values)
        stored.values.control = known.values.control
        stored.sources = known.sources
        stored.state = []
    }

    /// A download has brought a state that is neither the one that the change was made for nor the one that it led to: it
    /// came after both, and the answer is late.
    private static func isOlder(
        _ answer: String?, than present: String?, _ request: QueuedRequest
    ) -> Bool {
        guard let sent = request.ifMatch, sent != "*", let present else { return false }
        let tag = EntityTag(present)
        return !tag.matches(EntityTag(sent)) && answer.map { tag.matches(EntityTag($0)) } != true
    }

    private func acceptDelete(_ request: QueuedRequest) throws {
        try transaction.forget(request.target)
        for case .hide(let victim) in request.effects { try transaction.forget(victim) }
    }

    /// Foreign keys and links that an accepted request wrote belong to the base now.
    private func acceptEffects(_ request: QueuedRequest) throws {
        for effect in request.effects {
            switch effect {
            case .values(let row, let change, _):
                guard request.operation != .create || !request.createdRows.contains(row) else {
                    continue
                }
                let images = try transaction.images(row.table)
                guard var image = try images.image(id: row.id) else { continue }
                image.row.values = StructureMerge.merge(change, over: image.row.values)
                image.row.state.insert(.linked)
                try images.write(image.row, kind: image.kind)
            case .addLink(let link):
                try transaction.links.keepBase(link, request: request.id)
                try transaction.links.setBase(link, isPresent: true)
            case .removeLink(let link):
                try transaction.links.keepBase(link, request: request.id)
                try transaction.links.setBase(link, isPresent: false)
            case .clearLinks, .hide: break
            }
        }
    }

    /// Everything the answer says, over what was sent; navigation properties aside.
    private static func merge(
        _ answer: StructureValue, over sent: StructureValue
    ) -> StructureValue {
        guard answer.type == sent.type else { return answer }
        var result = sent
        for (slot, value) in answer.slots.enumerated() where slot < result.slots.count {
            if let value { result.slots[slot] = value }
        }
        result.dynamicValues.merge(answer.dynamicValues) { $1 }
        return result
    }
}
