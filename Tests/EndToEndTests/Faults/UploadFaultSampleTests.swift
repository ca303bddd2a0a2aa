import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import SAPOData
import Synchronization
import Testing

/// A sample of what `UploadFaultTests` walks through, over a real store, a real service and all between them: what changed has
/// its effect once or is listed with a reason.
@Suite struct UploadFaultSampleTests {
    private static let page: HeaderFields = ["Content-Type": "text/html"]

    private static func answer(_ status: Int, _ headers: HeaderFields) -> ServiceObserver.Fault {
        .answer(
            ResponseMessage(status: status, headers: headers, body: Array("<html></html>".utf8)))
    }

    private static let faults: [ServiceObserver.Fault] = [
        .loseRequest, .loseAnswer, .cutAnswer, answer(200, page),
        .answer(ResponseMessage(status: 204)), answer(401, page), answer(400, page),
        answer(404, page), answer(413, page), answer(429, ["Retry-After": "0"]), answer(502, page),
        answer(503, page), answer(307, ["Location": "http://login.test/"]),
        .answer(ResponseMessage(status: 400, headers: ["OData-Version": "4.0"])),
    ]

    private static func write(_ place: FaultPlace) throws {
        let customer = place.newEntity(like: try place.entities("Customers", by: "Number")[0])
        customer.entityType.property(withName: "Id").setDataValue(
            in: customer, to: GuidValue.parse("0f8fad5b-d9cb-469f-a165-70867728950e"))
        place.set("Number", "C-NEW", of: customer)
        try place.provider.create(customer)
        let orders = try place.entities("WorkOrders", by: "Number")
        try place.provider.create(place.newOrder("S-NEW", like: orders[0]))
        place.setTitle("sampled", of: orders[1])
        try place.provider.update(orders[1])
        try place.provider.delete(try place.entities("Photos", by: "Id")[0])
    }

    /// What each change left at the service, and whether it may be there several times.
    private static func effects(_ place: FaultPlace, photos: Int) throws -> [String: Int] {
        [
            "Customers": try place.serviceRows("SELECT 1 FROM Customers WHERE Number = 'C-NEW'")
                .count,
            "WorkOrders": try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Number = 'S-NEW'")
                .count,
            "title": try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Title = 'sampled'")
                .count,
            "Photos": photos - (try place.serviceRows("SELECT 1 FROM Photos").count),
        ]
    }

    private static func run(seed: UInt64, isRepeatable: Bool, isBatched: Bool) throws {
        let place = try FaultPlace(scale: 60) { isRepeatable ? $0 : PlainServiceTransport($0) }
        place.provider.batchEntityUploads = isBatched
        place.provider.uploadWorkerThreads = 1
        try place.provider.open()
        try place.provider.download()
        try write(place)
        let photos = try place.serviceRows("SELECT 1 FROM Photos").count
        let generator = Mutex(SeededGenerator(seed: seed))
        let left = Mutex(4)
        place.service.observer.setFaults { request, _ in
            guard request.method != "GET" else { return nil }
            return generator.withLock { generator in
                guard generator.next() % 2 == 0, left.withLock({ $0 > 0 }) else { return nil }
                left.withLock { $0 -= 1 }
                return faults[Int(generator.next() % UInt64(faults.count))]
            }
        }
        for _ in 0..<5 { try? place.provider.upload() }
        place.service.observer.setFaults(nil)
        for _ in 0..<3 { try place.provider.upload() }
        let failed = try place.provider.failed().toArray()
        #expect(try place.provider.queued().isEmpty, "seed \(seed)")
        #expect(failed.allSatisfy { $0.errorMessage?.isEmpty == false }, "seed \(seed)")
        for (name, count) in try effects(place, photos: photos) {
            #expect(count <= 1, "seed \(seed): \(name) \(count) times")
            let isListed = failed.contains {
                $0.entitySetName == (name == "title" ? "WorkOrders" : name)
            }
            #expect(count == 1 || isListed, "seed \(seed): \(name) is lost")
        }
        try place.close()
    }

    @Test(arguments: [true, false], [true, false])
    func sampledSequencesOfFaultsEndWell(isRepeatable: Bool, isBatched: Bool) async throws {
        let count = UInt64(ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil ? 200 : 4)
        try await onOwnThread {
            for seed in 1...count {
                try Self.run(seed: seed, isRepeatable: isRepeatable, isBatched: isBatched)
            }
        }
    }
}
