/// One change to the stored queue; a rule gives a list of them, the store carries it out in one transaction.
package enum QueueEdit: Sendable, Hashable {
    /// Appends; the store gives the request its id. The place is kept when the request has one, so that it
    /// takes the turn of the request it replaces.
    case append(QueuedRequest)
    case replace(QueuedRequest)
    case remove(Int64)
}

extension QueueEdit {
    /// The queue after the edits; appended requests take ids from `nextID` on. For tests and planners.
    package static func apply(
        _ edits: [QueueEdit], to requests: [QueuedRequest], nextID: inout Int64
    ) -> [QueuedRequest] {
        var queue = requests
        for edit in edits {
            switch edit {
            case .append(var request):
                request.id = nextID
                if request.position == 0 { request.position = nextID }
                nextID += 1
                queue.append(request)
            case .replace(let request):
                if let place = queue.firstIndex(where: { $0.id == request.id }) {
                    queue[place] = request
                }
            case .remove(let id):
                queue.removeAll { $0.id == id }
            }
        }
        return queue.sorted(by: QueuedRequest.comesBefore)
    }
}
