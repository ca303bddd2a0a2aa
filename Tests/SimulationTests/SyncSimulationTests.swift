import Foundation
import ODataTesting
import Testing

/// Seeds are told on failure; `ODATA_SEED` and `ODATA_SEEDS` choose others.
@Suite(.serialized) struct SyncSimulationTests {
    /// Seeds that found something once.
    static let regressions: [UInt64] = [100, 127, 131, 153]

    @Test func everySeedKeepsWhatWasAcknowledgedAndDrains() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["ODATA_SEEDS"].flatMap(UInt64.init) ?? 6
        try await onOwnThread {
            var total = SyncSimulation.Outcome()
            for seed in Self.regressions + Array(first..<first + count) {
                let outcome = try SyncSimulation.run(seed)
                #expect(outcome.findings == [], "seed \(seed)")
                total.steps += outcome.steps
                total.requests += outcome.requests
                total.faults += outcome.faults
                total.cancelled += outcome.cancelled
                total.acknowledged += outcome.acknowledged
                total.conflicts += outcome.conflicts
                total.powerLosses += outcome.powerLosses
            }
            #expect(total.faults > Int(count))
            #expect(total.cancelled > Int(count))
            #expect(total.powerLosses > 0)
            print(
                "figure: simulation seeds=\(count) from=\(first) steps=\(total.steps)"
                    + " requests=\(total.requests) faults=\(total.faults)"
                    + " cancelled=\(total.cancelled) power losses=\(total.powerLosses) conflicts=\(total.conflicts)"
                    + " acknowledged=\(total.acknowledged)")
        }
    }

    @Test func equalSeedsDoTheSame() async throws {
        try await onOwnThread {
            for seed in [3, 1_000] as [UInt64] {
                let first = try SyncSimulation.run(seed)
                let second = try SyncSimulation.run(seed)
                #expect(first == second, "seed \(seed)")
                #expect(first.trace.count > 100)
            }
        }
    }

    @Test(arguments: [
        DefectTransport.Defect.claimsSuccess, .dropsIdentities, .renewsIdentities, .emptiesDelta,
    ])
    func aPlantedDefectIsFound(_ defect: DefectTransport.Defect) async throws {
        try await onOwnThread {
            // One seed may have no fault where it would show.
            let isFound = try (1...6).contains { seed in
                try !SyncSimulation.run(seed, defect: defect).findings.isEmpty
            }
            #expect(isFound, "\(defect.rawValue)")
        }
    }
}
