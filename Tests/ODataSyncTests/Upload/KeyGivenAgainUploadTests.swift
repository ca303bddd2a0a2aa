import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// The service gives the key of the last row again once that has gone, as SQLite does without `AUTOINCREMENT`.
@Suite struct KeyGivenAgainUploadTests {
    /// A deletion and a creation are carried out, and nobody hears of it: the new row stands under the key of the old one.
    @Test func aCreationUnderTheKeyOfADeletedRowIsNotMadeTwice() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.sendRepeatableRequests = false
            place.sync.throwUploadFailures = false
            let highest = try #require(
                try place.serviceText("SELECT max(Id) FROM WorkOrders").flatMap { Int($0) })
            try place.sync.delete(place.order(highest))
            try place.createOrder("WO-AGAIN")
            place.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseAnswer
            }
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(
                try place.serviceText("SELECT Id FROM WorkOrders WHERE Number = 'WO-AGAIN'")
                    == "\(highest)")
            place.restoreNetwork()
            try place.sync.upload()
            try place.sync.download()
            try place.atService(
                "UPDATE WorkOrders SET Number = 'WO-OTHER' WHERE Number = 'WO-AGAIN'")
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            let unknown = try place.sync.failed().toArray().filter { $0.isUnknown }
            #expect(
                unknown.contains {
                    $0.errorMessage?.contains("WorkOrders(\(highest))") == true
                })
            #expect(try place.serviceCount("WorkOrders", "Number LIKE 'WO-AGAIN'") == 0)
        }
    }
}
