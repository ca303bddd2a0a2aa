import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// Answers that ask to come again later.
@Suite struct TooEarlyTests {
    @Test(arguments: [false, true])
    func aCreationThatIsAskedToComeAgainAfterALostAnswerIsMadeOnce(isBatched: Bool) async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            try place.prepare()
            place.sync.batchEntityUploads = isBatched
            let sites = place.set("Sites")
            let known = try place.entity("Sites", "Id eq 1")
            let new = EntityValue.ofType(sites.entityType).inSet(sites)
            for property in sites.entityType.propertyList
            where property.isStructural && !property.isKey {
                new.setDataValue(for: property, to: known.optionalValue(for: property))
            }
            place.property("Sites", "Name").setStringValue(in: new, to: "once")
            try place.sync.create(new)
            let sendings = Mutex(0)
            place.observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                let number = sendings.withLock { count in
                    count += 1
                    return count
                }
                return number == 1 ? .loseAnswer : .answer(ResponseMessage(status: 503))
            }
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Sites"))
            let error = #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(error?.code == .service)
            #expect(error?.message?.contains("status 503") == true)
            #expect(error?.status == 503)
            #expect(try place.sync.failed().isEmpty)
            #expect(try place.sync.queued().count == 1)
            place.restoreNetwork()
            try place.sync.upload()
            #expect(try place.sync.queued().isEmpty)
            #expect(
                try place.serviceText("SELECT count(*) FROM Sites WHERE Name = 'once'") == "1")
        }
    }
}
