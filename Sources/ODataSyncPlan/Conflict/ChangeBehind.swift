import ODataModel
import ODataQuery
import ODataSQL
import ODataWire

/// What a change is made for that is recorded behind others of its row which have no answer (pure).
///
/// The app sees what those make of the row. Where a download has brought another row meanwhile, in which the service does not
/// show that, nobody has seen it: the change goes with the tag of the row that they were made for. Else it would go over what
/// somebody else wrote after one of them took effect.
package struct ChangeBehind: Sendable, Hashable {
    package var ifMatch: String?
    /// A download has brought another row than it is made for.
    package var isRebased: Bool

    /// Nil where it is made for the row that the service last gave.
    ///
    /// - Parameters:
    ///   - writers: what writes the row.
    ///   - image: the row as the service last gave it.
    package init?(
        _ writers: [QueuedRequest], of row: RowReference, over image: StructureValue,
        _ graph: MetadataGraph
    ) {
        // What is listed was told to the app, which decides with its next change.
        let front = writers.sorted(by: QueuedRequest.comesBefore).last {
            $0.target == row && $0.operation.isUpdate && ($0.state == .waiting || $0.isSealed)
        }
        guard let front, front.ifMatch != "*" else { return nil }
        guard !front.flags.contains(.rebased) else {
            (ifMatch, isRebased) = (front.ifMatch, true)
            return
        }
        guard let sent = front.ifMatch, let now = image.control.etag,
            !EntityTag(now).matches(EntityTag(sent)),
            !front.showsValues(in: image, over: image, graph)
        else { return nil }
        (ifMatch, isRebased) = (sent, false)
    }
}
