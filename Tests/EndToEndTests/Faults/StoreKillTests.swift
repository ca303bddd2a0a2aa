import Foundation
import ODataTesting
import Testing

/// SIGKILL while a store with changes that wait is brought to another format, repaired, copied, or gets another key.
@Suite(.serialized) struct StoreKillTests {
    /// Plain and encrypted in turn. Rounds and seed come from `ODATA_ROUNDS` and `ODATA_SEED`.
    @Test(arguments: StoreKillRound.Work.allCases)
    func killedWorkLeavesWhatWasBeforeOrIsDone(_ work: StoreKillRound.Work) async throws {
        let rounds = KillCampaign.rounds ?? 3
        let seed = KillCampaign.seed
        let kills = try await onOwnThread {
            var (kills, acknowledged, states) = (0, 0, (before: 0, after: 0))
            for isEncrypted in work == .rekey ? [true] : [false, true] {
                let harness = try StoreKillHarness(work, isEncrypted: isEncrypted)
                for number in 0..<rounds
                where work == .rekey || number.isMultiple(of: 2) != isEncrypted {
                    if try Self.run(harness, number, seed) { kills += 1 }
                }
                try harness.close()
                acknowledged += harness.acknowledged
                states.before += harness.states.before
                states.after += harness.states.after
            }
            print(
                "figure: kills at \(work.rawValue) \(kills) before=\(states.before)"
                    + " after=\(states.after) acknowledged=\(acknowledged) losses=0 doubles=0"
                    + " seed=\(seed)")
            return kills
        }
        #expect(kills * 10 >= rounds * 9)
    }

    /// With a defect planted in the child, a kill leaves something that the harness reports.
    @Test(arguments: StoreKillHarness.Defect.allCases)
    func theHarnessFindsADefect(_ defect: StoreKillHarness.Defect) async throws {
        let found = try await onOwnThread {
            do {
                let harness = try StoreKillHarness(defect.work, isEncrypted: false, defect)
                defer { try? harness.close() }
                for number in 0..<60 {
                    do {
                        _ = try Self.run(harness, number, 1)
                    } catch let loss as KillLoss {
                        return "kills=\(number + 1) first: \(loss.description.prefix(200))"
                    }
                }
            } catch let loss as KillLoss {
                return "kills=0 first: \(loss.description.prefix(200))"
            }
            return ""
        }
        #expect(!found.isEmpty)
        print("figure: planted \(defect.rawValue) \(found)")
    }

    /// Runs the round, and others in its place where the work came to its end before the kill.
    private static func run(
        _ harness: StoreKillHarness, _ number: Int, _ seed: UInt64
    ) throws -> Bool {
        for attempt in 0..<4 {
            let round = StoreKillRound(number + attempt * 1_000_000, seed: seed)
            do {
                if try harness.run(round) { return true }
            } catch {
                throw KillLoss("round \(round.number): \(error)")
            }
        }
        return false
    }
}
