import Foundation
import ODataSQLite
import ODataStore
import ODataTesting
import ODataText
import Testing

/// Every n-th operation of a disk fails once, and a full disk stays full: the store holds the state before the step or the
/// one after it.
@Suite struct FailingDiskTests {
    /// In `make soak` every operation, otherwise each so manieth of those that are many.
    private static let isSoak = ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil

    private struct Expected {
        let outcome: DiskWork.Outcome
        let counts: [FileOperation.Kind: Int]
    }

    private static func expected(
        isEncrypted: Bool, _ scenario: DiskWork.Scenario
    ) throws -> Expected {
        let disk = FailingDisk()
        let work = DiskWork(isEncrypted: isEncrypted, scenario: scenario, watch: disk)
        let (outcome, fixture) = try work.run(remembering: true)
        #expect(outcome.done == work.stepCount, "\(String(describing: outcome.failure))")
        try fixture?.store.close()
        let kinds: [FileOperation.Kind] = [.open, .read, .write, .truncate, .sync, .delete]
        return Expected(
            outcome: outcome,
            counts: Dictionary(uniqueKeysWithValues: kinds.map { ($0, disk.count(of: $0)) }))
    }

    /// Runs the work against the fault; returns whether it was met.
    private static func check(
        _ fault: FailingDisk.Fault, isEncrypted: Bool, _ scenario: DiskWork.Scenario,
        _ expected: Expected
    ) throws -> Bool {
        let disk = FailingDisk()
        disk.set(fault)
        let work = DiskWork(isEncrypted: isEncrypted, scenario: scenario, watch: disk)
        let (outcome, fixture) = try work.run()
        // Closing brings the log into the file, and may fail like anything else.
        try? fixture?.store.close()
        let wasHit = disk.hits > 0
        disk.set(nil)
        if let failure = outcome.failure {
            #expect(failure is ODataError, "\(fault) \(outcome.done): \(failure)")
        }
        guard FileManager.default.fileExists(atPath: work.path) else {
            #expect(outcome.done == 0)
            return wasHit
        }
        let found = try work.state(at: work.path)
        let states = expected.outcome.states
        let before = outcome.done == 0 ? [] : states[min(outcome.done, states.count) - 1]
        let after =
            outcome.done < states.count ? expected.outcome.states(of: outcome.done) : [found]
        let allowed = Set([before] + after)
        // Opening makes its tables in steps of its own.
        #expect(
            allowed.contains(found) || outcome.done == 0,
            "\(fault) after step \(outcome.done): \(found.count) rows")
        // And it goes on from there.
        let again = try StoreFixture(
            try work.configuration(), world: CountingWorld(), path: work.path)
        if !again.store.hasMetadata { try again.adopt() }
        _ = try again.create("Tags", ["Code": .text("after")])
        try again.store.close()
        return wasHit
    }

    @Test(arguments: [false, true], DiskWork.Scenario.allCases)
    func whateverFailsTheStoreIsInTheOldStateOrTheNew(
        isEncrypted: Bool, scenario: DiskWork.Scenario
    ) throws {
        let expected = try Self.expected(isEncrypted: isEncrypted, scenario)
        var faults: [FailingDisk.Fault] = []
        for (kind, count) in expected.counts {
            let step = Self.isSoak || count < 20 ? 1 : count / 8
            for number in stride(from: 1, through: count, by: max(1, step)) {
                faults.append(.once(kind, at: number))
            }
        }
        let writes = expected.counts[.write] ?? 0
        let step = Self.isSoak ? 1 : max(1, writes / 6)
        for number in stride(from: 1, through: writes, by: step) {
            faults.append(.full(from: number))
        }
        var hits = 0
        for fault in faults {
            if try Self.check(fault, isEncrypted: isEncrypted, scenario, expected) { hits += 1 }
        }
        #expect(hits * 10 >= faults.count * 9, "\(hits) of \(faults.count)")
        print(
            "figure: failing disk \(scenario) \(isEncrypted ? "encrypted" : "plain") faults=\(faults.count)"
                + " hits=\(hits) between=0")
    }
}
