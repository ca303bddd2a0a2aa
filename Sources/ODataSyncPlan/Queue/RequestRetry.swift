import ODataText

/// What it changes in the queue that failed requests are sent again: state → edits (pure; offline reference, 11.4).
///
/// They wait at their old places: under new identities where the service has answered the old ones, and as the same requests
/// where a sending is open, so that a service that recognises repetitions does not act twice. What was refused for another row,
/// of which the store knows no tag, goes over the row that is there when it is sent. What was cancelled does not go again.
package enum RequestRetry {
    /// - Parameters:
    ///   - queue: holds what the failed requests keep back.
    ///   - tags: by request, the tag that the service last gave to what it changes.
    ///   - asNew: they are other requests from now on, corrected or known to have had no effect.
    package static func edits(
        _ failed: [QueuedRequest], in queue: [QueuedRequest], tags: [Int64: String],
        asNew: Bool = false
    ) -> [QueueEdit] {
        let failed = failed.filter { !$0.isCancelled }
        let ids = Set(failed.map(\.id))
        let freed = queue.compactMap { request -> QueueEdit? in
            guard case .blocked(let cause) = request.state, ids.contains(cause),
                !ids.contains(request.id)
            else { return nil }
            var request = request
            request.state = .waiting
            return .replace(request)
        }
        return failed.map { .replace(renewed($0, tags[$0.id], asNew: asNew)) } + freed
    }

    /// Why a request that was cancelled while it had no answer is not sent again, though it is listed.
    package static let cancelled = ODataError(
        .conflict, "Expected a request that was not cancelled.")

    /// Whether a request is for one state of a row or content. One without a tag may have been made behind a creation whose
    /// answer was lost.
    package static func takesTag(_ request: QueuedRequest) -> Bool {
        request.operation.isUpdate || request.operation == .delete || request.operation.isStream
    }

    private static func renewed(
        _ request: QueuedRequest, _ tag: String?, asNew: Bool
    ) -> QueuedRequest {
        var request = request
        let isRebased = request.flags.contains(.rebased)
        request.flags.remove(.rebased)
        // An identity that the service has rejected stands for no sending any more.
        if !asNew, request.wasSent, request.state.isUnknown || request.flags.contains(.open) {
            request.flags.insert(.open)
        } else {
            request.flags.remove(.open)
            request.identity = RepeatabilityIdentity(id: "")
        }
        let isUntagged = tag == nil && (request.operation.isUpdate || request.operation == .delete)
        let isRefused =
            WriteConflict.isPossible(request) && request.state.failure?.status == 412
            && request.state.failure?.code != RequestFailure.changeSetNotSent
        if !asNew, isUntagged, isRebased || isRefused { request.flags.insert(.goesOver) }
        request.state = .waiting
        if takesTag(request), let tag { request.ifMatch = tag }
        return request
    }
}
