import ODataText
import Testing

/// Broken input gives an error or a value, never a trap, and the same one however it is cut into parts.
@Suite struct JSONMutationTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutatedDocumentsNeverTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let interesting = Array("\"\\{}[]:,0-9eE.+u tfn\u{0}\u{1f}".utf8) + [0x80, 0xc3, 0xff]
        for round in 0..<1500 {
            var bytes = Array(JSONChunkTests.documents[round % JSONChunkTests.documents.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                let byte = interesting.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = byte
                case 1: bytes.insert(byte, at: at)
                default: if bytes.count > 1 { bytes.remove(at: at) }
                }
            }
            let whole = try? JSONValue(parsing: bytes)
            let cut = Int.random(in: 0...bytes.count, using: &random)
            var reader = JSONReader(
                source: ByteParts([Array(bytes[..<cut]), Array(bytes[cut...])]), bufferSize: 16)
            var parts = try? reader.readValue()
            if (try? reader.finish()) == nil { parts = nil }
            #expect(parts == whole, "seed \(seed) round \(round)")
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func randomTreesSurviveWritingAndReading(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let tree = Self.tree(depth: 4, &random)
            #expect(try JSONValue(parsing: tree.bytes) == tree)
        }
    }

    static func tree(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2: return .number("\(Int64.random(in: .min ... .max, using: &random)).50e-3")
        case 3, 4: return .string(string(&random))
        case 5: return .array((0..<3).map { _ in tree(depth: depth - 1, &random) })
        default:
            var object = JSONObject()
            for _ in 0..<3 { object[string(&random)] = tree(depth: depth - 1, &random) }
            return .object(object)
        }
    }

    static func string(_ random: inout SeededGenerator) -> String {
        let alphabet: [Character] = [
            "a", "\"", "\\", "/", "\n", "\u{1}", "é", "€", "😀", "\u{0}", "\u{2028}",
        ]
        return String(
            (0..<Int.random(in: 0...20, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? "a"
            })
    }
}
