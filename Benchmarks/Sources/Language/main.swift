// Metadata and URLs as an app or a service uses them; prints figures as name=value.
// usage: Language csdl ROUNDS [BYTES]   reads a document of 1 MB or so many bytes, CPU seconds of one, and its size
//        Language url ROUNDS    reads, checks and writes a set of URLs, CPU seconds of one URL
import Foundation
import SAPOData

func peakKiB() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

/// Processor time of all threads, in the process and in the kernel.
func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func run(_ arguments: [String]) throws -> Bool {
    guard (2...3).contains(arguments.count), let rounds = Int(arguments[1]), rounds > 0 else {
        return false
    }
    switch arguments[0] {
    case "csdl":
        let bytes = arguments.count == 3 ? Int(arguments[2]) : 1_000_000
        guard let bytes else { return false }
        try loadMetadata(rounds: rounds, bytes: bytes)
    case "url": try readAndWriteURLs(rounds: rounds)
    default: return false
    }
    return true
}

do {
    guard try run(Array(CommandLine.arguments.dropFirst())) else {
        print("usage: Language csdl|url ROUNDS")
        exit(2)
    }
} catch {
    print("Language: \(error)")
    exit(1)
}
