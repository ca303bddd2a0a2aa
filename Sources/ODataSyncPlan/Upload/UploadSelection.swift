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

    /// The ids to send: the requests asked for, what is in one change set with them, and everything that has to be answered
    /// before them.
    package func ids(in requests: [QueuedRequest]) -> Set<Int64> {
        let open = requests.filter { $0.state == .waiting || $0.state.isFrozen }
        guard !groups.isEmpty else { return Set(open.map(\.id)) }
        let asked = open.filter(asks)
        let dependencies = RequestDependencies(requests)
        var needed = Set(asked.map(\.id))
        while true {
            needed = dependencies.requirements(of: needed)
            let sets = Set(open.filter { needed.contains($0.id) }.compactMap(\.changeSet))
            let together = open.filter { $0.changeSet.map(sets.contains) ?? false }.map(\.id)
            guard !needed.isSuperset(of: together) else { break }
            needed.formUnion(together)
        }
        return needed.intersection(open.map(\.id))
    }

    /// Whether a request is asked for itself, not only because another one needs it.
    package func asks(for request: QueuedRequest) -> Bool {
        if groups.isEmpty { return true }
        if let group = request.uploadGroup, groups.contains(group) { return true }
        return entitySets.contains(request.target.table)
    }
}
