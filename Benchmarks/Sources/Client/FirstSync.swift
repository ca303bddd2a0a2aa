import Foundation
import SAPOData

/// Opens a new store and downloads everything.
func firstSync(service: String, file: String, indexes: [(set: String, path: String)] = []) throws {
    for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file + suffix)
    }
    let clock = ContinuousClock()
    let (start, cpu) = (clock.now, cpuSeconds())
    let provider = makeProvider(service: service, file: file)
    for index in indexes { provider.createDynamicIndex(index.set, index.path) }
    try provider.open()
    try provider.download(groups: StringList(), options: SyncOptions())
    try provider.close()
    let duration = start.duration(to: clock.now) / .seconds(1)
    print("seconds=\(duration) cpu=\(cpuSeconds() - cpu) peak_kib=\(peakKiB())")
}

func makeProvider(service: String, file: String) -> CloudSyncProvider {
    let online = OnlineODataProvider(serviceName: "Bench", serviceRoot: service)
    let store = SQLDatabaseProvider(serviceName: "BenchStore", databaseURL: "sqlite:\(file)")
    let provider = CloudSyncProvider(onlineProvider: online, offlineStore: store)
    // A store that is encrypted is measured by the same program.
    provider.encryptionKey = ProcessInfo.processInfo.environment["ODATA_BENCH_KEY"]
    return provider
}
