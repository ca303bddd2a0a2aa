import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// What becomes of a request that the service has carried out, and of the rows and links it changed: state → edits.
package struct Acceptance: Sendable {
    /// What the store knows about the rows of the request.
    package struct Facts: Sendable {
        /// The base images of the rows that the request writes.
        package var images: [RowReference: StoredImage] = [:]
        /// The containing rows of those that the request created.
        package var parents: [RowReference: Int64] = [:]
        /// The rows that a download brought meanwhile under the keys of those that the request created.
        package var doubles: [RowReference: Double] = [:]
        /// The requests that write the target or another row that the request created, this one included.
        package var writers: [QueuedRequest] = []
        /// The whole queue; looked at only where there are doubles.
        package var queue: [QueuedRequest] = []
        /// The rows of the request's set may lack values that the service has.
        package var hasPartialRows = false
        /// Entity sets of which other rows have tags; looked at only where the answer may have left one out.
        package var taggedSets: Set<String> = []
        /// A download may have brought another row in the place of the one that the request deletes, whatever the tags say.
        package var isReplaced = false

        package init() {}
    }

    /// Another row with the key of a created one, and what the service last said about it.
    package struct Double: Sendable, Hashable {
        package var row: RowReference
        package var stored: StoredRow

        package init(row: RowReference, stored: StoredRow) {
            self.row = row
            self.stored = stored
        }
    }

    package private(set) var edits: [RecordingEdit] = []
    /// Rows whose keys became known, with their values as the service has them.
    package private(set) var keyed: [RowReference: StructureValue] = [:]
    /// Rows that have a tag, of which the answer did not tell the new one, while changes of theirs wait.
    package private(set) var tagsWanted: [RowReference] = []
    private let request: QueuedRequest
    private let mapping: SchemaMapping
    private let keys: KeyStyle
    private let isLook: Bool
    private var facts: Facts

    /// - Parameters:
    ///   - isLook: the answer is what a look at the service has shown, which may be more than the request did.
    ///   - isRepeated: an earlier sending had no answer, and may be the one that had the effect.
    ///   - created: what the answer to a creation says of its rows.
    ///   - keys: how keys stand in the URLs of the service.
    /// - Throws: `unknownName` for a row of a set that is not stored.
    package init(
        of request: QueuedRequest, answered message: ResponseMessage, isLook: Bool = false,
        isRepeated: Bool = false, creating created: CreationAnswer? = nil, facts: Facts,
        mapping: SchemaMapping,
        keys: KeyStyle = .parentheses
    ) throws {
        self.request = request
        self.facts = facts
        self.mapping = mapping
        self.keys = keys
        self.isLook = isLook
        switch request.operation {
        case .create: try create(created)
        case .update:
            try update(message)
            // What a download has brought since may be from before the effect, or from behind it.
            if isRepeated, !isLook, request.flags.contains(.rebased) {
                edits.append(.doubt(request.target))
            }
        case .delete: delete(message)
        case .putStream, .deleteStream: replaceContent(message)
        case .createLink, .updateLink, .deleteLink: break
        }
        try acceptEffects()
        edits.append(.remove(request: request.id))
    }

    // MARK: Creations

    private mutating func create(_ answer: CreationAnswer?) throws {
        guard let answer else { return }
        if request.bringsStream {
            edits.append(.content(request: request.id, etag: answer.mediaETag))
        }
        for created in answer.rows { try adopt(created) }
    }

    /// Makes what was created the base of its row; another row with its key gives way to it.
    private mutating func adopt(_ created: CreatedRow) throws {
        let row = created.row
        var stored = StoredRow(
            id: row.id, values: created.values,
            state: created.isShown ? .created : [.created, .unseen], parent: facts.parents[row])
        // A download can only have seen what the creation made, or something later.
        let known = facts.images[row]
        if let known { Self.bring(known.row, into: &stored) }
        guard let key = created.key else {
            // Without a key it cannot be told apart later: the next download brings it.
            edits.append(.forget(row))
            return
        }
        if let double = facts.doubles[row] {
            join(double, into: row)
            stored.sources = double.stored.sources
            if double.stored.isUnsentCreation {
                stored.state = []
            } else {
                Self.bring(double.stored, into: &stored)
            }
        }
        if request.flags.contains(.removeAfterUpload), row == request.target,
            facts.writers.count(where: { $0.writtenRows.contains(row) }) <= 1
        {
            edits.append(.forget(row))
            return
        }
        tagLater(created, &stored)
        write(row, StoredImage(row: stored, kind: known?.kind ?? .present))
        keyed[row] = stored.values
        if try mapping.existingTable(path: row.table).parent == nil {
            let urls = EntityURL(
                graph: mapping.graph, dialect: Dialect.of(mapping.graph.version), keys: keys)
            edits.append(.alias(row, url: try urls.text(set: row.table, key: key)))
        }
    }

    /// Changes made behind the creation could not know its tag. They were made for what was sent, or for what the answer made of
    /// it: what a look shows, or a download has brought meanwhile, gives them its tag only where what they overwrite is the
    /// same; otherwise they are listed before they go. A tag that nobody has told is asked for.
    private mutating func tagLater(_ created: CreatedRow, _ stored: inout StoredRow) {
        let waiting = facts.writers.filter { later in
            later.target == created.row && later.id != request.id && later.state.isUnsent
                && later.ifMatch == nil && (later.operation.isUpdate || later.operation == .delete)
        }
        if stored.values.control.etag == nil, facts.taggedSets.contains(created.row.table) {
            // Changes that are recorded from now on have no tag by which the service could refuse them.
            stored.state.insert(.untagged)
        }
        guard !waiting.isEmpty else { return }
        let comparison = BaseComparison(graph: mapping.graph)
        let made = StoredRow(
            id: stored.id, values: created.values,
            state: created.isShown ? .created : [.created, .unseen])
        let isSame =
            isSent(created, under: waiting)
            && comparison.isUnchanged(made, in: stored.values, whereOverwrittenBy: waiting)
        let isOurs = !isLook || isSame
        if let tag = (isOurs ? created.values.control.etag : nil)
            ?? (isSame ? stored.values.control.etag : nil)
        {
            for later in waiting { retag(later, tag) }
        } else if isSame {
            tagsWanted.append(created.row)
        } else if stored.values.control.etag != nil {
            stored.state.insert(.untagged)
        }
    }

    /// Whether a look shows what was sent where the changes behind the creation overwrite it.
    private func isSent(_ created: CreatedRow, under waiting: [QueuedRequest]) -> Bool {
        guard isLook, created.row == request.target, let sent = request.body?.values else {
            return true
        }
        let base = StoredRow(id: created.row.id, values: sent, state: [.created, .unseen])
        return BaseComparison(graph: mapping.graph)
            .isUnchanged(base, in: created.values, whereOverwrittenBy: waiting)
    }

    /// The double's requests belong to the row that was created here.
    private mutating func join(_ double: Double, into row: RowReference) {
        edits.append(.join(double.row, into: row))
        for other in facts.queue where !other.isSealed {
            let moved = other.replacing(double.row, by: row)
            guard moved != other else { continue }
            edits.append(.update(moved))
            if let index = facts.writers.firstIndex(where: { $0.id == moved.id }) {
                facts.writers[index] = moved
            } else if moved.writtenRows.contains(row) {
                facts.writers.append(moved)
            }
        }
    }

    /// The state that a download has brought goes over the one that an answer tells.
    private static func bring(_ known: StoredRow, into stored: inout StoredRow) {
        stored.values = StructureMerge.take(known.values, over: stored.values)
        stored.values.control = known.values.control
        stored.sources = known.sources
        stored.state = []
    }

    // MARK: Changes

    private mutating func update(_ message: ResponseMessage) throws {
        let row = request.target
        guard let change = request.body?.values, var image = facts.images[row] else { return }
        let old = image.row.values.control.etag
        image.row.values =
            request.operation == .update(.replace)
            ? StructureMerge.replace(with: change, over: image.row.values, graph: mapping.graph)
            : StructureMerge.merge(change, over: image.row.values)
        let made = image.row
        let table = try mapping.existingTable(path: row.table)
        var answer = CreationAnswer.entity(message, of: image.row.values.type, in: table, mapping)
        if let shown = answer, !table.names(shown, as: image.row.values) { answer = nil }
        var new = message.headers["ETag"] ?? answer?.control.etag
        let isTagged =
            old != nil || image.row.state.contains(.untagged)
            || facts.taggedSets.contains(row.table)
        let isLate = image.kind == .present && isOlder(new, than: old)
        let waiting = changes(waitingBehind: row)
        let isOurs = isOurs(answer, made, under: waiting)
        if image.kind == .tombstone || isLate {
            new = old
        } else if isOurs || isSame(new, old) {
            if let answer {
                image.row.values = StructureMerge.take(answer, over: image.row.values)
                image.row.state.remove(.unseen)
            } else {
                image.row.state.insert(.unseen)
            }
            image.row.values.control.etag = new
            image.row.state.insert(.updated)
            // Changes that are recorded from now on have no tag by which the service could refuse them.
            if new == nil, isTagged {
                image.row.state.insert(.untagged)
            } else {
                image.row.state.remove(.untagged)
            }
            write(row, image)
        } else {
            // What waits has to be compared with the row that it was made for, not with what others made of it.
            image.row.values.control.etag = nil
            image.row.state.formUnion([.updated, .unseen])
            if new != nil || isTagged { image.row.state.insert(.untagged) }
            write(row, image)
        }
        // Without its tag what waits is refused where somebody else was first, and is listed.
        if let new, !isLate, isOurs {
            for later in waiting { retag(later, new) }
        }
        if new == nil, isTagged, !waiting.isEmpty { tagsWanted.append(row) }
    }

    /// The image has that state already.
    private func isSame(_ answer: String?, _ present: String?) -> Bool {
        guard let answer, let present else { return false }
        return EntityTag(answer).matches(EntityTag(present))
    }

    /// What was recorded behind this request for the same row, and has not been sent.
    private func changes(waitingBehind row: RowReference) -> [QueuedRequest] {
        facts.writers.filter {
            $0.target == row && $0.id != request.id && $0.state.isUnsent
                && ($0.operation.isUpdate || $0.operation == .delete)
        }
    }

    /// A download has brought a state that is neither the one that the change was made for nor the one that it led to: it
    /// came after both, and the answer is late.
    private func isOlder(_ answer: String?, than present: String?) -> Bool {
        guard let sent = request.ifMatch, sent != "*", let present else { return false }
        let tag = EntityTag(present)
        return !tag.matches(EntityTag(sent)) && answer.map { tag.matches(EntityTag($0)) } != true
    }

    /// Whether what was answered is the row as the changes behind this one were made for it, so that its tag is theirs.
    ///
    /// A look shows what others have done since as well. Properties that the changes do not overwrite may differ: they may be
    /// what the service itself made of this one.
    private func isOurs(
        _ shown: StructureValue?, _ made: StoredRow, under waiting: [QueuedRequest]
    ) -> Bool {
        guard isLook else { return true }
        guard let shown else { return false }
        if let sent = request.ifMatch, sent != "*", let base = made.values.control.etag,
            !EntityTag(base).matches(EntityTag(sent))
        {
            // A download has replaced what they were made for.
            return false
        }
        var made = made
        for case .values(request.target, let values, _) in request.effects {
            made.values = StructureMerge.merge(values, over: made.values)
        }
        return BaseComparison(graph: mapping.graph, ignoresNulls: facts.hasPartialRows)
            .isUnchanged(made, in: shown, whereOverwrittenBy: waiting)
    }

    private mutating func delete(_ message: ResponseMessage) {
        if !isMadeAnew(message) { edits.append(.forget(request.target)) }
        for case .hide(let victim) in request.effects { edits.append(.forget(victim)) }
    }

    /// A download has brought a row with the key of the one that went: keys are given again, and no answer of a deletion is
    /// about what came behind it. A look, and an answer that there is nothing, say that it has gone as well.
    private func isMadeAnew(_ message: ResponseMessage) -> Bool {
        guard !isLook, message.isSuccess else { return false }
        return facts.isReplaced || request.isMadeAnew(facts.images[request.target])
    }

    /// The content becomes the one that the service has; later changes of it wait for its new tag.
    private mutating func replaceContent(_ message: ResponseMessage) {
        let tag = request.operation == .putStream ? message.headers["ETag"] : nil
        edits.append(.content(request: request.id, etag: tag))
        for later in facts.writers
        where later.operation.isStream && later.state.isUnsent && later.id != request.id
            && later.navigation == request.navigation
        {
            retag(later, tag)
        }
    }

    private mutating func retag(_ later: QueuedRequest, _ tag: String?) {
        var later = later
        later.ifMatch = tag
        edits.append(.update(later))
    }

    // MARK: Effects

    /// Foreign keys and links that an accepted request wrote belong to the base now.
    private mutating func acceptEffects() throws {
        for effect in request.effects {
            switch effect {
            case .values(let row, let change, let principal):
                guard request.operation != .create || !request.createdRows.contains(row),
                    var image = facts.images[row]
                else { continue }
                // What refers to a created row was recorded with a provisional key.
                let known = try principal.flatMap { principal in
                    try keyed[principal].flatMap {
                        try ForeignKeys(mapping).following(row, principal, change, $0)
                    }
                }
                image.row.values = StructureMerge.merge(known ?? change, over: image.row.values)
                image.row.state.insert(.linked)
                write(row, image)
            case .addLink(let link):
                edits.append(.baseLink(link, isPresent: true, request: request.id))
            case .removeLink(let link):
                edits.append(.baseLink(link, isPresent: false, request: request.id))
            case .clearLinks, .hide: break
            }
        }
    }

    private mutating func write(_ row: RowReference, _ image: StoredImage) {
        facts.images[row] = image
        edits.append(.image(row, image))
    }
}

extension QueuedRequest {
    /// Whether what the service has in the place of a row that this request deletes is another state than it was made for.
    package func isMadeAnew(_ image: StoredImage?) -> Bool {
        guard operation == .delete, let image, image.kind == .present, let ifMatch, ifMatch != "*",
            let tag = image.row.values.control.etag
        else { return false }
        return !EntityTag(tag).matches(EntityTag(ifMatch))
    }
}

extension StructureMerge {
    /// Everything an answer says, over what was sent; of another type the answer alone.
    static func take(_ answer: StructureValue, over sent: StructureValue) -> StructureValue {
        guard answer.type == sent.type else { return answer }
        var result = sent
        for (slot, value) in answer.slots.enumerated() where slot < result.slots.count {
            if let value { result.slots[slot] = value }
        }
        result.dynamicValues.merge(answer.dynamicValues) { $1 }
        return result
    }
}
