// The client as an app uses it: opens the store and downloads everything.
// usage: Client SERVICE_URL FILE   prints seconds=… rows=… peak_kib=…
import Foundation
import SAPOData

func peakKiB() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
}

/// Blocking calls belong on a thread of their own.
func run(service: String, file: String) throws {
    for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file + suffix)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let online = OnlineODataProvider(serviceName: "Bench", serviceRoot: service)
    let store = SQLDatabaseProvider(serviceName: "BenchStore", databaseURL: "sqlite:\(file)")
    let provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
    try provider.open()
    try provider.download(groups: StringList(), options: SyncOptions())
    try provider.close()
    let duration = start.duration(to: clock.now) / .seconds(1)
    print("seconds=\(duration) peak_kib=\(peakKiB())")
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: Client SERVICE_URL FILE")
    exit(2)
}
let thread = Thread {
    do {
        try run(service: arguments[1], file: arguments[2])
        exit(0)
    } catch {
        print("Client: \(error)")
        exit(1)
    }
}
thread.start()
while true { sleep(1_000) }
