import ODataModel
import ODataSQL

/// What a look before the sending means for a change of a row without tags (pure).
package enum ComparedChange: Sendable, Hashable {
    /// The row is the one that it was made for: all of it where `isSeen`, else as far as the change overwrites it.
    case unchanged(isSeen: Bool)
    /// The row is gone, as the change wants it, or as an earlier sending of it has left it.
    case done
    /// Somebody else has changed the row.
    case conflict

    /// - Parameters:
    ///   - shown: the row that the service has; nil where it has none.
    ///   - isWhole: the change is sent as one that says all of the row.
    package init(
        _ request: QueuedRequest, over base: StoredRow, shown: StructureValue?,
        by comparison: BaseComparison, isWhole: Bool
    ) {
        if let shown, !request.flags.contains(.rebased),
            comparison.isUnchanged(base, in: shown, under: request, isWhole: isWhole)
        {
            self = .unchanged(isSeen: !base.state.contains(.unseen))
        } else if shown == nil, request.operation == .delete {
            self = .done
        } else if !isWhole, request.wasDone(in: shown, over: base.values, comparison.graph) {
            self = .done
        } else {
            self = .conflict
        }
    }
}
