import Foundation
import SAPOData

/// Downloads again and again from a service where nothing changes.
func nothingChanged(service: String, file: String, rounds: Int) throws {
    let provider = makeProvider(service: service, file: file)
    try provider.open()
    try provider.download(groups: StringList(), options: SyncOptions())
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    for _ in 0..<rounds {
        try provider.download(groups: StringList(), options: SyncOptions())
    }
    let used = (cpuSeconds() - cpu) / Double(rounds)
    let wall = start.duration(to: clock.now) / .seconds(1) / Double(rounds)
    try provider.close()
    print("seconds=\(used) wall=\(wall) peak_kib=\(peakKiB())")
}

/// Processor time of all threads, in the process and in the kernel.
func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
