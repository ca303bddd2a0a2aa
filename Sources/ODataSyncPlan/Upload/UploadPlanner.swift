/// Decides which waiting requests are sent next, and in which HTTP requests (pure).
///
/// The upload calls ``wave(of:selected:)`` again after each wave's answers are recorded, because an answer can
/// rewrite what waits: keys, ETags, quarantine.
package struct UploadPlanner: Sendable {
    /// One `application/http` part of a batch, or a request of its own.
    package enum Part: Sendable, Hashable {
        case request(Int64)
        /// Requests that succeed or fail as one, in queue order.
        case changeSet([Int64])

        package var ids: [Int64] {
            switch self {
            case .request(let id): [id]
            case .changeSet(let ids): ids
            }
        }
    }

    /// Puts several parts into one `$batch` where the service takes it.
    package var usesBatch: Bool
    /// Most parts of one batch.
    package var maximumParts: Int
    /// Contents that are small enough may share a batch.
    package var batchesStreams = true
    /// Most bytes of one batch of several parts.
    package var maximumBytes = Int.max

    /// A content beyond this goes alone, because a batch is held in memory and stored with the attempt.
    package static let largestBatchedStream: Int64 = 1 << 20

    /// What a request takes beside its values: its line, its headers and the boundaries of its part.
    private static let frameBytes = 512

    package init(usesBatch: Bool, maximumParts: Int = 200) {
        self.usesBatch = usesBatch
        self.maximumParts = max(1, maximumParts)
    }

    // Hot: Upload
    /// The HTTP requests of the next wave, none of whose members has to wait for another: each inner array is one
    /// batch, or a single part. Empty when nothing selected can be sent any more.
    ///
    /// A change set always stands alone in its parts' order; where the service takes no batch, a change set of several
    /// requests still needs one.
    package func wave(of requests: [QueuedRequest], selected: Set<Int64>) -> [[Part]] {
        let dependencies = RequestDependencies(requests)
        let unanswered = Set(
            requests.filter { $0.state == .waiting || $0.state.isFrozen }.map(\.id))
        let byID = Dictionary(uniqueKeysWithValues: requests.map { ($0.id, $0) })
        let changeSets = waitingChangeSets(requests)
        var parts: [Part] = []
        var placed = Set<Int64>()
        for id in dependencies.order {
            guard let request = byID[id], request.state == .waiting, selected.contains(id),
                !placed.contains(id)
            else { continue }
            let members = request.changeSet.flatMap { changeSets[$0] } ?? [id]
            placed.formUnion(members)
            let together = Set(members)
            let open = members.reduce(into: Set<Int64>()) {
                $0.formUnion(dependencies.predecessors(of: $1))
            }.subtracting(together).intersection(unanswered)
            guard open.isEmpty, together.isSubset(of: selected) else { continue }
            parts.append(
                members.count > 1 || request.changeSet != nil ? .changeSet(members) : .request(id))
        }
        return group(parts)
    }

    /// What waits of each change set, in queue order: found once, because a queue of ten thousand may be as many change sets.
    private func waitingChangeSets(_ requests: [QueuedRequest]) -> [String: [Int64]] {
        let waiting = requests.filter { $0.changeSet != nil && $0.state == .waiting }
        return Dictionary(grouping: waiting.sorted(by: QueuedRequest.comesBefore)) {
            $0.changeSet ?? ""
        }.mapValues { $0.map(\.id) }
    }

    private func group(_ parts: [Part]) -> [[Part]] {
        guard usesBatch else { return parts.map { [$0] } }
        return stride(from: 0, to: parts.count, by: maximumParts).map {
            Array(parts[$0..<min($0 + maximumParts, parts.count)])
        }
    }

    /// A wave as it is sent: contents that are large, or that share nothing, in requests of their own, behind the rest of
    /// their batch; the rest split so that no piece carries more than ``maximumBytes``, as long as it has more than one part.
    ///
    /// - Parameters:
    ///   - requests: those of the wave.
    ///   - lengths: bytes of the contents that requests bring, by request.
    package func pieces(
        of wave: [[Part]], _ requests: [QueuedRequest], lengths: [Int64: Int64] = [:]
    ) -> [[Part]] {
        let sizes = Dictionary(
            requests.map {
                ($0.id, Self.frameBytes + $0.estimatedBytes + Int(lengths[$0.id] ?? 0))
            }, uniquingKeysWith: { $1 })
        return wave.flatMap { parts -> [[Part]] in
            let alone = parts.filter { goesAlone($0, lengths) }
            return split(parts.filter { !goesAlone($0, lengths) }, sizes) + alone.map { [$0] }
        }
    }

    /// A change set keeps together what it holds.
    private func goesAlone(_ part: Part, _ lengths: [Int64: Int64]) -> Bool {
        guard case .request(let id) = part, let length = lengths[id] else { return false }
        return !batchesStreams || length > Self.largestBatchedStream
    }

    private func split(_ parts: [Part], _ sizes: [Int64: Int]) -> [[Part]] {
        var batches: [[Part]] = []
        var current: [Part] = []
        var bytes = 0
        for part in parts {
            let size = part.ids.reduce(0) { $0 + (sizes[$1] ?? 0) }
            if !current.isEmpty, bytes + size > maximumBytes {
                batches.append(current)
                current = []
                bytes = 0
            }
            current.append(part)
            bytes += size
        }
        return current.isEmpty ? batches : batches + [current]
    }
}
