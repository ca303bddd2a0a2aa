import Foundation
import ODataTesting
import Testing

@Suite(.serialized) struct KillTests {
    /// Rounds and seed come from `ODATA_ROUNDS` and `ODATA_SEED`; `make soak` runs many more than these.
    @Test func aKilledClientLosesNothingAndDoublesNothing() async throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["ODATA_ROUNDS"].flatMap(Int.init) ?? 48
        try await Self.kill(rounds: rounds, key: nil)
    }

    @Test func aKilledClientOfAnEncryptedStoreLosesAndShowsNothing() async throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["ODATA_ROUNDS"].flatMap(Int.init) ?? 12
        try await Self.kill(rounds: rounds, key: String(repeating: "c3", count: 32))
    }

    private static func kill(rounds: Int, key: String?) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
        let kills = try await onOwnThread {
            let harness = try KillHarness(key: key)
            var kills: [KillRound.Kind: Int] = [:]
            for number in 0..<max(rounds, 1) {
                if try Self.kill(KillRound(number, seed: seed), harness) {
                    kills[KillRound(number, seed: seed).kind, default: 0] += 1
                }
            }
            let counts = KillRound.Kind.allCases.map { "\($0.rawValue)=\(kills[$0] ?? 0)" }
            print(
                "figure: kills \(key == nil ? "" : "encrypted ")\(kills.values.reduce(0, +)) "
                    + counts.joined(separator: " ")
                    + " acknowledged=\(harness.acknowledged) losses=0 doubles=0 seed=\(seed)")
            try harness.close()
            return kills
        }
        #expect(kills.values.reduce(0, +) * 100 >= rounds * 98)
        for kind in KillRound.Kind.allCases {
            #expect(
                (kills[kind] ?? 0) * 10 >= rounds / KillRound.Kind.allCases.count * 9, "\(kind)")
        }
    }

    /// With a defect planted in client or store, a killed client leaves something that the harness reports.
    @Test(arguments: KillHarness.Defect.allCases)
    func theKillHarnessFindsADefect(_ defect: KillHarness.Defect) async throws {
        let found = try await onOwnThread {
            let harness = try KillHarness(defect)
            defer { try? harness.close() }
            let kinds: Set<KillRound.Kind> = [.localWrite, .beforeAnswer, .beforeRecord]
            let rounds = (0..<72).lazy.map { KillRound($0, seed: 1) }
                .filter { kinds.contains($0.kind) }
            for (index, round) in rounds.enumerated() {
                do {
                    _ = try Self.kill(round, harness)
                } catch let loss as KillHarness.Loss {
                    return "kills=\(index + 1) first: \(loss.description.prefix(200))"
                }
            }
            return ""
        }
        #expect(!found.isEmpty)
        print("figure: planted \(defect.rawValue) \(found)")
    }

    /// Runs the round, with the trap nearer each time that the client comes past it.
    private static func kill(_ first: KillRound, _ harness: KillHarness) throws -> Bool {
        var round = first
        for _ in 0..<4 {
            do {
                if try harness.run(round) == .killed { return true }
            } catch {
                throw KillHarness.Loss(
                    "round \(round.number), \(round.kind), \(round.trap.words): \(error)")
            }
            round.number += 1_000_000
            round.trap.passages = max(1, round.trap.passages / 2)
        }
        return false
    }
}
