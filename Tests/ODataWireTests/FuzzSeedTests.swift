import Foundation
import ODataFuzzing
import ODataText
import Testing

/// The fuzz targets over their seeds and seeded mutations of these: what libFuzzer does longer (`make fuzz`).
@Suite struct FuzzSeedTests {
    private static func seeds(_ target: FuzzTarget) throws -> [[UInt8]] {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        folder.appendPathComponent("Fuzz/Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            [UInt8](try Data(contentsOf: folder.appendingPathComponent($0)))
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func seedsAndTheirMutationsAreReadOrRefused(_ target: FuzzTarget) throws {
        let seeds = try Self.seeds(target)
        #expect(seeds.count > 3)
        var generator = SeededGenerator(seed: 42)
        func random(_ bound: Int) -> Int { generator.below(bound) }
        for seed in seeds {
            target.run(seed)
            for _ in 0..<60 {
                var bytes = seed
                for _ in 0...random(3) {
                    let place = random(bytes.count + 1)
                    switch random(4) {
                    case 0 where place < bytes.count: bytes[place] = UInt8(random(256))
                    case 1: bytes.removeSubrange(place..<min(bytes.count, place + random(20)))
                    case 2:
                        let end = min(bytes.count, place + random(40))
                        bytes.insert(contentsOf: Array(bytes[place..<end]), at: random(place + 1))
                    default: bytes.insert(UInt8(random(256)), at: place)
                    }
                }
                target.run(bytes)
            }
        }
    }
}
