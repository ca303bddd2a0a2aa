/// Joins the changes that repair a refused request into it (offline reference, 14.2): a create and its updates become
/// one create, two updates one, a create and a delete nothing.
package enum FailedRequestMerge {
    /// The edits for a queue whose refused requests on `rows` wait again.
    package static func edits(rows: Set<RowReference>, queue: [QueuedRequest]) -> [QueueEdit] {
        var current = queue.sorted(by: QueuedRequest.comesBefore)
        var edits: [QueueEdit] = []
        for later in current where rows.contains(later.target) && later.state == .waiting {
            guard let place = current.firstIndex(where: { $0.id == later.id }) else { continue }
            let earlier = Array(current[..<place])
            guard earlier.contains(where: { $0.target == later.target }) else { continue }
            var joined: [QueueEdit] = []
            var isKept = false
            for edit in JoinOnWrite().edits(recording: current[place], behind: earlier) {
                if case .append(let request) = edit {
                    isKept = true
                    if request != current[place] { joined.append(.replace(request)) }
                } else {
                    joined.append(edit)
                }
            }
            if !isKept { joined.append(.remove(later.id)) }
            var unused: Int64 = 0
            current = QueueEdit.apply(joined, to: current, nextID: &unused)
            edits += joined
        }
        return edits
    }
}
