import ODataClasses
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Testing

/// Twenty creations whose answers are lost, at a service that knows no repeatable requests and gives the keys: the next
/// download tells what became of each.
@Suite struct SettledCreationTests {
    private static func name(_ number: Int) -> String { "Lost site \(number)" }

    /// - Parameter fault: what becomes of the n-th creation.
    private static func run(
        batched: Bool, _ fault: @escaping @Sendable (Int) -> ServiceObserver.Fault?,
        _ body: @escaping @Sendable (FaultPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try FaultPlace { PlainServiceTransport($0) }
            place.provider.batchEntityUploads = batched
            place.provider.uploadWorkerThreads = 1
            try place.provider.open()
            try place.provider.download()
            let like = try place.entities("Sites", by: "Id")[0]
            for number in 0..<20 {
                let site = place.newEntity(like: like)
                place.set("Name", name(number), of: site)
                try place.provider.create(site)
            }
            let met = Bodies()
            place.service.observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                return fault(met.add(request) - 1)
            }
            // Each upload ends with the first lost answer; the next one lists that and goes on.
            for _ in 0..<25 { try? place.provider.upload() }
            place.service.observer.setFaults(nil)
            try body(place)
            try place.close()
        }
    }

    private static let lost = "SELECT Name FROM Sites WHERE Name LIKE 'Lost site %'"

    private static func expectSettled(_ place: FaultPlace, unknown: Int) throws {
        #expect(try place.provider.failed().toArray().filter(\.isUnknown).count == unknown)
        // The first download tells what happened, the next upload sends what did not.
        try place.provider.download()
        #expect(try place.provider.failed().length == 0)
        #expect(try place.storeRows(lost).count == 20)
        try place.provider.upload()
        #expect(try place.provider.queued().length == 0)
        #expect(try place.provider.failed().length == 0)
        try place.provider.download()
        #expect(try Set(place.serviceRows(lost).map { "\($0[0])" }).count == 20)
        #expect(try place.serviceRows(lost).count == 20)
        #expect(try place.storeRows(lost).count == 20)
        #expect(try place.comparison().differences == [])
        let settled = try place.provider.eventHistory(matching: nil).toArray()
            .filter { $0.type == "settled" }
        #expect(settled.count == unknown)
    }

    @Test(arguments: [true, false])
    func lostAnswersAreFoundByTheNextDownload(batched: Bool) async throws {
        try await Self.run(batched: batched, { _ in .loseAnswer }) {
            try Self.expectSettled($0, unknown: 20)
        }
    }

    @Test func lostRequestsAreSentAgainAfterTheNextDownload() async throws {
        try await Self.run(batched: false, { _ in .loseRequest }) {
            try Self.expectSettled($0, unknown: 20)
        }
    }

    /// Every other one arrived.
    @Test func whatArrivedAndWhatDidNotAreToldApart() async throws {
        try await Self.run(batched: false, { $0.isMultiple(of: 2) ? .loseAnswer : .loseRequest }) {
            try Self.expectSettled($0, unknown: 20)
        }
    }
}
