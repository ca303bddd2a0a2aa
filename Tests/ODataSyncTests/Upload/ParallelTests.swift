import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// How many requests are on their way at the same time, as the service sees it.
@Suite struct ParallelTests {
    private static func run(
        _ body: @escaping @Sendable (ServiceWorkplace) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run(adjust: { $0.workerThreads = 12 }, body)
    }

    // CSP-056
    @Test(arguments: [1, 3]) func asManyChangesAreOnTheirWayAsThreadsAreAllowed(
        threads: Int
    ) async throws {
        try await Self.run { place in
            #expect(place.sync.uploadWorkerThreads == 10)
            try place.prepare()
            place.sync.batchEntityUploads = false
            place.sync.uploadWorkerThreads = threads
            for id in 1...9 { try place.retitle(id, "changed \(id)") }
            let gate = ArrivalGate(threads)
            place.observer.setFaults { request, _ in
                guard request.method == "PATCH" else { return nil }
                gate.arrive()
                // Held a little, so that one too many would show.
                usleep(30_000)
                return nil
            }
            try place.sync.upload()
            #expect(gate.arrivals == 9)
            #expect(place.observer.peakWrites == threads)
            for id in 1...9 { #expect(try place.servedTitle(id) == "changed \(id)") }
            #expect(try place.sync.queued().isEmpty)
        }
    }

    @Test func batchesOfOneWaveOverlap() async throws {
        try await Self.run { place in
            try place.prepare()
            place.sync.uploadIterationSize = 2_000
            for id in 1...12 { try place.retitle(id, "changed \(id)") }
            let gate = ArrivalGate(3)
            place.observer.setFaults { request, _ in
                if request.url.hasSuffix("$batch") { gate.arrive() }
                return nil
            }
            try place.sync.upload()
            #expect(gate.arrivals >= 3)
            #expect(place.observer.peakWrites >= 3)
            for id in 1...12 { #expect(try place.servedTitle(id) == "changed \(id)") }
        }
    }

    /// Creations, changes of what was created, and removals, with separate requests for each.
    private static func work(_ place: ServiceWorkplace, threads: Int, batches: Bool) throws
        -> [String]
    {
        try place.prepare()
        place.sync.batchEntityUploads = batches
        place.sync.uploadWorkerThreads = threads
        for number in 1...6 {
            let order = try place.createOrder("P-\(number)")
            for step in 1...3 {
                order.put("Title", "step \(step) of \(number)")
                try place.sync.update(order)
            }
            if number % 3 == 0 { try place.sync.delete(order) }
        }
        for id in 1...4 {
            try place.retitle(id, "first")
            try place.retitle(id, "last \(id)")
        }
        try place.sync.delete(try place.order(9))
        try place.sync.upload()
        #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
        return try place.serviceRows("SELECT Number, Title FROM WorkOrders ORDER BY Number")
            .map { "\($0[0] as String) \($0[1] as String)" }
    }

    @Test(arguments: [true, false]) func theServiceEndsInTheSameStateHoweverManyThreads(
        batches: Bool
    ) async throws {
        let results = Mutex<[[String]]>([])
        for threads in [1, 2, 10] {
            try await Self.run { place in
                // Every change stays a request of its own, so that their order matters.
                place.sync.combineLocalUpdates = false
                place.sync.combineLocalDeletes = false
                let rows = try Self.work(place, threads: threads, batches: batches)
                if threads == 1 { #expect(place.observer.peakWrites == 1) }
                results.withLock { $0.append(rows) }
            }
        }
        let rows = results.withLock { $0 }
        #expect(rows[0].contains("P-2 step 3 of 2"))
        #expect(rows[1] == rows[0] && rows[2] == rows[0])
    }

    @Test func aCutWhileManyAreOnTheirWayLosesNothingAndRepeatsNothing() async throws {
        try await Self.run { place in
            try place.prepare()
            place.sync.batchEntityUploads = false
            for number in 1...8 { try place.createOrder("P-\(number)") }
            let count = Mutex(0)
            place.observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                return count.withLock { count in
                    count += 1
                    return count % 3 == 0 ? .loseAnswer : count % 3 == 1 ? .loseRequest : nil
                }
            }
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            place.restoreNetwork()
            try place.reopen()
            try place.sync.upload()
            #expect(try place.serviceCount("WorkOrders", "Number LIKE 'P-%'") == 8)
            #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
        }
    }

    @Test func aChangeSetAtAServiceWithoutBatchesIsRefusedAndTheRestGoes() async throws {
        try await Self.run { place in
            try place.prepare()
            place.sync.throwUploadFailures = false
            place.observer.setFaults { request, _ in
                request.url.hasSuffix("$batch") ? .answer(ResponseMessage(status: 404)) : nil
            }
            let options = RequestOptions()
            options.changeSet = "both"
            try place.retitle(1, "one", options)
            try place.retitle(2, "two", options)
            try place.retitle(3, "three")
            try place.sync.upload()
            #expect(try place.servedTitle(3) == "three")
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.sync.failed().map(\.httpStatus) == [404, 404])
        }
    }

    // CSP-058
    @Test(arguments: [2, 6]) func onlyAsManyPagesAreFetchedAsMayWaitToBeStored(
        capacity: Int
    ) async throws {
        try await Self.run { place in
            #expect(place.sync.downloadQueueCapacity == 100)
            place.sync.batchEntityDownloads = false
            place.sync.downloadQueueCapacity = capacity
            try place.sync.open()
            let gate = ArrivalGate(capacity)
            let held = Mutex(0)
            place.observer.setFaults { request, _ in
                // The first set cannot be stored until the others were asked for.
                guard request.url.hasSuffix("/Customers") else {
                    gate.arrive()
                    return nil
                }
                gate.arrive()
                usleep(300_000)
                held.withLock { $0 = gate.arrivals }
                return nil
            }
            try place.sync.download()
            #expect(held.withLock { $0 } == capacity)
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
        }
    }
}
