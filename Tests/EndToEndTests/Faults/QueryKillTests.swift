import Foundation
import ODataTesting
import Testing

/// SIGKILL while an app replaces, adds and deletes download queries and changes wait.
@Suite(.serialized) struct QueryKillTests {
    /// Plain and encrypted in turn. Rounds and seed come from `ODATA_ROUNDS` and `ODATA_SEED`.
    @Test func killedChangesOfQueriesLeaveTheOldRowsOrTheNew() async throws {
        let rounds = KillCampaign.rounds ?? 4
        let seed = KillCampaign.seed
        let kills = try await onOwnThread {
            var (kills, acknowledged, states) = (0, 0, (before: 0, after: 0))
            for key in [nil, String(repeating: "9a", count: 32)] {
                let harness = try QueryKillHarness(key: key)
                for number in 1...max(rounds, 1) where number.isMultiple(of: 2) == (key != nil) {
                    if try Self.run(harness, number, seed) { kills += 1 }
                }
                try harness.close()
                acknowledged += harness.acknowledged
                states.before += harness.states.before
                states.after += harness.states.after
            }
            print(
                "figure: kills at queries \(kills) before=\(states.before)"
                    + " after=\(states.after) acknowledged=\(acknowledged) losses=0 doubles=0"
                    + " seed=\(seed)")
            return kills
        }
        #expect(kills * 10 >= rounds * 9)
    }

    @Test func theHarnessFindsAQueryThatIsReplacedInParts() async throws {
        let found = try await onOwnThread {
            let harness = try QueryKillHarness(key: nil, isDefective: true)
            defer { try? harness.close() }
            for number in 1...60 {
                do {
                    _ = try Self.run(harness, number, 1)
                } catch let loss as KillLoss {
                    return "kills=\(number) first: \(loss.description.prefix(200))"
                }
            }
            return ""
        }
        #expect(!found.isEmpty)
        print("figure: planted replacesInParts \(found)")
    }

    /// Runs the round, and others in its place where the work came to its end before the kill.
    private static func run(
        _ harness: QueryKillHarness, _ number: Int, _ seed: UInt64
    ) throws -> Bool {
        for attempt in 0..<4 {
            do {
                if try harness.run(number + attempt * 1_000_000, seed) { return true }
            } catch {
                throw KillLoss("round \(number + attempt * 1_000_000): \(error)")
            }
        }
        return false
    }
}
