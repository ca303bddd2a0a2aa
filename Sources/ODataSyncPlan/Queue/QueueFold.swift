import ODataModel
import ODataText

/// What the service last said about a row.
package enum BaseImage: Sendable, Hashable {
    /// The service never had it, as far as we know.
    case absent
    case present(StructureValue)
    /// The service removed it after these values were seen.
    case tombstone(StructureValue)

    package var values: StructureValue? {
        switch self {
        case .absent: nil
        case .present(let values), .tombstone(let values): values
        }
    }
}

/// The local view of a row: `state = fold(base, requests)` (docs/design.md, decision 6).
package struct RowState: Sendable, Hashable {
    /// Nil when the row is not there, or hidden by a delete.
    package var values: StructureValue?
    package var flags: RowFlags

    package init(values: StructureValue?, flags: RowFlags = []) {
        self.values = values
        self.flags = flags
    }

    /// - Throws: `notLoaded` for a row of which nothing but the key is known: links and deltas named it.
    package func checkLoaded(at place: String) throws {
        guard flags.contains(.isKeyOnly) else { return }
        throw Self.notLoaded(at: place)
    }

    /// `notLoaded` of an entity.
    package static func notLoaded(at place: String) -> ODataError {
        ODataError(
            .notLoaded, "Expected an entity that was downloaded, found nothing but its key.",
            at: .path(place))
    }
}

/// What reads say about a row beside its values (offline reference, section 9).
package struct RowFlags: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Changed here and not received back by a download yet.
    package static let isLocal = RowFlags(rawValue: 1)
    package static let hasPendingChanges = RowFlags(rawValue: 2)
    package static let inErrorState = RowFlags(rawValue: 4)
    package static let isDeleteError = RowFlags(rawValue: 8)
    /// Nothing but the key is known of the row.
    package static let isKeyOnly = RowFlags(rawValue: 16)
}

/// Computes local state from downloaded state and queue. Complexity: linear in the requests given.
package struct QueueFold: Sendable {
    private let graph: MetadataGraph

    package init(graph: MetadataGraph) {
        self.graph = graph
    }

    /// The state of `row`. `requests` may hold requests for other rows; order does not matter.
    package func state(
        of row: RowReference, base: BaseImage, requests: [QueuedRequest]
    ) -> RowState {
        var values: StructureValue?
        if case .present(let image) = base { values = image }
        var known = base.values
        var flags: RowFlags = []
        for request in requests.sorted(by: QueuedRequest.comesBefore) {
            let isOwn = request.touchedRows.contains(row)
            guard isOwn || request.effects.contains(where: { $0.writtenRows.contains(row) })
            else { continue }
            if isOwn { flags.formUnion(Self.flags(request)) }
            if request.operation == .delete, request.state.isFailure {
                if isOwn { flags.insert(.isDeleteError) }
                continue
            }
            apply(request, to: row, &values, &known)
        }
        return RowState(values: values, flags: flags)
    }

    /// The links that start or end at the given rows: base links with every link request applied.
    package func links(
        base: Set<LinkReference>, requests: [QueuedRequest]
    ) -> Set<LinkReference> {
        var links = base
        for request in requests.sorted(by: QueuedRequest.comesBefore) {
            if request.operation == .delete, request.state.isFailure { continue }
            for effect in request.effects {
                switch effect {
                case .addLink(let link): links.insert(link)
                case .removeLink(let link): links.remove(link)
                case .clearLinks(let source, let navigation):
                    links = links.filter { $0.source != source || $0.navigation != navigation }
                case .values, .hide: break
                }
            }
        }
        return links
    }

    private static func flags(_ request: QueuedRequest) -> RowFlags {
        request.state.isFailure
            ? [.isLocal, .hasPendingChanges, .inErrorState] : [.isLocal, .hasPendingChanges]
    }

    private func apply(
        _ request: QueuedRequest, to row: RowReference, _ values: inout StructureValue?,
        _ known: inout StructureValue?
    ) {
        if request.target == row {
            switch request.operation {
            case .create:
                values = request.body?.values
            case .update(let mode):
                // Under a tombstone the edit keeps the entity in view.
                if let change = request.body?.values, let old = values ?? known {
                    values =
                        mode == .merge
                        ? StructureMerge.merge(change, over: old)
                        : StructureMerge.replace(with: change, over: old, graph: graph)
                }
            case .delete:
                values = nil
                known = nil
            case .createLink, .updateLink, .deleteLink, .putStream, .deleteStream: break
            }
        } else if let body = request.body?.body(of: row) {
            values = body.values
        }
        for effect in request.effects {
            switch effect {
            case .values(row, let change, _):
                if let old = values ?? known {
                    values = StructureMerge.merge(change, over: old)
                }
            case .hide(row):
                values = nil
                known = nil
            default: break
            }
        }
    }
}
