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

    /// The changes as they are to be kept.
    ///
    /// What a sending without an answer leaves of the row is no other row for what waits behind it.
    ///
    /// - Parameters:
    ///   - requests: all of the row, in the order of the queue.
    ///   - before: the row that they were made for.
    ///   - now: the row that the download brought.
    package func edits(
        _ requests: [QueuedRequest], before: StoredRow, now: StructureValue
    ) -> [QueuedRequest] {
        var expected = [before]
        var edits: [QueuedRequest] = []
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
            edits.append(request)
        }
        return edits
    }
}
