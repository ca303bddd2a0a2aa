import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings the answers of one attempt into the store: asks ``AnswerRule``, ``Acceptance`` and ``Rekeying`` what they change, and
/// carries that out.
struct AnswerRecording {
    let transaction: StoreTransaction
    /// An earlier sending of the attempt has no answer, and may have had the effect.
    let isOpen: Bool
    /// The rows that a download brought of what a request created.
    private let found: [RowReference: Int64]
    private(set) var outcome = RecordOutcome()
    /// The tables that the accepted requests have changed at the service.
    private(set) var changedTables: Set<String> = []
    /// Rows whose creation was accepted.
    private var made: Set<RowReference> = []
    private var rows: Set<RowReference> = []
    private var links: Set<LinkReference> = []
    private var keyed: [RowReference: StructureValue] = [:]
    /// Which tables have tags, as far as it was asked: to find that a table has none reads a thousand rows.
    private(set) var tagged: [String: Bool]
    /// Tables of base images with tags, of which the rows are to learn.
    private var taggedImages: Set<String> = []
    /// Deleted rows in whose places a download may have brought others.
    private var replaced: Set<RowReference> = []

    init(
        transaction: StoreTransaction, isOpen: Bool = false, found: [RowReference: Int64] = [:],
        tagged: [String: Bool] = [:]
    ) {
        self.tagged = tagged
        self.transaction = transaction
        self.isOpen = isOpen
        self.found = found
    }

    /// Records answers together; when that is not possible, one by one, so that only what the store cannot take is listed.
    mutating func record(_ answers: [AttemptAnswers.Answer]) throws {
        var whole = self
        let refusal = try transaction.attempt {
            for answer in answers { try whole.record(answer) }
            try whole.finish()
        }
        guard refusal != nil else {
            self = whole
            return
        }
        for answer in answers {
            var next = self
            if let refusal = try transaction.attempt({ try next.take(answer) }) {
                try list(answer, refusal)
            } else {
                self = next
            }
        }
    }

    /// Records one answer.
    ///
    /// - Throws: why the store cannot take it.
    mutating func take(_ answer: AttemptAnswers.Answer) throws {
        try record(answer)
        try finish()
    }

    private mutating func record(_ answer: AttemptAnswers.Answer) throws {
        guard let request = try transaction.requests.requests([answer.request]).first else {
            return
        }
        let rule = AnswerRule.of(answer.outcome, for: request, isOpen: isOpen)
        if case .accept(let message) = rule {
            try accept(request, message, isLook: answer.isLook)
        }
        try apply(rule, to: request)
    }

    private mutating func apply(_ rule: AnswerRule, to request: QueuedRequest) throws {
        outcome.note(request.id, rule)
        if request.isCancelled { try tellCancelled(request, rule) }
        if rule == .drop { return try drop(request) }
        guard let changed = rule.applied(to: request) else { return }
        try transaction.requests.update(changed)
        if changed.state.isFailure { note(changed) }
    }

    /// A cancelled request goes, or is listed with later changes that cannot be without it.
    private mutating func drop(_ request: QueuedRequest) throws {
        let queue = try transaction.requests.all()
        for edit in Cancellation.dropped(request, in: queue) {
            switch edit {
            case .remove(let id):
                if let gone = queue.first(where: { $0.id == id }) { note(gone) }
                transaction.departures?.note(id, .takenBack)
                try transaction.requests.remove(id)
            case .replace(let listed):
                note(listed)
                try transaction.requests.update(listed)
                outcome.dropped.removeAll { $0 == listed.id }
                outcome.refused.append(listed.id)
            case .append: break
            }
        }
    }

    private func tellCancelled(_ request: QueuedRequest, _ rule: AnswerRule) throws {
        let fate: String
        switch rule {
        case .accept: fate = "was carried out before it could be cancelled"
        case .drop: fate = "was cancelled"
        default: return
        }
        try transaction.addEvent(
            "cancelled", details: "request \(request.id) in \(request.target.table) \(fate)")
    }

    /// What became of the request counts, though its rows cannot be brought up to date.
    private mutating func list(_ answer: AttemptAnswers.Answer, _ error: ODataError) throws {
        guard let request = try transaction.requests.requests([answer.request]).first else {
            return
        }
        let rule = AnswerRule.of(answer.outcome, for: request, isOpen: isOpen)
        if case .accept = rule { changedTables.formUnion(request.changedTables) }
        try apply(rule.notTaken(because: error), to: request)
        try follow()
        _ = try transaction.attempt { try refresh() }
        made = []
        rows = []
        links = []
    }

    private mutating func finish() throws {
        try follow()
        try refresh()
        // The rows have the tags of their images now.
        for table in taggedImages { tagged[table] = nil }
        taggedImages = []
        let deletions = AcceptedDeletions(database: transaction.database)
        if !made.isEmpty, try !deletions.isEmpty() {
            for row in made { try deletions.forget(row.id, of: transaction.table(row.table)) }
        }
        made = []
        rows = []
        links = []
    }

