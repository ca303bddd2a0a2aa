import ODataModel

/// What a request does locally beside writing its own rows. Computed when the request is recorded, stored with
/// it, and rewritten when a row it follows gets another key.
package enum RequestEffect: Sendable, Hashable {
    /// Foreign-key values written to `row`; they follow the key of `principal` where one is named.
    case values(row: RowReference, values: StructureValue, principal: RowReference?)
    case addLink(LinkReference)
    case removeLink(LinkReference)
    /// Every link of the navigation property goes (a to-one link is about to be replaced or was deleted).
    case clearLinks(source: RowReference, navigation: String)
    /// The row is hidden because a delete cascades to it.
    case hide(RowReference)

    /// The rows whose local state this changes.
    package var writtenRows: [RowReference] {
        switch self {
        case .values(let row, _, _), .hide(let row): [row]
        case .addLink(let link), .removeLink(let link): [link.source, link.target]
        case .clearLinks(let source, _): [source]
        }
    }

    /// The row whose existence this relies on.
    package var principal: RowReference? {
        if case .values(_, _, let principal) = self { principal } else { nil }
    }
}
