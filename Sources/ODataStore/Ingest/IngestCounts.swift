/// What ingest did with the rows it was given.
package struct IngestCounts: Sendable, Hashable {
    package var received = 0
    /// Inserted or changed.
    package var written = 0
    package var removed = 0
    /// Rows under local changes, whose base images were written instead.
    package var shadowed = 0
    /// Objects of a delta that name no row that can be told: only reading everything shows what they meant.
    package var unmatched = 0

    package init() {}
}

extension IngestCounts {
    package static func += (left: inout IngestCounts, right: IngestCounts) {
        left.received += right.received
        left.written += right.written
        left.removed += right.removed
        left.shadowed += right.shadowed
        left.unmatched += right.unmatched
    }
}
