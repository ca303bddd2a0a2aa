import ODataClasses
import ODataModel
import ODataSyncPlan
import Synchronization

/// Groups, phases and download switches of a provider, by name.
///
/// The dictionaries are guarded by a lock; the group objects themselves are configured by one thread before opening.
package final class SyncSelection: Sendable {
    private struct State {
        var groups: [String: DownloadGroup] = [:]
        var phases: [Int: DownloadPhase] = [:]
        var withoutDefaultDownload: Scope = .some([])
        var withoutStreams: Scope = .some([])
        var withoutDeltaLinks: Scope = .some([])
        var overlapping: Scope = .some([])
    }

    /// Named sets, or all of them.
    private enum Scope: Sendable {
        case some(Set<String>)
        case all

        /// Adds sets; none given means all.
        mutating func add(_ sets: [EntitySet]) {
            guard !sets.isEmpty, case .some(let names) = self else {
                self = .all
                return
            }
            self = .some(names.union(sets.map(\.localName)))
        }

        func names(of all: [String]) -> Set<String> {
            switch self {
            case .some(let names): names
            case .all: Set(all)
            }
        }
    }

    private let state = Mutex(State())

    package init() {}

    func group(_ name: String) -> DownloadGroup {
        state.withLock { state in
            if let group = state.groups[name] { return group }
            let group = DownloadGroup(name: name)
            state.groups[name] = group
            return group
        }
    }

    func phase(_ number: Int) -> DownloadPhase {
        state.withLock { state in
            if let phase = state.phases[number] { return phase }
            let phase = DownloadPhase(number: number)
            state.phases[number] = phase
            return phase
        }
    }

    func add(_ sets: [EntitySet], toGroup name: String) {
        let group = group(name)
        for set in sets { group.entities.append(set.localName) }
    }

    func add(_ sets: [EntitySet], toPhase number: Int) {
        let phase = phase(number)
        for set in sets { phase.entities.append(set.localName) }
    }

    func disableDefaultDownload(_ sets: [EntitySet]) {
        for set in sets { set.downloadEntitiesByDefault = false }
        state.withLock { $0.withoutDefaultDownload.add(sets) }
    }

    func disableStreams(_ sets: [EntitySet]) {
        for set in sets { set.downloadStreamsByDefault = false }
        state.withLock { $0.withoutStreams.add(sets) }
    }

    func disableDeltaLinks(_ sets: [EntitySet]) {
        for set in sets { set.downloadWithoutDeltaLinks = true }
        state.withLock { $0.withoutDeltaLinks.add(sets) }
    }

    func allowOverlap(_ sets: [EntitySet]) {
        for set in sets { set.downloadQueriesCanOverlap = true }
        state.withLock { $0.overlapping.add(sets) }
    }

    /// The sets, out of all these, whose streams come only where a download query asks for them.
    func setsWithoutStreams(of sets: [String]) -> Set<String> {
        state.withLock { $0.withoutStreams.names(of: sets) }
    }

    /// The selection as a value, for a service with these sets.
    func snapshot(of sets: [String]) -> (
        selection: DownloadSelection, withoutDeltaLinks: Set<String>
    ) {
        let state = state.withLock { $0 }
        var selection = DownloadSelection()
        selection.groups = state.groups.mapValues(\.members)
        selection.phases = state.phases.mapValues(\.members)
        selection.phaseModes = state.phases.mapValues {
            FetchMode(rawValue: $0.mode.rawValue) ?? .any
        }
        selection.setsWithoutDefaultDownload = state.withoutDefaultDownload.names(of: sets)
        return (selection, state.withoutDeltaLinks.names(of: sets))
    }
}
