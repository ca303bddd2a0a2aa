import ODataModel

/// Finds out by content which creations of unknown fate took effect: what was sent, and the rows that came since → what
/// became of each (pure).
///
/// A row is taken for what a creation made when it shows everything that was sent (``ContentComparison``) and nothing else
/// could have made it. Creations that sent the same cannot be told apart and need not be: of three with two such rows, two
/// took effect. A row that shows nearly all of it keeps a creation from being taken for one that did not happen, because the
/// service may have changed what it was sent; of a creation that sent nothing but a content, each row that came since does.
package struct CreationMatching: Sendable {
    /// A creation, with what it sent: foreign keys that follow a parent included.
    package struct Creation: Sendable, Hashable {
        package var request: Int64
        /// Nil where that was the content of a media entity: its properties follow with a request of their own.
        package var sent: StructureValue?
        /// On its way just now: it may have made a row, and is settled by its own answer.
        package var isInFlight: Bool

        package init(request: Int64, sent: StructureValue?, isInFlight: Bool = false) {
            self.request = request
            self.sent = sent
            self.isInFlight = isInFlight
        }

        /// What a request of the queue sends, without the rows that come with it; nil for one that is no creation.
        package init?(_ request: QueuedRequest) {
            guard request.operation == .create else { return nil }
            var sent = request.bringsStream ? nil : request.body?.values
            guard sent != nil || request.bringsStream else { return nil }
            // The keys of rows that it makes, too, could not be sent.
            for case .values(request.target, let change, let principal?) in request.effects
            where !request.createdRows.contains(principal) {
                sent = sent.map { StructureMerge.merge(change, over: $0) }
            }
            self.init(request: request.id, sent: sent, isInFlight: request.state.isFrozen)
        }
    }

    package enum Decision: Sendable, Hashable {
        /// It made this row.
        case happened(Int64)
        /// No row that came since shows what it sent.
        case notHappened
        /// A creation that is on its way may have made the rows that show what it sent.
        case tooEarly
        /// More rows than creations could have made show what it sent.
        case several([Int64])
        /// No row shows all that was sent, but these show nearly all of it, or nothing was sent that a row could show.
        case close([Int64])
    }

    private let creations: [Creation]
    /// Creations that sent the same are compared with a row once.
    private let equal: [(sent: StructureValue?, requests: [Int64])]
    private let sent: [Int64: StructureValue?]
    private let comparison: ContentComparison
    private var matches: [Int64: [Int64]] = [:]
    private var closeRows: [Int64: [Int64]] = [:]
    private var close: Set<Closeness> = []

    private struct Closeness: Hashable {
        var request: Int64
        var row: Int64
    }

    package init(_ creations: [Creation], graph: MetadataGraph) {
        let creations = creations.sorted { $0.request < $1.request }
        self.creations = creations
        sent = Dictionary(creations.map { ($0.request, $0.sent) }, uniquingKeysWith: { $1 })
        var places: [StructureValue?: Int] = [:]
        var equal: [(sent: StructureValue?, requests: [Int64])] = []
        for creation in creations {
            if let place = places[creation.sent] {
                equal[place].requests.append(creation.request)
            } else {
                places[creation.sent] = equal.count
                equal.append((creation.sent, [creation.request]))
            }
        }
        self.equal = equal
        comparison = ContentComparison(graph: graph)
    }

    /// Looks at a row.
    ///
    /// - Parameter isNew: whether the row came after the creation was sent.
    package mutating func look(
        at row: Int64, _ values: StructureValue, isNew: (_ request: Int64) -> Bool
    ) {
        for creations in equal {
            let requests = creations.requests.filter(isNew)
            guard !requests.isEmpty else { continue }
            let score = creations.sent.map { comparison.score(of: $0, in: values) }
            if score?.isWhole == true {
                for request in requests { matches[request, default: []].append(row) }
            } else if score?.isClose != false {
                for request in requests { noteClose(row, to: request) }
            }
        }
    }

    /// Takes over a row with the key that a creation sent: where it does not show all that was sent, somebody has changed or made
    /// it, and the creation can neither count as carried out nor be sent again.
    package mutating func find(_ row: Int64, _ values: StructureValue, of request: Int64) {
        guard let sent = sent[request] else { return }
        let isShown = sent.map { comparison.score(of: $0, in: values).isWhole } ?? false
        if isShown {
            matches[request, default: []].append(row)
        } else {
            noteClose(row, to: request)
        }
    }

    /// Once of each row.
    private mutating func noteClose(_ row: Int64, to request: Int64) {
        guard close.insert(Closeness(request: request, row: row)).inserted else { return }
        closeRows[request, default: []].append(row)
    }

    /// Looks at a row that may have come in the place of one that was deleted, under its key: nobody saw it come, so that it is
    /// enough to keep a creation from being sent again, and not to settle it.
    package mutating func suspect(
        _ row: Int64, _ values: StructureValue, isPossible: (_ request: Int64) -> Bool
    ) {
        for creations in equal {
            let requests = creations.requests.filter(isPossible)
            guard !requests.isEmpty else { continue }
            let score = creations.sent.map { comparison.score(of: $0, in: values) }
            guard score.map({ $0.isWhole || $0.isClose }) ?? true else { continue }
            for request in requests { noteClose(row, to: request) }
        }
    }

    /// What is known of the age of an entity that shows what a creation would have made.
    package enum Age: Sendable, Hashable {
        /// Nobody knew of it before the creation was first sent.
        case new
        /// It was there before.
        case before
        /// Something was there before under its key, which did not show it: the key may have been given again.
        case rewritten
    }

    /// - Parameters:
    ///   - known: what the store has under the key of the entity, since before the creation was first sent.
    ///   - isRewritten: that came with other values since.
    package static func age(
        of entity: StructureValue, known: StructureValue, isRewritten: Bool,
        _ request: QueuedRequest, graph: MetadataGraph
    ) -> Age {
        guard !isRewritten else { return .rewritten }
        guard let sent = Creation(request)?.sent else { return .before }
        let isSame = ContentComparison(graph: graph).isSame(entity, as: known, in: sent)
        return isSame ? .before : .rewritten
    }

    private func rows(of request: Int64) -> [Int64] { matches[request] ?? [] }

    /// One decision for each creation.
    package func decisions() -> [Int64: Decision] {
        var decisions: [Int64: Decision] = [:]
        // Creations that sent the same and have the same rows before them.
        let groups = Dictionary(grouping: creations) {
            Group(sent: $0.sent, rows: rows(of: $0.request))
        }
        let claims = Dictionary(
            groups.keys.flatMap { group in group.rows.map { ($0, 1) } }, uniquingKeysWith: +)
        let taken = Set(
            groups.filter { group, members in
                group.rows.count <= members.count && !group.rows.contains { claims[$0] != 1 }
            }.flatMap(\.key.rows))
        for (group, members) in groups {
            let isShared = group.rows.contains { claims[$0, default: 0] > 1 }
            let isTooMany = group.rows.count > members.count
            let isTooEarly = members.contains(where: \.isInFlight)
            for (place, member) in members.enumerated() {
                decisions[member.request] =
                    if group.rows.isEmpty {
                        missing(member, taken)
                    } else if isTooEarly {
                        .tooEarly
                    } else if isShared || isTooMany {
                        .several(group.rows)
                    } else if place < group.rows.count {
                        .happened(group.rows[place])
                    } else {
                        .notHappened
                    }
            }
        }
        return decisions
    }

    private func missing(_ creation: Creation, _ taken: Set<Int64>) -> Decision {
        let rows = (closeRows[creation.request] ?? []).filter { !taken.contains($0) }
        return rows.isEmpty ? .notHappened : .close(rows)
    }

    private struct Group: Hashable {
        var sent: StructureValue?
        var rows: [Int64]
    }
}
