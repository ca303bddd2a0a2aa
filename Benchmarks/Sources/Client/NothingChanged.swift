import Foundation
import SAPOData

/// Downloads again and again from a service where nothing changes.
func nothingChanged(service: String, file: String, rounds: Int) throws {
    let provider = makeProvider(service: service, file: file)
    try provider.open()
    try provider.download(groups: StringList(), options: SyncOptions())
    let written = writtenBytes()
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    for _ in 0..<rounds {
        try provider.download(groups: StringList(), options: SyncOptions())
    }
    let used = (cpuSeconds() - cpu) / Double(rounds)
    let wall = start.duration(to: clock.now) / .seconds(1) / Double(rounds)
    let bytes = (writtenBytes() - written) / rounds
    try provider.close()
    print("seconds=\(used) cpu=\(used) wall=\(wall) written=\(bytes) peak_kib=\(peakKiB())")
}

/// Bytes that the process has given to the kernel to write: the store's file and its log, and requests.
func writtenBytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("wchar") }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
}

/// One download of what is there to read.
func download(service: String, file: String) throws {
    let provider = makeProvider(service: service, file: file)
    try provider.open()
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    try provider.download(groups: StringList(), options: SyncOptions())
    let used = cpuSeconds() - cpu
    let wall = start.duration(to: clock.now) / .seconds(1)
    try provider.close()
    print("seconds=\(wall) cpu=\(used) peak_kib=\(peakKiB())")
}

/// Processor time of all threads, in the process and in the kernel.
func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
