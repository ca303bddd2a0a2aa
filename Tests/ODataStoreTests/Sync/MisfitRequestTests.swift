import ErrorFixture
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Requests that no longer fit the metadata are listed, and keep no others.
@Suite struct MisfitRequestTests {
    private func adopt(_ fixture: StoreFixture, without text: String) throws {
        let document = try #require(try fixture.store.metadataText())
        #expect(document.contains(text))
        let changed = document.replacing(text, with: "")
        try fixture.store.adopt(
            metadata: changed, graph: try CSDLReader.read(Array(changed.utf8)))
    }

    /// A change of `Title`, which is gone, and one of another set.
    private func fixture() throws -> (StoreFixture, misfit: Int64, other: Int64) {
        let fixture = try StoreFixture()
        try fixture.downloadOrder(1, "first", customer: nil)
        let customer = try fixture.downloadCustomer(1, "Bo")
        let order = try #require(try fixture.store.row(in: "Orders", key: [.integer(1)]))
        try fixture.update(order, ["Title": .text("changed")])
        try fixture.update(customer, ["Name": .text("Bob")])
        let ids = try fixture.store.allRequests().map(\.id)
        try adopt(fixture, without: "<Property Name=\"Title\" Type=\"Edm.String\"/>")
        return (fixture, ids[0], ids[1])
    }

    @Test func aChangeOfAPropertyThatIsGoneIsReadAndKeepsNoOther() throws {
        let (fixture, misfit, other) = try fixture()
        let requests = try fixture.store.allRequests()
        #expect(requests.map(\.id) == [misfit, other])
        #expect(requests[0].misfit?.contains("Order/Title") == true && requests[1].misfit == nil)
        let writer = RequestWriter(graph: try fixture.store.graph(), root: "http://h/")
        #expect(throws: ODataError.self) {
            try writer.message(for: requests[0]) { _ in "Orders(1)" }
        }
        let outcome = try fixture.store.refuse(
            [misfit], ODataError(.unknownName, "Expected another metadata."))
        #expect(outcome.refused == [misfit])
        let failed = try #require(try fixture.store.failedRequests().first)
        #expect(failed.state.failure?.message?.contains("Expected another metadata") == true)
        #expect(try fixture.store.queuedRequests().map(\.id) == [other])
    }

    @Test func whatDoesNotFitStaysStoredAndFitsAgainWithItsProperty() throws {
        let (fixture, misfit, _) = try fixture()
        let body = "SELECT body FROM _odata_request WHERE id = \(misfit)"
        let before = try fixture.sql(body)
        #expect(before.first?.contains("changed") == true)
        _ = try fixture.store.refuse([misfit], ODataError(.unknownName, "x"))
        try fixture.store.requeueFailedRequests()
        #expect(try fixture.sql(body) == before)
        #expect(try fixture.store.allRequests().allSatisfy { $0.state == .waiting })
    }

    @Test func itCanBeTakenBack() throws {
        let (fixture, misfit, other) = try fixture()
        _ = try fixture.store.refuse([misfit], ODataError(.unknownName, "x"))
        #expect(try fixture.store.discard([misfit]) == [misfit])
        #expect(try fixture.store.allRequests().map(\.id) == [other])
    }
}
