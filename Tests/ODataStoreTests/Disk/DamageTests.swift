import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataText
import Testing

/// Single bytes of an encrypted store are damaged: each is named, or the store holds what a commit had left.
@Suite struct DamageTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// Main file and log of a store as a killed process leaves them, and its states after each step.
    private static func victim() throws -> (main: [UInt8], log: [UInt8], states: [[String]]) {
        let work = DiskWork(isEncrypted: true)
        var files: ([UInt8], [UInt8])?
        var base: [String]?
        let (outcome, fixture) = try work.run(remembering: true) { step, fixture in
            if step == 3 { try fixture.store.checkpoint() }
            if step == 8 {
                let main = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
                let log = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "-wal"))
                files = ([UInt8](main), [UInt8](log))
            }
            if step == 3 { base = try DiskWork.state(fixture) }
        }
        try fixture?.store.close()
        let (main, log) = try #require(files)
        _ = try #require(base)
        return (main, log, outcome.states)
    }

    @Test func eachDamagedByteIsFoundOrDoesNotCount() throws {
        let isSoak = Self.environment["ODATA_SOAK"] != nil
        let seed = Self.environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
        let rounds = isSoak ? 10_000 : 400
        let (main, log, states) = try Self.victim()
        #expect(main.count > 50_000 && log.count > 20_000)
        let allowed = Set(states[3...8])
        var random = SeededGenerator(seed: seed)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "damage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.db").path
        let work = DiskWork(isEncrypted: true)
        var (named, prefixes, whole) = (0, 0, 0)
        for round in 0..<rounds {
            var (damagedMain, damagedLog) = (main, log)
            let isMain = round % 2 == 0
            let place = random.below(isMain ? main.count : log.count)
            let flip = UInt8(1 + random.below(255))
            if isMain { damagedMain[place] ^= flip } else { damagedLog[place] ^= flip }
            try Data(damagedMain).write(to: URL(fileURLWithPath: path))
            try Data(damagedLog).write(to: URL(fileURLWithPath: path + "-wal"))
            let label = "\(isMain ? "main" : "log") byte \(place), seed \(seed)"
            do {
                let found = try work.state(at: path)
                #expect(allowed.contains(found), "\(label): an unknown state")
                if found == states[8] { whole += 1 } else { prefixes += 1 }
            } catch let error as ODataError {
                let isNamed = error.underlying is StoreDamage
                #expect(isNamed, "\(label): \(error)")
                if isNamed { named += 1 }
            } catch {
                Issue.record("\(label): \(error)")
            }
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        #expect(named > rounds / 10 && prefixes > rounds / 10)
        print(
            "figure: damages \(rounds) named=\(named) prefixes=\(prefixes) harmless=\(whole)"
                + " unnoticed=0 seed=\(seed)")
    }

}
