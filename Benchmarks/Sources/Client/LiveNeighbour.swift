import Foundation
import SAPOData
import Synchronization

/// A live query in one process, and changes of another process to the same store: how long from the start of a durable change
/// until the listener has the difference. The change says when it began, by the clock that all processes share.
enum LiveNeighbour {
    private struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// How many seconds the changes are waited for.
    private static let longest = 120

    private static var uptime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func opened(_ file: String) throws -> (OfflineDataService, EntitySet) {
        let provider = makeProvider(service: "http://127.0.0.1:9/", file: file)
        let service = OfflineDataService(provider: provider)
        try service.open()
        return (service, service.entitySet(withName: "Orders"))
    }

    /// Changes a row of the query of ``watch(file:rounds:)`` so many times.
    static func write(file: String, rounds: Int) throws {
        let (service, orders) = try opened(file)
        func property(_ name: String) -> Property { orders.entityType.property(withName: name) }
        for round in 0..<rounds {
            let id = EntityKey().withProperty(
                property("ID"), value: LongValue.of(Int64(round % 90) + 1))
            let order = try service.executeQuery(DataQuery().from(orders).withKey(id))
                .requiredEntity()
            // Looks behind the change before are over by then, or nearly so.
            Thread.sleep(forTimeInterval: Double(round % 40) / 200)
            property("Note").setStringValue(in: order, to: String(uptime))
            try service.updateEntity(order)
        }
        try service.close()
    }

    /// Prints `ready`, and the times when all changes have come.
    static func watch(file: String, rounds: Int) throws {
        let (service, orders) = try opened(file)
        let note: Property = orders.entityType.property(withName: "Note")
        let key: Property = orders.entityType.property(withName: "ID")
        let times = Mutex<[Double]>([])
        let isOver = DispatchSemaphore(value: 0)
        let query = DataQuery().from(orders).filter(key.lessEqual(LongValue.of(100))).orderBy(key)
        let token = try service.observe(query) { update in
            guard !update.isFirst else {
                print("ready")
                fflush(nil)
                return
            }
            let now = uptime
            for change in update.updated {
                guard let began = UInt64(note.stringValue(from: change.entity)) else { continue }
                let count = times.withLock { times in
                    times.append(Double(now - began) / 1e9)
                    return times.count
                }
                if count == rounds { isOver.signal() }
            }
        }
        // The other process may have failed: then no more come.
        let isComplete = isOver.wait(timeout: .now() + .seconds(longest)) == .success
        token.cancel()
        try service.close()
        let sorted = times.withLock { $0.sorted() }
        guard isComplete else {
            throw Missing(description: "expected \(rounds) changes, found \(sorted.count)")
        }
        print(
            "seconds=\(sorted[sorted.count / 2]) p95=\(sorted[sorted.count * 95 / 100])",
            "p99=\(sorted[sorted.count * 99 / 100]) peak_kib=\(peakKiB())")
    }
}
