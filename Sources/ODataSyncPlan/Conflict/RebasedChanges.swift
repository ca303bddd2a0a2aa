import ODataModel
import ODataSQL

/// Which changes without entity tags a download has put over another row than the one that they were made for (pure).
///
/// By what is in the store alone nobody could tell any more: the row that a change is compared with before it is sent would be
/// the one that it is about to go over.
package struct RebasedChanges: Sendable {
    private let comparison: BaseComparison

    package init(_ comparison: BaseComparison) {
        self.comparison = comparison
    }

    /// What a download leads to.
    package struct Edits: Sendable, Hashable {
        /// The requests that are to be kept otherwise.
        package var requests: [QueuedRequest]
        /// Whether the row is one whose tag its changes are not to take; nil where the download tells none.
        package var isUntagged: Bool?
    }

    /// Changes that were made for another row are marked. Where none is, they take the tag that the download tells.
    ///
    /// - Parameters:
    ///   - requests: all of the row, in the order of the queue.
    ///   - before: the row that they were made for.
    ///   - now: the row that the download brought.
    package func edits(
        _ requests: [QueuedRequest], before: StoredRow, now: StructureValue
    ) -> Edits {
        let marked = marked(requests, before: before, now: now)
        guard let tag = now.control.etag else { return Edits(requests: marked, isUntagged: nil) }
        let changes = requests.filter(\.lacksTag)
        guard marked.isEmpty, !changes.contains(where: { $0.flags.contains(.rebased) }) else {
            return Edits(requests: marked, isUntagged: true)
        }
        let told = changes.filter { !$0.isSealed }.map { request in
            var request = request
            request.ifMatch = tag
            return request
        }
        return Edits(requests: told, isUntagged: false)
    }

    /// What a sending without an answer leaves of the row is no other row for what waits behind it.
    private func marked(
        _ requests: [QueuedRequest], before: StoredRow, now: StructureValue
    ) -> [QueuedRequest] {
        var expected = [before]
        var marked: [QueuedRequest] = []
        for request in requests where request.lacksTag {
            let isOpen = request.isSealed || request.flags.contains(.open)
            if isOpen, request.operation.isUpdate, let body = request.body {
                // The service may keep what was sent in a form of its own.
                var left = expected[expected.count - 1]
                left.values = StructureMerge.merge(body.values, over: left.values)
                for case .values(request.target, let values, _) in request.effects {
                    left.values = StructureMerge.merge(values, over: left.values)
                }
                // Of a creation that was seen nulls are known, too.
                if !left.state.contains(.unseen) { left.state.remove(.created) }
                left.state.insert(.unseen)
                expected.append(left)
            }
            let isExpected = expected.contains {
                comparison.isUnchanged($0, in: now, whereOverwrittenBy: [request])
            }
            guard !isExpected, !request.flags.contains(.rebased) else { continue }
            var request = request
            request.flags.insert(.rebased)
            marked.append(request)
        }
        return marked
    }
}
