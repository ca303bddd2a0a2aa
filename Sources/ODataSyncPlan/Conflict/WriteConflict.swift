import ODataModel
import ODataQuery
import ODataWire

/// A change made here and one made at the service that do not know of each other.
package struct WriteConflict: Sendable, Hashable {
    /// The update or deletion that the service refused.
    package var request: QueuedRequest
    /// The row as the service had it when the change was made, as far as that is known.
    package var base: StructureValue?
    /// The row as it is here; nil where it is deleted here.
    package var local: StructureValue?
    /// The row as the service has it now; nil where it is gone.
    package var server: StructureValue?

    package init(
        request: QueuedRequest, base: StructureValue?, local: StructureValue?,
        server: StructureValue?
    ) {
        self.request = request
        self.base = base
        self.local = local
        self.server = server
    }

    /// Whether the refusal of a request may come of such a conflict (RFC 9110, sections 13.1.1, 15.5.5 and 15.5.10).
    package static func isPossible(_ request: QueuedRequest) -> Bool {
        guard !request.isCancelled, let failure = request.state.failure,
            failure.code != "RepeatabilityRejected"
        else {
            return false
        }
        switch request.operation {
        case .update: return [404, 409, 410, 412].contains(failure.status)
        case .delete: return [409, 412].contains(failure.status)
        case .create, .createLink, .updateLink, .deleteLink, .putStream, .deleteStream: return false
        }
    }

    /// Why no policy decides a refusal that comes of another's change; nil where one does, or where it is no such refusal.
    ///
    /// A policy has the states of an entity to decide by; of a content or a link nobody has what the other side has put there.
    package static func reasonUndecided(_ request: QueuedRequest) -> String? {
        guard let failure = request.state.failure, failure.status == 412,
            failure.code != "RepeatabilityRejected"
        else { return nil }
        let part: String
        switch request.operation {
        case .putStream, .deleteStream: part = "content"
        case .createLink, .updateLink, .deleteLink: part = "link"
        case .create, .update, .delete: return nil
        }
        return
            "\(request.target.table) (request \(request.id)): somebody else changed what the \(part)"
            + " belongs to; policies decide about entities only, and it stays listed"
    }

    /// Whether the service's row is another one than the change was made for.
    package func isReal(in graph: MetadataGraph) -> Bool {
        guard let server else { return true }
        if let sent = request.ifMatch, sent != "*", let now = server.control.etag {
            return !EntityTag(sent).matches(EntityTag(now))
        }
        // What was compared before may be known by a download by now.
        if request.ifMatch == nil, request.state.failure?.code == RequestFailure.rowChanged.code {
            return true
        }
        guard let base else { return request.state.failure?.status == 412 }
        return !BaseComparison(graph: graph).isUnchanged(base, in: server)
    }
}

extension RequestFailure {
    /// The code of what could have been sent, but not without its change set.
    package static let changeSetNotSent = "ChangeSetNotSent"

    /// The row is another one than the change was made for, as a look before the sending has shown.
    package static let rowChanged = RequestFailure(
        status: 412, code: "RowChanged",
        message: "Expected the service's row as it was downloaded, found another; nothing was sent."
    )
}
