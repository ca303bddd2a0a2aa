import ErrorFixture
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

@Suite struct ReapplyTests {
    // CSP-144
    @Test func anUnsentEditStaysInViewOverADownload() throws {
        let fixture = try StoreFixture()
        try fixture.download(
            "Customers", #"{"ID":1,"Name":"Bo","Address":{"Street":"A","City":"Bonn"}}"#)
        let bo = try fixture.row("Customers", 1)
        try fixture.update(bo, ["Name": .text("Bob")])
        try fixture.download(
            "Customers", #"{"ID":1,"Name":"Bodo","Address":{"Street":"B","City":"Kiel"}}"#)
        #expect(try fixture.customers() == ["1:Bob@Kiel"])
        #expect(
            try fixture.sql("SELECT Name, \"Address/City\" FROM _odata_base_Customers")
                == ["Bodo|Kiel"])
        try fixture.store.undo([bo])
        #expect(try fixture.customers() == ["1:Bodo@Kiel"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_Customers") == ["0"])
    }

    @Test func aRowTheServiceRemovedStaysUnderAnEditAndGoesWithIt() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        try fixture.download("Customers", #"{"@removed":{"reason":"deleted"},"ID":1}"#)
        #expect(try fixture.customers() == ["1:Bob"])
        #expect(try fixture.sql("SELECT _odata_base_kind FROM _odata_base_Customers") == ["1"])
        try fixture.reopen()
        try fixture.store.undo([bo])
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["0"])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_Customers") == ["0"])
    }

    @Test func aDeltaThatOmitsAnAcceptedRowChangesNothing() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 204, headers: ["ETag": "W/\"2\""])
        try fixture.downloadCustomer(2, "Cy")
        #expect(try fixture.customers() == ["1:Bob", "2:Cy"])
        #expect(try fixture.store.entity(bo)?.flags == [.isLocal])
        try fixture.download("Customers", #"{"@removed":{"reason":"changed"},"ID":1}"#)
        #expect(try fixture.customers() == ["2:Cy"])
    }

    @Test func aDeletedRowThatADownloadBringsStaysHidden() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.store.perform(.delete(bo))
        try fixture.download("Customers", #"{"ID":1,"Name":"Bodo"}"#)
        #expect(try fixture.customers() == [])
        try fixture.store.undo([bo])
        #expect(try fixture.customers() == ["1:Bodo"])
    }

    @Test func aCreationTheServiceShowsBeforeItsAnswerIsOneRow() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.create("Customers", ["ID": .number(7), "Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        _ = try fixture.freeze([create.id])
        try fixture.downloadCustomer(7, "Ada from service")
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["1"])
        #expect(try fixture.store.row(in: "Customers", key: [.integer(7)]) == ada)
        #expect(try fixture.customers() == ["7:Ada"])
    }

    // CSP-118 CSP-120 CSP-122
    @Test func downloadQueriesOutliveTheProcess() throws {
        let fixture = try StoreFixture()
        let query = try fixture.store.addDownloadQuery(
            "mine", table: "Orders", url: "Orders?$top=3", streams: false)
        #expect(
            failure {
                try fixture.store.addDownloadQuery(
                    "mine", table: "Customers", url: "Customers", streams: false)
            } == Failure(.conflict, at: .path("mine")))
        try fixture.reopen()
        #expect(try fixture.store.downloadQuery("mine") == query)
        #expect(try fixture.store.downloadQuery("other") == nil)
        try fixture.store.deleteDownloadQuery("mine", among: [])
        #expect(try fixture.store.downloadQueries().isEmpty)
    }

    @Test func metadataMayGrowAndNothingIsLost() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        let text = StoreFixture.metadata.replacing(
            "<Property Name=\"Address\"",
            with: "<Property Name=\"Age\" Type=\"Edm.Int32\"/><Property Name=\"Address\"")
        let incomplete = try fixture.store.adopt(
            metadata: text, graph: try Self.graph(text))
        #expect(incomplete == ["Customers"])
        #expect(try fixture.sql("SELECT Name, Age FROM Customers") == ["Bob|-"])
        try fixture.reopen()
        #expect(try fixture.store.allRequests().first?.target == bo)
        try fixture.store.undo([bo])
        #expect(try fixture.customers() == ["1:Bo"])
    }

    private static func graph(_ text: String) throws -> MetadataGraph {
        try CSDLReader.read(Array(text.utf8))
    }
}
