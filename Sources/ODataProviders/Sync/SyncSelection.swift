import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import Synchronization

/// Groups, phases and download switches of a provider, by name.
///
/// The dictionaries are guarded by a lock; the group objects themselves are configured by one thread before opening.
package final class SyncSelection: Sendable {
    private struct State {
        var groups: [String: DownloadGroup] = [:]
        var phases: [Int: DownloadPhase] = [:]
        /// What is said of sets by name, apart from groups and phases.
        var choice = DownloadChoice()
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
        state.withLock { $0.choice.withoutDefaultDownload.add(sets.map(\.localName)) }
    }

    func disableStreams(_ sets: [EntitySet]) {
        for set in sets { set.downloadStreamsByDefault = false }
        state.withLock { $0.choice.withoutStreams.add(sets.map(\.localName)) }
    }

    func disableDeltaLinks(_ sets: [EntitySet]) {
        for set in sets { set.downloadWithoutDeltaLinks = true }
        state.withLock { $0.choice.withoutDeltaLinks.add(sets.map(\.localName)) }
    }

    func allowOverlap(_ sets: [EntitySet]) {
        for set in sets { set.downloadQueriesCanOverlap = true }
    }

    /// All of it as one value, with what the sets of a document say of themselves.
    func choice(of document: CSDLDocument?) -> DownloadChoice {
        let state = state.withLock { $0 }
        var choice = state.choice
        choice.groups = state.groups.mapValues(\.members)
        choice.phases = state.phases.mapValues(\.members)
        choice.phaseModes = state.phases.mapValues {
            FetchMode(rawValue: $0.mode.rawValue) ?? .any
        }
        for set in document?.model.entitySets ?? [] {
            if !set.downloadEntitiesByDefault { choice.unwantedSets.insert(set.localName) }
            if !set.downloadStreamsByDefault { choice.unwantedStreams.insert(set.localName) }
        }
        return choice
    }
}
