import FieldSimulation
import Foundation
import ODataTesting
import Testing

@Suite struct ShrinkingTests {
    private static let all = Set(
        SimulationEvent.Kind.allCases.flatMap { kind in
            (1...12).map { SimulationEvent(kind: kind, number: $0) }
        })

    /// A failure that needs three things together.
    @Test func whatAFailureNeedsIsWhatIsLeft() {
        let needed: Set = [
            SimulationEvent(kind: .write, number: 3), SimulationEvent(kind: .fault, number: 9),
            SimulationEvent(kind: .powerLoss, number: 1),
        ]
        var runs = 0
        let omitted = Shrinking.omissions(attempts: 500) { omitted in
            runs += 1
            let events = Self.all.subtracting(omitted)
            return .init(isFailing: needed.isSubset(of: events), events: events)
        }
        #expect(Self.all.subtracting(omitted) == needed)
        #expect(runs < 200)
    }

    @Test func aScheduleThatDoesNotFailIsNotShortened() {
        let omitted = Shrinking.omissions(attempts: 50) { _ in
            .init(isFailing: false, events: Self.all)
        }
        #expect(omitted.isEmpty)
    }

    @Test func itEndsAfterSoManyAttempts() {
        var runs = 0
        _ = Shrinking.omissions(attempts: 7) { omitted in
            runs += 1
            return .init(isFailing: omitted.isEmpty, events: Self.all)
        }
        #expect(runs == 8)
    }

    /// The shorter schedule of a planted defect still finds it, and its story tells it.
    @Test func aPlantedDefectBecomesAShortStory() async throws {
        try await onOwnThread {
            let defect = try #require(
                PlantedDefect.all.first {
                    $0.name == "a change is acknowledged without its request"
                })
            let story = try #require(
                try SyncSimulation.story(
                    of: SyncSimulation.Schedule(seed: 1, defect: defect), attempts: 12))
            #expect(story.left < story.events, "\(story)")
            #expect(story.text.contains("app:") && story.text.contains("network:"))
            #expect(story.text.contains("finding: "))
        }
    }
}
