import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Testing

@Suite struct LostAnswerTests {
    private static let header = "Repeatability-Request-ID"

    /// CSP-174
    @Test(arguments: [false, true])
    func aResendAfterALostAnswerHasItsEffectOnce(serviceRestarts: Bool) async throws {
        try await onOwnThread {
            let place = try FaultPlace { $0 }
            try place.provider.open()
            try place.provider.download()
            let order = try place.entities("WorkOrders", by: "Number")[0]
            place.setTitle("once", of: order)
            try place.provider.update(order)
            try place.provider.create(place.newOrder("ONCE", like: order))
            let first = place.service.observer
            first.forget()
            first.setFaults { request, _ in request.method == "POST" ? .loseAnswer : nil }
            #expect(
                failure { try place.provider.upload() }
                    == Failure(DataNetworkError.self, .network, at: "service.test/$batch"))
            first.setFaults(nil)
            let before = Self.identities(first.requests)
            #expect(before.count == 2)
            #expect(Set(before).count == 2)
            #expect(try place.provider.queued().length == 2)
            #expect(try place.serviceRows(Self.effects).count == 2)

            if serviceRestarts { try place.restartService() }
            let second = place.service.observer
            second.forget()
            try place.provider.upload()
            #expect(Self.identities(second.requests) == before)
            #expect(try place.provider.queued().length == 0)
            #expect(try place.provider.failed().length == 0)
            #expect(try place.serviceRows(Self.effects).count == 2)
            try place.provider.download()
            #expect(try place.comparison().differences == [])
            try place.close()
        }
    }

    /// A request that never arrived is sent again under the identity that it had.
    @Test func aResendAfterALostRequestCarriesTheSameIdentity() async throws {
        try await onOwnThread {
            let place = try FaultPlace { $0 }
            try place.provider.open()
            try place.provider.download()
            let order = try place.entities("WorkOrders", by: "Number")[0]
            try place.provider.create(place.newOrder("ONCE", like: order))
            let frozen = Bodies()
            place.service.observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                return frozen.add(request) == 1 ? .loseRequest : nil
            }
            #expect(
                failure { try place.provider.upload() }
                    == Failure(DataNetworkError.self, .network, at: "service.test/WorkOrders"))
            #expect(try place.serviceRows(Self.effects).isEmpty)
            try place.provider.upload()
            #expect(frozen.all.count == 2)
            #expect(frozen.all.first == frozen.all.last)
            #expect(try place.serviceRows(Self.effects).count == 1)
            try place.close()
        }
    }

    /// It was carried out before it was refused: only the identity that it had keeps it from being carried out again.
    @Test func aCreationThatTheAppSendsAgainWhileItIsOpenHasItsEffectOnce() async throws {
        try await onOwnThread {
            let place = try FaultPlace { $0 }
            try place.provider.open()
            try place.provider.download()
            let order = try place.entities("WorkOrders", by: "Number")[0]
            try place.provider.create(place.newOrder("ONCE", like: order))
            let observer = place.service.observer
            observer.forget()
            observer.setFaults { request, _ in request.method == "POST" ? .loseAnswer : nil }
            #expect(throws: DataNetworkError.self) { try place.provider.upload() }
            let error = #"{"error":{"code":"x","message":"No."}}"#
            observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                return .answer(
                    ResponseMessage(
                        status: 403,
                        headers: ["OData-Version": "4.0", "Content-Type": "application/json"],
                        body: Array(error.utf8)))
            }
            try place.provider.upload()
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.isUnknown) == [true])
            observer.setFaults(nil)
            try failed.first?.retry()
            try place.provider.upload()
            #expect(Set(Self.identities(observer.requests)).count == 1)
            #expect(try place.serviceRows(Self.effects).count == 1)
            #expect(try place.provider.failed().length == 0)
            #expect(try place.provider.queued().length == 0)
            try place.provider.download()
            #expect(try place.comparison().differences == [])
            try place.close()
        }
    }

    private static let effects = "SELECT 1 FROM _odata_changes WHERE table_name = 'WorkOrders'"

    private static func identities(_ requests: [ServiceObserver.Seen]) -> [String] {
        requests.compactMap { $0.headers[header] }
    }
}
