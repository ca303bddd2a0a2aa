import Foundation
import ODataStore
import ODataTesting
import Testing

/// Power loss after an acknowledged write loses nothing.
@Suite struct PowerLossTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test(arguments: [false, true], DiskWork.Scenario.allCases)
    func whatWasAcknowledgedIsThereAfterThePowerWasLost(
        isEncrypted: Bool, scenario: DiskWork.Scenario
    ) throws {
        let isSoak = Self.environment["ODATA_SOAK"] != nil
        let seed = Self.environment["ODATA_SEED"].flatMap(UInt64.init) ?? 1
        let disk = PowerLossDisk(seed: seed &* 0x9E37_79B9_7F4A_7C15, every: isSoak ? 1 : 3)
        let work = DiskWork(isEncrypted: isEncrypted, scenario: scenario, watch: disk)
        let (outcome, fixture) = try work.run(remembering: true) { _, _ in disk.acknowledge() }
        #expect(outcome.done == work.stepCount, "\(String(describing: outcome.failure))")
        let stored = try #require(fixture).path
        let moments = disk.moments
        try fixture?.store.close()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "power-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.db").path
        for (number, moment) in moments.enumerated() {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, content) in moment.files {
                let suffix = name.dropFirst(stored.count)
                try Data(content).write(to: URL(fileURLWithPath: path + suffix))
            }
            let place = "moment \(number) after step \(moment.acknowledged), seed \(seed)"
            let found: [String]
            do {
                found = try work.state(at: path)
            } catch {
                let sizes = moment.files.map { "\($0.dropFirst(stored.count)) \($1.count)" }
                Issue.record("\(place), files \(sizes.sorted()): \(error)")
                continue
            }
            // The last step that promised to be on disk, up to the one that was under way.
            let oldest = (0..<moment.acknowledged).last { work.durableSteps.contains($0) }
            guard let oldest else { continue }
            let newest = min(moment.acknowledged, outcome.states.count - 1)
            let isKnown =
                outcome.states[oldest] == found
                || (oldest...newest).dropFirst().contains {
                    outcome.states(of: $0).contains(found)
                }
            #expect(isKnown, "\(place)")
        }
        #expect(moments.count > 30)
        print(
            "figure: power loss \(scenario) \(isEncrypted ? "encrypted" : "plain") moments=\(moments.count)"
                + " lost=0 seed=\(seed)")
    }
}
