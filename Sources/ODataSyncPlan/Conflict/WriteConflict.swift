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
        guard let failure = request.state.failure, failure.code != "RepeatabilityRejected" else {
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
        guard let base else { return request.state.failure?.status == 412 }
        return !BaseComparison(graph: graph).isUnchanged(base, in: server)
    }
}

/// Whether a row of the service is still the one that was downloaded (pure).
package struct BaseComparison: Sendable {
    package let graph: MetadataGraph
    /// Only properties that the download brought count: null may stand for one that it left out.
    package var ignoresNulls: Bool

    package init(graph: MetadataGraph, ignoresNulls: Bool = false) {
        self.graph = graph
        self.ignoresNulls = ignoresNulls
    }

    /// True when the row has every structural value of the base, streams aside.
    package func isUnchanged(_ base: StructureValue, in server: StructureValue) -> Bool {
        let names = graph[base.type].properties
        for (slot, value) in base.slots.enumerated() where slot < names.count {
            guard let value, !names[slot].isNavigation, names[slot].type.primitive != .stream,
                !(ignoresNulls && value.isNull)
            else { continue }
            guard let other = graph[server.type].slot(named: names[slot].name),
                // What the service leaves out of an answer it does not say to be different.
                let found = other < server.slots.count ? server.slots[other] : nil
            else { continue }
            if !same(value, found) { return false }
        }
        return base.dynamicValues.allSatisfy { same($1, server.dynamicValues[$0] ?? .null) }
    }

    private func same(_ left: ODataValue, _ right: ODataValue) -> Bool {
        switch (left, right) {
        case (.scalar(let left), .scalar(let right)):
            ComparableScalar(left) == ComparableScalar(right)
        case (.structure(let left), .structure(let right)):
            isUnchanged(left, in: right)
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
        default: false
        }
    }
}
