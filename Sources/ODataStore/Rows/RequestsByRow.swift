import ODataQuery
import ODataSyncPlan

/// Requests by the rows that they write, each list in queue order: what ten thousand rows ask of ten thousand requests is
/// ten thousand questions, not a hundred million.
struct RequestsByRow {
    /// The request that comes last in the queue.
    let last: Int64?
    private let requests: [QueuedRequest]
    private var places: [RowReference: [Int]] = [:]

    /// - Parameter requests: in queue order.
    init(_ requests: [QueuedRequest]) {
        self.requests = requests
        last = requests.last?.id
        for (place, request) in requests.enumerated() {
            for row in request.writtenRows.union(request.touchedRows) {
                places[row, default: []].append(place)
            }
        }
    }

    func writing(_ row: RowReference) -> [QueuedRequest] {
        (places[row] ?? []).map { requests[$0] }
    }

    /// Whatever may add or remove the link writes one of its ends.
    func changing(_ link: LinkReference) -> [QueuedRequest] {
        Set((places[link.source] ?? []) + (places[link.target] ?? [])).sorted()
            .map { requests[$0] }
    }
}
