import Foundation
import SAPOData

/// Changes that wait, and what sending them costs.
extension LocalWrites {
    /// Makes creations, each durable: one by one, or ten in a change set.
    func queue(_ kind: String, count: Int) throws {
        let cpu = cpuSeconds()
        if kind == "sets" {
            for start in stride(from: 0, to: count, by: 10) {
                let changes = ChangeSet()
                for number in start..<min(start + 10, count) {
                    changes.createEntity(newOrder(Int64(number)))
                }
                try service.applyChanges(changes)
            }
        } else {
            for number in 0..<count { try service.createEntity(newOrder(Int64(number))) }
        }
        let used = cpuSeconds() - cpu
        try service.close()
        print("count=\(count) cpu=\(used) peak_kib=\(peakKiB())")
    }
}

/// Sends what waits: in batches, or one request each.
func upload(service: String, file: String, isBatched: Bool) throws {
    let provider = makeProvider(service: service, file: file)
    provider.batchEntityUploads = isBatched
    try provider.open()
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    try provider.upload(groups: StringList(), options: SyncOptions())
    let wall = start.duration(to: clock.now) / .seconds(1)
    let used = cpuSeconds() - cpu
    let isLeft = try provider.hasQueuedRequests(matching: nil, headers: nil, options: nil)
    guard !isLeft else { throw Left() }
    try provider.close()
    print("seconds=\(wall) cpu=\(used) peak_kib=\(peakKiB())")
}

/// Something of the queue was not sent.
struct Left: Error {}

/// From nothing to the first page of an indexed query, in a process of its own.
func opening(file: String) throws {
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    let reads = try LocalReads(file: file)
    let sum = try reads.page(1)
    let wall = start.duration(to: clock.now) / .seconds(1)
    let used = cpuSeconds() - cpu
    try reads.service.close()
    print("seconds=\(wall) cpu=\(used) sum=\(sum) peak_kib=\(peakKiB())")
}
