import ODataModel
import ODataSyncPlan

/// What the app has said about which sets to download, in which order, and how.
package struct DownloadChoice: Sendable {
    /// Named sets, or all of them.
    package enum Scope: Sendable, Hashable {
        case some(Set<String>)
        case all

        /// Adds sets; none given means all.
        package mutating func add(_ sets: [String]) {
            guard !sets.isEmpty, case .some(let names) = self else {
                self = .all
                return
            }
            self = .some(names.union(sets))
        }

        func contains(_ set: String) -> Bool {
            switch self {
            case .some(let names): names.contains(set)
            case .all: true
            }
        }

        func names(of all: [String]) -> Set<String> {
            switch self {
            case .some(let names): names
            case .all: Set(all)
            }
        }
    }

    package var groups: [String: DownloadSelection.Members] = [:]
    package var phases: [Int: DownloadSelection.Members] = [:]
    package var phaseModes: [Int: FetchMode] = [:]
    /// Sets that come only by download queries.
    package var withoutDefaultDownload = Scope.some([])
    /// Sets whose streams come only where a download query asks for them.
    package var withoutStreams = Scope.some([])
    /// Sets whose changes are found by reading them whole.
    package var withoutDeltaLinks = Scope.some([])
    /// Sets that have no default download, whatever the scopes say of it.
    package var unwantedSets: Set<String> = []
    /// Sets whose streams have no default download.
    package var unwantedStreams: Set<String> = []

    package init() {}

    /// The sets that can be read whole and are not to be. Of one that the service does not let be read the app has said nothing.
    func switchedOff(of graph: MetadataGraph) -> Set<String> {
        let unreadable = ServiceCapabilities(graph).unreadable
        return Set(
            graph.entitySets.map(\.name).filter {
                (unwantedSets.contains($0) || withoutDefaultDownload.contains($0))
                    && unreadable[$0] == nil && !graph.clientOnlySets.contains($0)
            })
    }

    /// The part that the planner reads, for a service with these sets.
    func selection(of sets: [String]) -> DownloadSelection {
        var selection = DownloadSelection()
        selection.groups = groups
        selection.phases = phases
        selection.phaseModes = phaseModes
        selection.setsWithoutDefaultDownload = withoutDefaultDownload.names(of: sets)
        return selection
    }
}
