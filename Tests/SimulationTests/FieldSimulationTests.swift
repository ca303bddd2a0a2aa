import FieldSimulation
import Foundation
import ODataTesting
import Testing

/// Schedules of several clients at a service in memory. `ODATA_FIELD_SEED` and `ODATA_FIELD_SEEDS` choose others, in soak runs by the
/// million with `Tests/Simulate` in a release build.
@Suite struct FieldSimulationTests {
    private static let parts: UInt64 = 8

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    @Test(arguments: 0..<parts)
    func everySeedDrainsAndTellsNoLie(_ part: UInt64) async throws {
        let first = Self.number("ODATA_FIELD_SEED") ?? 1
        let count = Self.number("ODATA_FIELD_SEEDS") ?? 1_000
        try await onOwnThread {
            var total = FieldOutcome()
            for seed in first..<first + count where seed % Self.parts == part {
                let schedule = FieldSchedule(seed: seed)
                let outcome = try FieldSimulation.run(schedule)
                total.add(outcome)
                guard !outcome.findings.isEmpty else { continue }
                let story = try FieldSimulation.story(of: schedule, attempts: 200) ?? []
                Issue.record(
                    "seed \(seed): \(outcome.findings)\n\(story.joined(separator: "\n"))")
            }
            #expect(total.faults > 0 && total.effects > 0)
            print(
                "figure: field simulation part=\(part) of=\(count) from=\(first) steps=\(total.steps)"
                    + " exchanges=\(total.exchanges) faults=\(total.faults) deaths=\(total.deaths)"
                    + " acknowledged=\(total.acknowledged) effects=\(total.effects)")
        }
    }

    @Test func equalSeedsDoTheSame() async throws {
        try await onOwnThread {
            for seed in [112, 131, 172] as [UInt64] {
                let first = try FieldSimulation.run(FieldSchedule(seed: seed))
                let second = try FieldSimulation.run(FieldSchedule(seed: seed))
                #expect(first.story == second.story, "seed \(seed)")
                #expect(first.story.count > 20)
            }
        }
    }

    /// Where each was found first of all; `ODATA_SOAK=1` looks for it from the first schedule on.
    private static let places: [String: UInt64] = [
        "a lost session counts as a refusal": 20,
        "a change is acknowledged without its request": 21,
        "a delta is answered from an older one": 21,
        "a frozen request never goes on": 21,
        "a page that waits is lost": 21,
        "a property of others is not taken over": 21,
        "deltas are emptied": 21,
        "the image behind a change is lost": 21,
        "every error is one of the server": 35,
        "an accepted deletion leaves its row": 42,
        "a refusal is forgotten with its request": 68,
        "an unknown fate is forgotten with its request": 68,
        "what is refused is sent again by itself": 68,
        "a query is forgotten": 100,
        "a row that is gone counts as there": 111,
        "items keep the key that their order had here": 112,
        "tombstones are passed over": 115,
        "each second deletion counts as made": 124,
        "a change of others is not taken over": 131,
        "each refusal counts as acceptance": 131,
        "a change of the second row goes to the third": 164,
        "a sending without an answer counts as accepted": 172,
        "an identity is drawn anew after it was sent": 172,
        "identities are dropped": 172,
        "identities are renewed": 172,
        "a query that goes leaves its rows": 204,
        "names of sets are wrong in batches": 207,
        "a change goes over what was read of other properties": 690,
        "undo brings back another state": 690,
        "an interrupted read counts as complete": 943,
        "a tag is kept though the row has another": 1069,
    ]

    @Test(arguments: FieldDefect.all)
    func aPlantedDefectIsFound(_ defect: FieldDefect) async throws {
        let isSoak = ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil
        let first = isSoak ? 1 : Self.places[defect.name] ?? 1
        try await onOwnThread {
            let found = FieldDefect.search(defect, in: first...2_000)
            #expect(found != nil, "\(defect.name)")
            print(
                "figure: field defect '\(defect.name)' schedule=\(found?.seed ?? 0):"
                    + " \(found?.finding.prefix(80) ?? "")")
        }
    }

    @Test func defectsAreManyAndNamedApart() {
        #expect(FieldDefect.all.count >= 40)
        #expect(Set(FieldDefect.all.map(\.name)).count == FieldDefect.all.count)
    }

    @Test func aFindingBecomesAShortStory() async throws {
        try await onOwnThread {
            let defect = try #require(
                FieldDefect.all.first { $0.name == "a text is changed on its way" })
            // One with enough in it to be left out.
            var found: (schedule: FieldSchedule, whole: FieldOutcome)?
            for seed in 1...200 as ClosedRange<UInt64> where found == nil {
                let schedule = FieldSchedule(seed: seed, defect: defect)
                let whole = try FieldSimulation.run(schedule)
                if !whole.findings.isEmpty, whole.story.count > 30 { found = (schedule, whole) }
            }
            let (schedule, whole) = try #require(found)
            let story = try #require(try FieldSimulation.story(of: schedule, attempts: 60))
            #expect(story.count < whole.story.count)
            #expect(story.contains { $0.contains("finding: ") })
        }
    }
}