    private func refresh() throws {
        try RowRefresh(transaction: transaction, cause: .service).refresh(rows, links: links)
    }

    /// Rewrites what waits, and holds back what depends on refusals.
    private mutating func follow() throws {
        if !keyed.isEmpty {
            let rekeying = try Rekeying(
                keyed, in: try transaction.requests.requests(following: keyed.keys),
                mapping: transaction.mapping)
            try transaction.requests.apply(
                rekeying.requests.map { .replace($0) },
                makeIdentifier: transaction.makeIdentifier)
            rows.formUnion(rekeying.rows)
        }
        let failed = Set(outcome.refused + outcome.unknown)
        if !failed.isEmpty {
            for request in AttemptEdits.blocked(by: failed, in: try transaction.requests.all()) {
                try transaction.requests.update(request)
                if case .blocked(let cause) = request.state { outcome.blocked[request.id] = cause }
                note(request)
            }
        }
    }

    private mutating func note(_ request: QueuedRequest) {
        rows.formUnion(request.touchedRows)
        rows.formUnion(request.writtenRows)
        links.formUnion(request.changedLinks)
    }

    private mutating func accept(
        _ request: QueuedRequest, _ message: ResponseMessage, isLook: Bool
    ) throws {
        note(request)
        transaction.departures?.note(request.id, .accepted)
        changedTables.formUnion(request.changedTables)
        guard isStored(request.target) else {
            // The metadata has its set no more: there is nothing to bring up to date.
            return try transaction.requests.remove(request.id)
        }
        var created: CreationAnswer?
        if request.operation == .create {
            created = try CreationAnswer(
                message, to: request, linkKey: try linkKey(in: message, of: request),
                keys: try foundKeys(), mapping: transaction.mapping, keyed: keyed)
        }
        var places = try (created?.rows ?? []).map(place(of:))
        // As it is stored, unless what was settled has changed it.
        var known = [request]
        if !isLook, try settleDeletions(overtakenBy: places, of: request) {
            places = try places.map { try place(of: $0.created) }
            known = []
        }
        let acceptance = try Acceptance(
            of: request, answered: message, isLook: isLook,
            isRepeated: isOpen || request.flags.contains(.open), creating: created,
            facts: try facts(about: request, places, message, known: known),
            mapping: transaction.mapping, keys: transaction.keys)
        let forgotten = Set(
            acceptance.edits.compactMap { if case .forget(let row) = $0 { row } else { nil } })
        for row in request.deletedRows where isStored(row) && forgotten.contains(row) {
            try AcceptedDeletions(database: transaction.database)
                .keep(row.id, of: transaction.table(row.table))
        }
        made.formUnion(request.createdRows.filter(isStored))
        for edit in acceptance.edits { try apply(edit) }
        keyed.merge(acceptance.keyed) { $1 }
        outcome.needsETag += acceptance.tagsWanted
    }

    /// A service that has given the key of a row to what a creation made has carried out the deletion of that row.
    ///
    /// - Returns: Whether any was settled, so that other rows may be here than before.
    private mutating func settleDeletions(
        overtakenBy places: [Place], of request: QueuedRequest
    ) throws -> Bool {
        let overtaken = OvertakenDeletions(transaction: transaction)
        var isAny = false
        for known in places where found[known.created.row] == nil {
            let place = isAny ? try self.place(of: known.created) : known
            guard let other = place.double else { continue }
            for (deletion, fate) in try overtaken.fates(of: other, under: request)
            where fate != .stays {
                if fate == .isReplaced { replaced.insert(other) }
                try overtaken.leave(deletion)
                outcome.unanswered.removeAll { $0 == deletion.id }
                try record(
                    AttemptAnswers.Answer(
                        request: deletion.id, outcome: .answered(ResponseMessage(status: 204))))
                isAny = true
            }
        }
        return isAny
    }

    /// The key in the headers of an answer (Protocol 4.01, 8.3.4).
    private func linkKey(
        in message: ResponseMessage, of request: QueuedRequest
    ) throws -> [Scalar]? {
        guard let link = message.headers["OData-EntityId"] ?? message.headers["Location"] else {
            return nil
        }
        return try transaction.table(request.target.table)
            .key(ofID: link, in: transaction.graph)
    }

    private func foundKeys() throws -> [RowReference: [Scalar]] {
        var keys: [RowReference: [Scalar]] = [:]
        for (row, other) in found {
            let images = try transaction.images(row.table)
            guard let stored = try images.image(id: other)?.row ?? images.rows.row(id: other)
            else { continue }
            keys[row] = images.rows.key(of: stored.values)
        }
        return keys
    }

