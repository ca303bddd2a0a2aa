import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Decisions about conflicts, carried out in one durable transaction each, with the event that tells of them.
extension LocalStore {
    /// What became of a decision.
    package struct ConflictSettlement: Sendable, Hashable {
        package var overwrite: Overwrite?
        /// The change, or what has come in its place, waits to be sent.
        package var isSentAgain: Bool
    }

    /// What stands against each other.
    ///
    /// - Parameter server: the row as the service has it now; nil where it is gone.
    package func conflict(
        of request: QueuedRequest, server: StructureValue?
    ) throws -> WriteConflict {
        try reading { transaction in
            let row = request.target
            let image = try transaction.images(row.table).image(id: row.id)
            let local =
                request.operation == .delete ? nil : try transaction.visibleRow(row)?.values
            return WriteConflict(
                request: request, base: image?.row.values, local: local, server: server)
        }
    }

    /// Carries out a decision, unless the app has dealt with the request meanwhile.
    ///
    /// - Parameter policy: the name of who decided.
    /// - Returns: nil when nothing was decided.
    package func settle(
        _ conflict: WriteConflict, by outcome: WriteConflictOutcome, policy: String
    ) throws -> ConflictSettlement? {
        defer { try? sweepStreams() }
        return try writing { transaction in
            let request = conflict.request
            guard try transaction.requests.requests([request.id]).first == request else {
                return nil
            }
            let table = try transaction.table(request.target.table)
            guard
                let plan = ConflictPlan(
                    conflict, outcome, policy: policy, queue: try transaction.requests.all(),
                    graph: transaction.graph, isContained: table.parent != nil)
            else { return nil }
            try transaction.write(plan.image, of: request.target)
            try QueueChange(transaction: transaction, cause: .service).apply(
                plan.edits, refreshing: [request.target])
            if let overwrite = plan.overwrite {
                try transaction.addEvent(
                    "overwrite", details: OverwriteText(transaction.graph).details(overwrite))
            }
            return ConflictSettlement(
                overwrite: plan.overwrite, isSentAgain: plan.isSentAgain)
        }
    }

    /// Lets a change that the app has sent again go over the row that a look has shown, once.
    ///
    /// - Parameter shown: nil where the service shows nothing: then it goes as it is.
    /// - Returns: what it goes over, as the event has it.
    package func goOver(
        _ shown: StructureValue?, with id: Int64
    ) throws -> Overwrite? {
        try writing { transaction in
            guard var request = try transaction.requests.requests([id]).first,
                request.state == .waiting, request.flags.contains(.goesOver)
            else { return nil }
            let row = request.target
            request.flags.subtract([.goesOver, .rebased])
            let isThere = try transaction.images(row.table).image(id: row.id)?.kind == .present
            var overwrite: Overwrite?
            if let shown, isThere {
                request.ifMatch = shown.control.etag
                try transaction.write(.present(shown), of: row)
                overwrite = Overwrite(
                    sending: request, over: shown, in: try transaction.requests.all(),
                    graph: transaction.graph)
            }
            try QueueChange(transaction: transaction, cause: .service).apply(
                [.replace(request)], refreshing: [row])
            if let overwrite {
                try transaction.addEvent(
                    "overwrite", details: OverwriteText(transaction.graph).details(overwrite))
            }
            return overwrite
        }
    }

    /// Lists requests as refused that were not sent; what depends on them waits for what becomes of them.
    package func refuse(_ ids: Set<Int64>, with failure: RequestFailure) throws {
        try writing { transaction in
            let refused = AttemptEdits.refused(
                ids, with: failure, in: try transaction.requests.all())
            try QueueChange(transaction: transaction, cause: .service).apply(
                refused.map { .replace($0) })
        }
    }

    /// Takes over what the service has of a row of which a change was accepted.
    ///
    /// What waits for a row without a tag is compared with it (``takeTag(of:for:isCompared:behind:)``); what has the tag that
    /// the answer told keeps the row that it was made for.
    ///
    /// - Parameter own: see there.
    /// - Returns: how many changes were listed as refused.
    package func adoptAccepted(
        _ values: StructureValue, of row: RowReference, behind own: [QueuedRequest] = []
    ) throws -> Int {
        let isTagged = try writing { transaction in
            let images = try transaction.images(row.table)
            let image = try images.image(id: row.id)
            guard var stored = try image?.row ?? images.rows.row(id: row.id),
                stored.values.control.etag != nil
            else { return false }
            // Where something waits there is a base image.
            guard image == nil else { return true }
            stored.show(values)
            try images.rows.write(stored)
            return true
        }
        return isTagged ? 0 : try takeTag(of: values, for: row, isCompared: true, behind: own)
    }

