/// Which requests of the queue an upload may send.
package struct UploadSelection: Sendable, Hashable {
    /// Names of upload groups, or of download groups whose sets are in ``entitySets``; empty means all requests.
    package var groups: Set<String>
    /// The entity sets of the download groups among ``groups``.
    package var entitySets: Set<String>

    package static let all = UploadSelection()

    package init(groups: Set<String> = [], entitySets: Set<String> = []) {
        self.groups = groups
        self.entitySets = entitySets
    }

    /// The ids to send: the requests asked for and everything that has to be answered before them.
    package func ids(in requests: [QueuedRequest]) -> Set<Int64> {
        let open = requests.filter { $0.state == .waiting || $0.state.isFrozen }
        guard !groups.isEmpty else { return Set(open.map(\.id)) }
        let asked = open.filter(asks)
        let needed = RequestDependencies(requests).requirements(of: Set(asked.map(\.id)))
        return needed.intersection(open.map(\.id))
    }

    /// Whether a request is asked for itself, not only because another one needs it.
    package func asks(for request: QueuedRequest) -> Bool {
        if groups.isEmpty { return true }
        if let group = request.uploadGroup, groups.contains(group) { return true }
        return entitySets.contains(request.target.table)
    }
}
