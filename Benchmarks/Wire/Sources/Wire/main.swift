// Readers and writers of payloads without anything around them; prints figures as name=value, of the fastest round.
// usage: Wire json FILE ROUNDS          walks every member name and value of a JSON text
//        Wire batch PARTS ROUNDS        writes and reads a multipart batch and its answer
//        Wire jsonbatch PARTS ROUNDS    the same as a JSON batch
import Foundation

func peakKiB() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

func time(_ rounds: Int, _ work: () throws -> (units: Int, bytes: Int)) throws {
    var least = Duration.seconds(1_000_000)
    var result = (units: 0, bytes: 0)
    for _ in 0..<rounds {
        least = min(least, try ContinuousClock().measure { result = try work() })
    }
    let seconds = least / .seconds(1)
    print(
        "seconds=\(seconds) units=\(result.units) bytes=\(result.bytes) peak_kib=\(peakKiB())")
}

func run(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 3, let rounds = Int(arguments[2]), rounds > 0 else { return false }
    switch arguments[0] {
    case "json":
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[1])))
        try time(rounds) { (try tokens(of: bytes), bytes.count) }
    case "batch", "jsonbatch":
        guard let count = Int(arguments[1]), count > 0 else { return false }
        let creations = creations(count)
        let isJSON = arguments[0] == "jsonbatch"
        try time(rounds) { try isJSON ? jsonBatch(creations) : multipart(creations) }
    default: return false
    }
    return true
}

do {
    guard try run(Array(CommandLine.arguments.dropFirst())) else {
        print("usage: Wire json FILE ROUNDS | Wire batch|jsonbatch PARTS ROUNDS")
        exit(2)
    }
} catch {
    print("Wire: \(error)")
    exit(1)
}