    /// Takes over a row that was read because the answer to a change of it left its tag out, for what waits behind that change
    /// as well.
    ///
    /// Where the row is not the one that those were made for, they keep the tags that they have, and the service refuses them;
    /// one that has none is listed as refused. Where the service has no tags at all, and the app does not want rows compared,
    /// it goes as any change of such a row.
    ///
    /// - Parameters:
    ///   - isCompared: the app wants rows of the set compared before they are changed.
    ///   - own: accepted changes in front of those that wait, sent over the row as it was then: what else is different now counts
    ///     as what the service made of them, for changes that go over all of the row.
    /// - Returns: how many were listed.
    package func takeTag(
        of shown: StructureValue, for row: RowReference, isCompared: Bool = false,
        behind own: [QueuedRequest] = []
    ) throws -> Int {
        try writing { transaction in
            let images = try transaction.images(row.table)
            let image = try images.image(id: row.id)
            // With a tag it is what a download has brought meanwhile.
            guard image?.kind != .tombstone,
                let base = try image?.row ?? images.rows.row(id: row.id),
                base.values.control.etag == nil
            else { return 0 }
            let writers = try transaction.requests.requests(writing: [row]).filter {
                $0.target == row
            }
            // What was listed just now was made for another row: this one is not to become its base.
            let isListed = writers.contains {
                $0.ifMatch == nil && $0.state.failure?.code == RequestFailure.rowChanged.code
            }
            guard !isListed else { return 0 }
            let waiting = writers.filter { $0.state == .waiting }
            let changes = waiting.filter { $0.operation.isUpdate || $0.operation == .delete }
            let comparison = BaseComparison(
                graph: transaction.graph,
                ignoresNulls: try transaction.hasPartialRows(row.table))
            let change = QueueChange(transaction: transaction, cause: .service)
            guard !changes.contains(where: { $0.flags.contains(.rebased) }),
                comparison.isUnchanged(base, in: shown, whereOverwrittenBy: changes, behind: own)
            else {
                let isSeen =
                    isCompared || shown.control.etag != nil || base.state.contains(.untagged)
                guard isSeen else { return 0 }
                let untagged = Set(changes.filter(\.lacksTag).map(\.id))
                if let image, !untagged.isEmpty, shown.control.etag != nil {
                    // They stay refused when a download brings what they were not made for.
                    var stored = image.row
                    stored.state.insert(.untagged)
                    try images.write(stored, kind: .present)
                }
                try change.apply(
                    AttemptEdits.refused(
                        untagged, with: .rowChanged, in: try transaction.requests.all()
                    ).map { .replace($0) })
                return untagged.count
            }
            // Contents have tags of their own.
            for var request in waiting
            where !request.operation.isStream && (request.ifMatch != nil || request.lacksTag) {
                request.ifMatch = shown.control.etag
                try transaction.requests.update(request)
            }
            if image != nil {
                try transaction.write(.present(shown), of: row)
                try change.apply([], refreshing: [row])
            } else {
                var stored = base
                stored.show(shown)
                try images.rows.write(stored)
            }
            return 0
        }
    }

    /// Of sets whose rows have no entity tags, those of which nobody was told yet that conflicts cannot be seen; they count
    /// as told from now on.
    package func noteUntagged(_ sets: [String]) throws -> [String] {
        guard !sets.isEmpty else { return [] }
        return try writing { transaction in
            try sets.filter { set in
                guard let table = transaction.mapping.table(path: set),
                    let etag = table.system.etag
                else { return false }
                let lost =
                    table.system.state.map {
                        " OR \(SQLName.quoted($0)) & \(EntityState.untagged.rawValue) <> 0"
                    } ?? ""
                guard
                    try Int64.fetchOne(
                        transaction.database,
                        sql: "SELECT 1 FROM \(SQLName.quoted(table.name))"
                            + " WHERE \(SQLName.quoted(etag)) IS NOT NULL\(lost) LIMIT 1") == nil,
                    try Int64.fetchOne(
                        transaction.database,
                        sql: "SELECT 1 FROM _odata_event WHERE type = 'unseenConflicts'"
                            + " AND details = ? LIMIT 1", arguments: [set]) == nil
                else { return false }
                try transaction.addEvent("unseenConflicts", details: set)
                return true
            }
        }
    }
}

extension StoreTransaction {
    /// Writes what the service is known to have of a row that is changed here.
    fileprivate func write(_ image: ConflictPlan.Image, of row: RowReference) throws {
        let images = try images(row.table)
        guard var stored = try images.image(id: row.id)?.row ?? images.rows.row(id: row.id) else {
            return
        }
        switch image {
        case .present(let values):
            let before = stored.values
            stored.show(values)
            try images.write(stored, kind: .present)
            // No download brings it as something new any more, and it may be what a creation without an answer made.
            if stored.values != before {
                try RowMarks(database: database).note(
                    rewritten: [row.id], in: images.rows.table)
            }
        case .tombstone: try images.write(stored, kind: .tombstone)
        case .absent: try images.drop(id: row.id)
        }
    }
}

extension StoredRow {
    /// Takes over what a look at the service has shown.
    fileprivate mutating func show(_ values: StructureValue) {
        self.values = StructureMerge.merge(values, over: self.values)
        self.values.control.etag = values.control.etag
        state.subtract([.unseen, .untagged])
    }
}

/// The details of an event that tells of an overwriting: JSON with what was different before and after.
struct OverwriteText {
    private let graph: MetadataGraph
    /// Larger rows are told by the names of their properties.
    private static let limit = 64 << 10

    init(_ graph: MetadataGraph) { self.graph = graph }

    func details(_ overwrite: Overwrite) -> String {
        let (before, after) = overwrite.difference(in: graph)
        let text = details(overwrite) { writer in
            for (name, value) in [("before", before), ("after", after)] {
                writer.name(name)
                if let value {
                    ValueJSON(graph: graph).write(value, to: &writer)
                } else {
                    writer.null()
                }
            }
        }
        guard text.utf8.count > Self.limit else { return text }
        return details(overwrite) { writer in
            writer.name("properties")
            writer.beginArray()
            for name in overwrite.properties(in: graph) { writer.string(name) }
            writer.endArray()
        }
    }

    private func details(
        _ overwrite: Overwrite, _ body: (inout JSONWriter) -> Void
    ) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("request")
        writer.integer(overwrite.request)
        writer.name("entity")
        writer.string(name(of: overwrite))
        writer.name("policy")
        writer.string(overwrite.policy)
        writer.name("overwritten")
        writer.string(overwrite.side.rawValue)
        body(&writer)
        writer.endObject()
        return writer.text
    }

    private func name(of overwrite: Overwrite) -> String { overwrite.name(in: graph) }
}
