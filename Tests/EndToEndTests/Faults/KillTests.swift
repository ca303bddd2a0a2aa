import Foundation
import ODataTesting
import Testing

@Suite(.serialized) struct KillTests {
    private static let keys = ["c3", "5a"].map { String(repeating: $0, count: 32) }

    /// Rounds and seed come from `ODATA_ROUNDS` and `ODATA_SEED`; `make soak` runs many more than these.
    @Test func aKilledClientLosesNothingAndDoublesNothing() async throws {
        try await Self.kill("", rounds: 35) { try KillHarness() }
    }

    @Test func aKilledClientOfAnEncryptedStoreLosesAndShowsNothing() async throws {
        try await Self.kill("encrypted ", rounds: 7) { try KillHarness(keys: [Self.keys[0]]) }
    }

    /// One of them is in clear, one encrypted, and both work at the same time.
    @Test func aKilledClientOfTwoStoresLosesNothingOfEither() async throws {
        try await Self.kill("of two stores ", rounds: 7) {
            try KillHarness(keys: [nil, Self.keys[1]])
        }
    }

    @Test(arguments: [nil, keys[0]])
    func anotherProcessSeesWholeChangesOnly(key: String?) async throws {
        try await Self.kill(
            key == nil ? "beside a reader " : "encrypted beside a reader ", rounds: 3
        ) { try KillHarness(keys: [key], isRead: true) }
    }

    private static func kill(
        _ name: String, rounds: Int, _ make: @escaping @Sendable () throws -> KillHarness
    ) async throws {
        let rounds = KillCampaign.rounds ?? rounds
        let seed = KillCampaign.seed
        let kills = try await onOwnThread {
            let harness = try make()
            var kills: [KillRound.Kind: Int] = [:]
            for number in 0..<max(rounds, 1) {
                if try Self.kill(KillRound(number, seed: seed), harness) {
                    kills[KillRound(number, seed: seed).kind, default: 0] += 1
                }
            }
            try harness.close()
            let counts = KillRound.Kind.allCases.map { "\($0.rawValue)=\(kills[$0] ?? 0)" }
            print(
                "figure: kills \(name)\(kills.values.reduce(0, +)) "
                    + counts.joined(separator: " ")
                    + " acknowledged=\(harness.acknowledged) losses=0 doubles=0 seed=\(seed)"
                    + (harness.reading.isEmpty ? "" : " reads and updates=\(harness.reading)"))
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
            let harness = try KillHarness(
                defect, keys: defect == .secondAcknowledgesEarly ? [nil, Self.keys[1]] : [nil],
                isRead: defect == .dividesPairs)
            defer { try? harness.close() }
            let kinds: Set<KillRound.Kind> = [.localWrite, .beforeAnswer, .beforeRecord]
            let rounds = (0..<72).lazy.map { KillRound($0, seed: 1) }
                .filter { kinds.contains($0.kind) }
            for (index, round) in rounds.enumerated() {
                do {
                    _ = try Self.kill(round, harness)
                } catch let loss as KillLoss {
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
                throw KillLoss(
                    "round \(round.number), \(round.kind), \(round.trap.words): \(error)")
            }
            round.number += 1_000_000
            round.trap.passages = max(1, round.trap.passages / 2)
        }
        return false
    }
}