    // MARK: Facts

    private mutating func facts(
        about request: QueuedRequest, _ places: [Place], _ message: ResponseMessage,
        known: [QueuedRequest]
    ) throws -> Acceptance.Facts {
        var facts = Acceptance.Facts()
        let created = places.map(\.created)
        if request.operation == .create || request.operation.isUpdate
            || request.operation.isStream
        {
            facts.writers = try transaction.requests.requests(
                writing: [request.target] + created.map(\.row), known: known)
        }
        var written = Set(created.map(\.row))
        if request.operation.isUpdate || request.operation == .delete {
            written.insert(request.target)
        }
        for case .values(let row, _, _) in request.effects { written.insert(row) }
        for row in written where isStored(row) {
            let image = try transaction.images(row.table).image(id: row.id)
            facts.images[row] = image.map { StoredImage(row: $0.row, kind: $0.kind) }
        }
        for place in places {
            facts.parents[place.created.row] = place.parent
            guard let other = place.double else { continue }
            let images = try transaction.images(other.table)
            guard let stored = try images.image(id: other.id)?.row ?? images.rows.row(id: other.id)
            else { continue }
            facts.doubles[place.created.row] = Acceptance.Double(row: other, stored: stored)
        }
        facts.isReplaced = replaced.contains(request.target)
        if request.operation.isUpdate, facts.writers.count > 1 {
            facts.hasPartialRows = try transaction.hasPartialRows(request.target.table)
        }
        var untold = Set(
            created.filter { $0.values.control.etag == nil }.map(\.row.table))
        if request.operation.isUpdate, message.headers["ETag"] == nil,
            facts.images[request.target]?.row.values.control.etag == nil
        {
            untold.insert(request.target.table)
        }
        for table in untold where try hasTags(table) { facts.taggedSets.insert(table) }
        if !facts.doubles.isEmpty { facts.queue = try transaction.requests.all() }
        return facts
    }

    private mutating func hasTags(_ table: String) throws -> Bool {
        if let known = tagged[table] { return known }
        let isTagged = try transaction.hasTags(table)
        tagged[table] = isTagged
        return isTagged
    }

    /// What is here of a created row.
    private struct Place {
        let created: CreatedRow
        /// The row that contains it.
        var parent: Int64?
        /// Another row with its key.
        var double: RowReference?
    }

    private func place(of created: CreatedRow) throws -> Place {
        let (row, table) = (created.row, created.row.table)
        let access = try transaction.access(table)
        var place = Place(created: created, parent: try access.row(id: row.id)?.parent)
        guard let key = created.key else { return place }
        var other = found[row]
        // A creation whose answer was recorded just now has its key in the base image first.
        for rows in [access, try transaction.images(table).base] where other == nil {
            let id = try rows.id(key: key, parent: place.parent)
            if id != row.id { other = id }
        }
        place.double = other.map { RowReference(table: table, id: $0) }
        return place
    }

    private func isStored(_ row: RowReference) -> Bool {
        transaction.mapping.table(path: row.table) != nil
    }

    /// Who holds a row is none of an answer's business; what is made anew, and was let go, is whose set it is in.
    private func sources(of row: RowReference, _ images: BaseImages) throws -> Int64? {
        guard let held = try images.rows.row(id: row.id)?.sources else { return nil }
        guard held == RowHolds.nobody, made.contains(row),
            try !SourceHolds(database: transaction.database).readers(of: row.table).isEmpty
        else { return held }
        return 0
    }

    // MARK: Edits

    private mutating func apply(_ edit: RecordingEdit) throws {
        switch edit {
        case .update(let request): try transaction.requests.update(request)
        case .remove(let request): try transaction.requests.remove(request)
        case .image(let row, var image):
            let images = try transaction.images(row.table)
            if let held = try sources(of: row, images) { image.row.sources = held }
            try images.write(image.row, kind: image.kind)
            if image.row.values.control.etag != nil || image.row.state.contains(.untagged) {
                taggedImages.insert(row.table)
            }
        case .forget(let row):
            if isStored(row) { try transaction.forget(row) }
        case .doubt(let row):
            try DownloadBookkeeping(transaction.database).readAll(of: row.table)
        case .join(let other, let row):
            try RowMerge(transaction: transaction).merge(other, into: row)
        case .alias(let row, let url):
            try transaction.database.cachedStatement(
                sql: "INSERT OR REPLACE INTO _odata_alias VALUES (?, ?, ?)"
            ).execute(arguments: [row.table, row.id, url])
        case .baseLink(let link, let isPresent, let request):
            try transaction.links.keepBase(link, request: request)
            try transaction.links.setBase(link, isPresent: isPresent)
        case .content(let request, let etag):
            try StreamRows(database: transaction.database).settle(request: request, etag: etag)
        }
    }
}
