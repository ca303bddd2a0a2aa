import FieldSimulation
import Foundation
import ODataTesting
import Testing

/// Seeds are told on failure; `ODATA_SEED` and `ODATA_SEEDS` choose others.
@Suite(.serialized) struct SyncSimulationTests {
    /// Seeds that found something once.
    static let regressions: [UInt64] = [100, 127, 131, 153, 2066, 2141]
    static let wideRegressions: [UInt64] = []

    @Test func everySeedKeepsWhatWasAcknowledgedAndDrains() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["ODATA_SEEDS"].flatMap(UInt64.init) ?? 6
        try await onOwnThread {
            var total = SyncSimulation.Outcome()
            for seed in Self.regressions + Array(first..<first + count) {
                let outcome = try SyncSimulation.run(seed)
                let told = try Self.told(seed, outcome)
                #expect(outcome.findings == [], "seed \(seed)\(told)")
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

    /// Undo, cancelled requests, queries that come and go, clocks that jump, portals and sessions that end, too.
    /// `ODATA_WIDE_SEED` and `ODATA_WIDE_SEEDS` choose the seeds.
    @Test func wideSeedsKeepWhatWasAcknowledgedAndDrain() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["ODATA_WIDE_SEED"].flatMap(UInt64.init) ?? 1
        let count = environment["ODATA_WIDE_SEEDS"].flatMap(UInt64.init) ?? 8
        try await onOwnThread {
            var (faults, acknowledged) = (0, 0)
            for seed in Self.wideRegressions + Array(first..<first + count) {
                let schedule = SyncSimulation.Schedule(seed: seed, isWide: true)
                do {
                    let outcome = try SyncSimulation.run(schedule).outcome
                    let told = try Self.told(seed, outcome, isWide: true)
                    #expect(outcome.findings == [], "wide seed \(seed)\(told)")
                    faults += outcome.faults
                    acknowledged += outcome.acknowledged
                } catch {
                    Issue.record("wide seed \(seed): \(error)")
                }
            }
            #expect(faults > Int(count) && acknowledged > Int(count))
            print(
                "figure: wide simulation seeds=\(count) from=\(first) faults=\(faults)"
                    + " acknowledged=\(acknowledged)")
        }
    }

    /// The story of a seed that found something; `ODATA_SHRINK` says how many shorter schedules are tried.
    private static func told(
        _ seed: UInt64, _ outcome: SyncSimulation.Outcome, isWide: Bool = false
    ) throws -> String {
        guard !outcome.findings.isEmpty else { return "" }
        let attempts = ProcessInfo.processInfo.environment["ODATA_SHRINK"].flatMap { Int($0) } ?? 60
        let schedule = SyncSimulation.Schedule(seed: seed, isWide: isWide)
        return try SyncSimulation.story(of: schedule, attempts: attempts).map { "\n\($0)" } ?? ""
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

    /// Each third of them; all with `ODATA_SOAK=1`. `ODATA_DEFECT_SEEDS` says how many schedules may be needed, 12 where it is not set.
    @Test(arguments: PlantedDefect.chosen)
    func aPlantedDefectIsFound(_ defect: PlantedDefect) async throws {
        let limit =
            ProcessInfo.processInfo.environment["ODATA_DEFECT_SEEDS"].flatMap(UInt64.init) ?? 12
        try await onOwnThread {
            // One seed may have no fault where it would show.
            var first = ""
            let found = (1...limit).first { seed in
                let schedule = SyncSimulation.Schedule(
                    seed: seed, defect: defect, isWide: seed % 2 == 0)
                do {
                    first = try SyncSimulation.run(schedule).outcome.findings.first ?? ""
                } catch {
                    // A client that fails has been found, too.
                    first = "the run ended with \(error)"
                }
                return !first.isEmpty
            }
            #expect(found != nil, "\(defect.name)")
            print(
                "figure: planted defect '\(defect.name)' found with schedule \(found ?? 0):"
                    + " \(first.prefix(80))")
        }
    }

    @Test func plantedDefectsAreManyAndNamedApart() {
        #expect(PlantedDefect.all.count >= 40)
        #expect(Set(PlantedDefect.all.map(\.name)).count == PlantedDefect.all.count)
    }
}
