import ODataModel
import ODataQuery
import ODataStore
import ODataWorld
import Synchronization

extension StoreCore {
    /// Lets a reader's status and refusals follow what the owner commits, from the first time that somebody follows them.
    func watchOwner() {
        guard role == .reader, !isClosed else { return }
        isWatchWanted.store(true, ordering: .sequentiallyConsistent)
        reads.add { [weak self] in self?.startWatching() }
    }

    private func startWatching() {
        guard (try? checkOpen()) != nil, watch.withLock({ $0 == nil }) else { return }
        let epoch = epoch.load(ordering: .sequentiallyConsistent)
        let store = store
        // Commits of others wake every live query, whatever it reads: this one reads nothing.
        let query = try? ODataStore.LiveQuery(
            store: store,
            check: {
                let graph = try store.graph()
                guard let set = graph.entitySets.first(where: { !$0.isSingleton }) else {
                    throw ODataError(.invalidQuery, "Expected a service with an entity set.")
                }
                var query = ODataQuery.Query(entitySet: set.name)
                query.top = 0
                try QueryChecker.check(&query, graph: graph)
                return query
            },
            wake: { [weak self] in
                self?.reads.add { [weak self] in try? self?.refreshFromOwner() }
            })
        guard let query else { return }
        let isFirst = watch.withLock { watch in
            // A suspension ends the watches that it finds: one on a file of before must not come behind it.
            guard watch == nil, (try? checkOpen()) != nil,
                self.epoch.load(ordering: .sequentiallyConsistent) == epoch
            else { return false }
            watch = query
            return true
        }
        guard isFirst else { return query.cancel() }
        // What was committed before the watch began.
        try? refreshFromOwner()
    }

    private func refreshFromOwner() throws {
        try checkOpen()
        try refresh()
    }

    /// No more looks; those who follow keep what they have.
    func endWatching() {
        let query = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        // That waits for the writer: not on a thread of somebody's tasks.
        if let query { reads.add { query.cancel() } }
    }
}
