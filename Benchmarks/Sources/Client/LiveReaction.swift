import Foundation
import SAPOData
import Synchronization

/// A live query over all orders, by number: how long from the start of a durable change of one of them until its
/// listener has the difference.
final class LiveReaction: Sendable {
    private struct Seen {
        var isReady = false
        var rows = 0
        var changes = 0
        var time = ContinuousClock.now
    }

    private let seen = Mutex(Seen())
    private let delivered = DispatchSemaphore(value: 0)

    private func take(_ update: LiveQueryUpdate) {
        seen.withLock { seen in
            seen.time = ContinuousClock.now
            if update.isFirst {
                seen.rows = update.inserted.count
            } else {
                seen.changes += update.updated.count + update.inserted.count + update.deleted.count
            }
        }
        delivered.signal()
    }

    /// Every second change moves its row to another place.
    ///
    /// - Parameter top: how many rows the query has; nil for all.
    func run(file: String, rounds: Int, top: Int? = nil) throws {
        let provider = makeProvider(service: "http://127.0.0.1:9/", file: file)
        let service = OfflineDataService(provider: provider)
        try service.open()
        let orders = service.entitySet(withName: "Orders")
        func property(_ name: String) -> Property { orders.entityType.property(withName: name) }
        let (number, note, key) = (property("Number"), property("Note"), property("ID"))
        let query = DataQuery().from(orders).filter(number.greaterEqual(LongValue.of(1)))
            .orderBy(number)
        if let top { _ = query.top(top) }
        let token = try service.observe(query) { self.take($0) }
        delivered.wait()
        var times: [Double] = []
        let cpu = cpuSeconds()
        for round in 0..<rounds + rounds / 10 {
            let order: EntityValue
            if top == nil {
                let id = EntityKey().withProperty(
                    key, value: LongValue.of(Int64(round * 193) % 100_000 + 1))
                order = try service.executeQuery(DataQuery().from(orders).withKey(id))
                    .requiredEntity()
            } else {
                // One of those that the query has.
                let place = DataQuery().from(orders).filter(
                    number.greaterEqual(LongValue.of(1))
                ).orderBy(number).skip(round % 90).top(1)
                order = try service.executeQuery(place).entityList().first()
            }
            note.setStringValue(in: order, to: "changed \(round)")
            if top == nil, round % 2 == 1 {
                number.setLongValue(in: order, to: Int64((round * 7_919) % 100_000 + 1))
            }
            let start = ContinuousClock.now
            try service.updateEntity(order)
            delivered.wait()
            let end = seen.withLock { $0.time }
            if round >= rounds / 10 { times.append(start.duration(to: end) / .seconds(1)) }
        }
        let used = (cpuSeconds() - cpu) / Double(rounds + rounds / 10)
        token.cancel()
        try service.close()
        times.sort()
        let (rows, changes) = seen.withLock { ($0.rows, $0.changes) }
        print(
            "seconds=\(times[times.count / 2]) cpu=\(used) p95=\(times[times.count * 95 / 100])",
            "p99=\(times[times.count * 99 / 100]) rows=\(rows)",
            "changes=\(changes) peak_kib=\(peakKiB())")
    }
}
