import Foundation
import SAPOData
import Synchronization

/// What a first download costs others: pages of 100 rows read again and again, and changes made beside it.
final class DuringSync: Sendable {
    private struct Times {
        var isOver = false
        var reads: [Double] = []
        var writes: [Double] = []
        var failure: (any Error)?
    }

    private let times = Mutex(Times())

    private var isOver: Bool { times.withLock { $0.isOver } }

    func run(service url: String, file: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file + suffix)
        }
        let provider = makeProvider(service: url, file: file)
        provider.createDynamicIndex("Orders", "Number")
        let service = OfflineDataService(provider: provider)
        try service.open()
        // The metadata has come with opening; the rows have not.
        let ended = DispatchSemaphore(value: 0)
        for work in [read, write] {
            let thread = Thread {
                do {
                    try work(service)
                } catch {
                    self.times.withLock { $0.failure = error }
                }
                ended.signal()
            }
            thread.start()
        }
        let (clock, start) = (ContinuousClock(), ContinuousClock().now)
        try provider.download(groups: StringList(), options: SyncOptions())
        let seconds = start.duration(to: clock.now) / .seconds(1)
        times.withLock { $0.isOver = true }
        ended.wait()
        ended.wait()
        try service.close()
        let found = times.withLock { $0 }
        if let failure = found.failure { throw failure }
        let (reads, writes) = (found.reads.sorted(), found.writes.sorted())
        func part(_ times: [Double], _ share: Double) -> Double {
            times.isEmpty ? 0 : times[min(times.count - 1, Int(Double(times.count) * share))]
        }
        print(
            "seconds=\(part(reads, 0.99)) median=\(part(reads, 0.5)) reads=\(reads.count)",
            "longest_write=\(part(writes, 1)) write_p99=\(part(writes, 0.99))",
            "writes=\(writes.count) sync=\(seconds) peak_kib=\(peakKiB())")
    }

    private func read(_ service: OfflineDataService) throws {
        let orders = service.entitySet(withName: "Orders")
        let id = orders.entityType.property(withName: "ID")
        let columns = OrderColumns(orders.entityType)
        var numbers = LocalReads.Numbers(bound: 100_000)
        while !isOver {
            let query = DataQuery().from(orders).filter(
                id.greaterEqual(LongValue.of(numbers.next()))
            ).orderBy(id).top(100)
            let start = ContinuousClock.now
            var sum: Int64 = 0
            for row in try service.executeQuery(query).entityList() { sum += columns.sum(row) }
            let seconds = start.duration(to: .now) / .seconds(1)
            if sum > 0 { times.withLock { $0.reads.append(seconds) } }
        }
    }

    private func write(_ service: OfflineDataService) throws {
        let writes = LocalWrites(service)
        var number: Int64 = 0
        while !isOver {
            let order = writes.newOrder(number)
            let start = ContinuousClock.now
            try service.createEntity(order)
            let seconds = start.duration(to: .now) / .seconds(1)
            times.withLock { $0.writes.append(seconds) }
            number += 1
            // A person writes now and then; what is measured is the wait, not how much fits beside the download.
            Thread.sleep(forTimeInterval: 0.005)
        }
    }
}
