import Foundation
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Every sequence of things that can happen to the exchanges of uploads, for every kind of request and service, and an end of the
/// process behind anything that is stored: three faults at any places (two where three requests are on their way), five with `ODATA_SOAK`; then the network is well, and at most
/// three uploads later each change has had its effect once or is listed with a reason. Nothing is stuck, lost or done twice,
/// and no upload goes on for ever.
@Suite struct UploadFaultTests {
    typealias Scenario = UploadModel.Scenario
    typealias Capabilities = ModelService.Capabilities

    static let isSoak = ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil

    static let single = ModelService.Kind.allCases.filter { $0 != .child }.map {
        Scenario(kinds: [$0])
    }
    static let several: [Scenario] = [
        Scenario(kinds: [.create, .child]),
        Scenario(kinds: [.keyedCreate, .taggedUpdate, .delete]),
        Scenario(kinds: [.create, .taggedUpdate, .refused]),
        Scenario(kinds: [.alternateCreate, .link, .stream]),
        Scenario(kinds: [.keyedCreate, .taggedUpdate], isChangeSet: true),
        Scenario(kinds: [.create, .child], isChangeSet: true),
        Scenario(kinds: [.create, .taggedUpdate], isChangeSet: true),
        Scenario(kinds: [.keyedCreate, .refused], isChangeSet: true),
        Scenario(kinds: [.create, .keyedCreate, .refused], isChangeSet: true),
    ]

    /// Several on their way at the same time, whose answers are recorded together.
    static let together: [Scenario] = [
        Scenario(kinds: [.create, .keyedCreate], threads: 2),
        Scenario(kinds: [.create, .taggedUpdate, .delete], threads: 2),
        Scenario(kinds: [.keyedCreate, .refused, .create], threads: 2),
        Scenario(kinds: [.create, .child, .update], threads: 2),
    ]

    /// A change of a row that others write as well, and another one behind it.
    static let shared: [Scenario] = [
        Scenario(kinds: [.update, .update], isShared: true),
        Scenario(kinds: [.update, .delete], isShared: true),
        Scenario(kinds: [.keyedCreate, .update], isShared: true),
        Scenario(kinds: [.keyedCreate, .delete], isShared: true),
        Scenario(kinds: [.delete], isShared: true),
    ]

    /// - Parameter isFull: every combination; else those in which each two abilities meet in each way.
    static func capabilities(of scenario: Scenario, isFull: Bool = true) -> [Capabilities] {
        guard !scenario.isShared else {
            return sharedCapabilities.filter {
                isFull || ($0.isRepeatable != $0.sendsVersion) == ($0.hasTags == $0.showsRows)
            }
        }
        guard scenario.threads == 1 else {
            return [false, true].map { Capabilities(isRepeatable: $0, takesBatches: false) }
        }
        return [Capabilities(keysAreSegments: true)]
            + [false, true].flatMap { isRepeatable in
                [true, false].flatMap { sendsVersion in
                    [true, false].flatMap { takesBatches -> [Capabilities] in
                        let sets = scenario.isChangeSet && takesBatches ? [true, false] : [true]
                        // One request alone goes without a batch.
                        if scenario.kinds.count == 1, !takesBatches { return [] }
                        let isDrawn = (isRepeatable != sendsVersion) == takesBatches
                        if scenario.kinds.count > 1, !isFull, !isDrawn { return [] }
                        return sets.map {
                            Capabilities(
                                isRepeatable: isRepeatable, takesBatches: takesBatches,
                                takesSetsBack: $0, sendsVersion: sendsVersion)
                        }
                    }
                }
            }
    }

    private static let sharedCapabilities: [Capabilities] =
        [false, true].flatMap { isRepeatable in
            [true, false].flatMap { sendsVersion in
                [true, false].flatMap { hasTags in
                    [true, false].map {
                        Capabilities(
                            isRepeatable: isRepeatable, sendsVersion: sendsVersion,
                            hasTags: hasTags, showsRows: $0)
                    }
                }
            }
        }

    private static func walk(_ scenario: Scenario, faults: Int) {
        var states = 0
        var steps = 0
        let started = ContinuousClock.now
        for capabilities in capabilities(of: scenario, isFull: isSoak) {
            var walk = UploadWalk()
            let others = isSoak ? 2 : 1
            walk.walk(UploadModel(scenario, capabilities, mostOfOthers: others), faults: faults)
            #expect(walk.problems.isEmpty, "\(capabilities), \(walk.problems.count) in all")
            states += walk.states
            steps += walk.steps
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        print(
            "figure: upload \(scenario) faults=\(faults) states=\(states) exchanges=\(steps)"
                + " seconds=\(Int(seconds * 10))/10")
    }

    @Test(arguments: single) func everySequenceOfFaultsAtOneRequest(_ scenario: Scenario) {
        Self.walk(scenario, faults: Self.isSoak ? 5 : 3)
    }

    @Test(arguments: several) func everySequenceOfFaultsAtSeveralRequests(_ scenario: Scenario) {
        let faults = scenario.kinds.count > 2 ? 2 : 3
        Self.walk(scenario, faults: Self.isSoak ? 5 : faults)
    }

    /// The process may end at each step, with what was sent carried out or not, and answers heard that are not in the store.
    @Test(arguments: together) func everySequenceOfFaultsAtRequestsOnTheirWayTogether(
        _ scenario: Scenario
    ) {
        let faults = scenario.kinds.count > 2 ? 1 : 2
        Self.walk(scenario, faults: Self.isSoak ? 3 : faults)
    }

    @Test(arguments: shared) func whatOthersWroteIsNeverOverwrittenInSilence(
        _ scenario: Scenario
    ) {
        Self.walk(scenario, faults: Self.isSoak ? 2 : 1)
    }

    /// Few faults first: most defects show there, and each further one costs many times as much.
    @Test(arguments: PlantedDefect.allCases) func aPlantedDefectIsFound(_ defect: PlantedDefect) {
        let walks =
            (defect == .believesTagsOfLooks ? Self.shared : []).map { ($0, 1) }
            + (1...2).flatMap { faults in (Self.single + Self.several).map { ($0, faults) } }
            + Self.single.map { ($0, 3) }
        for (scenario, faults) in walks {
            for capabilities in Self.capabilities(of: scenario) {
                var walk = UploadWalk(mostProblems: 1)
                walk.walk(UploadModel(scenario, capabilities, defect: defect), faults: faults)
                if !walk.problems.isEmpty { return }
            }
        }
        Issue.record("\(defect) was not found")
    }
}
