import Foundation
import ODataTesting
import ODataWorld
import Testing

@Suite struct SimulatedWorldTests {
    /// Two workers append to one list at every checkpoint; the order is the seed's.
    private func order(seed: UInt64) async -> [Int] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let world = SimulatedWorld(seed: seed)
                let log = Log()
                let workers = (1...2).map { number in
                    world.startWorker("worker \(number)") {
                        for _ in 0..<8 {
                            log.append(number)
                            world.checkpoint("step")
                        }
                    }
                }
                for worker in workers { worker.join() }
                continuation.resume(returning: log.entries)
            }
        }
    }

    @Test func equalSeedsInterleaveAlike() async {
        let first = await order(seed: 7)
        #expect(first.count == 16)
        for _ in 0..<5 { #expect(await order(seed: 7) == first) }
    }

    @Test func seedsDifferInOrder() async {
        var orders = Set<[Int]>()
        for seed in 1...8 { orders.insert(await order(seed: UInt64(seed))) }
        #expect(orders.count > 1)
    }

    @Test func timePassesOnlyWhileEverybodyWaits() async {
        let (early, late) = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let world = SimulatedWorld(seed: 1)
                let before = world.uptime()
                world.sleep(.seconds(3600), token: nil)
                continuation.resume(returning: (before, world.uptime()))
            }
        }
        #expect(early == .zero)
        #expect(late == .seconds(3600))
    }

    @Test func aMonitorWakesItsWaiterAndTimesOut() async {
        let results = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let world = SimulatedWorld(seed: 3)
                let monitor = world.makeMonitor()
                let timedOut = monitor.withLock { monitor.wait(timeout: .seconds(5)) }
                let flag = Log()
                let worker = world.startWorker("waker") {
                    monitor.withLock {
                        flag.append(1)
                        monitor.signal()
                    }
                }
                let woken = monitor.withLock { () -> Bool in
                    while flag.entries.isEmpty { _ = monitor.wait(timeout: nil) }
                    return true
                }
                worker.join()
                continuation.resume(returning: [timedOut, woken])
            }
        }
        #expect(results == [false, true])
    }
}

private final class Log: @unchecked Sendable {  // written by the holder of the baton only
    private(set) var entries: [Int] = []
    func append(_ entry: Int) { entries.append(entry) }
}
