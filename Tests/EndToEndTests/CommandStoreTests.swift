import Foundation
import ODataCommand
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// What the command does with stores: without the network, with download queries, with links and the queue.
@Suite struct CommandStoreTests {
    /// CSP-010
    @Test func aStoreIsReadAndChangedByOtherProcessesWhileTheServiceIsDown() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            place.service.stop()
            let count = try place.odata("query", "WorkOrders/$count")
            #expect(count.status == 0 && count.output == "100\n", "\(count.errors)")
            #expect(try place.odata("update", "Sites(1)", #"{"Name":"x"}"#).status == 0)
            let upload = try place.odata("upload")
            #expect(upload.status == 1 && upload.errors.contains("odata: "))
            #expect(try place.odata("queue").output.contains("Sites(1)"))
        }
    }

    /// CSP-106, CSP-114
    @Test func aSetWithADownloadQueryIsDownloadedByItOnly() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let query = "Few=Sites?$filter=Id le 5"
            let first = try Child.odata(
                "sync", place.url, "--store", place.store, "--query", query, "--json")
            #expect(first.status == 0, "\(first.errors)")
            #expect(first.output.contains(#""Sites":5,"#))
            #expect(first.output.contains(#""WorkOrders":100"#))
            try place.execute("UPDATE Sites SET City = 'New' WHERE Id IN (5, 6)")
            try place.execute("UPDATE WorkOrders SET Title = 'New' WHERE Id = 1")
            let group = try place.odata("download", "--group", "Few")
            #expect(group.output.contains(#""downloaded":1,"#), "\(group.errors)")
            let sites = try place.odata("query", "Sites/$count?$filter=City eq 'New'")
            #expect(sites.output == "1\n")
            let orders = try place.odata("query", "WorkOrders/$count?$filter=Title eq 'New'")
            #expect(orders.output == "0\n")
            let unknown = try place.odata("download", "--group", "Many")
            #expect(unknown.status == 2 && unknown.errors.contains("Many"))
            let other = try Child.odata(
                "sync", place.url, "--store", place.store, "--query", "Few=Sites?$filter=Id le 6")
            #expect(other.status == 2 && other.errors.contains("another query"))
        }
    }

    /// Counting reads every row of the store.
    @Test func rowsAreCountedWhereSomethingHasComeOrGoneOrWhenAsked() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            func sync(_ option: String = "--json") throws -> String {
                try Child.odata("sync", place.url, "--store", place.store, "--json", option).output
            }
            #expect(try sync().contains(#""WorkOrders":100"#))
            let unchanged = try sync()
            #expect(unchanged.contains(#""downloaded":0"#), "\(unchanged)")
            #expect(!unchanged.contains(#""rows""#), "\(unchanged)")
            #expect(try sync("--rows").contains(#""WorkOrders":100"#))
            #expect(try place.odata("download", "--rows").output.contains(#""WorkOrders":100"#))
            #expect(try !place.odata("download").output.contains(#""rows""#))
            try place.execute("UPDATE WorkOrders SET Title = 'New' WHERE Id = 1")
            #expect(try sync().contains(#""WorkOrders":100"#))
        }
    }

    @Test func linksAreMadeTakenBackAndSent() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let key = try place.execute("SELECT Id FROM Customers ORDER BY Id DESC LIMIT 1")
            let customer = "Customers(\(key))"
            for site in ["Sites(1)", "Sites(2)"] {
                let link = try place.odata("link", site, "Customer", customer)
                #expect(link.status == 0, "\(link.errors)")
            }
            #expect(try place.odata("queue").output.contains("Sites(2)/Customer/$ref"))
            #expect(try place.odata("queue", "undo", "Sites(2)").status == 0)
            #expect(try !place.odata("queue").output.contains("Sites(2)"))
            #expect(try place.odata("queue", "cancel", "99").status == 1)
            let related = try place.odata("query", "\(customer)/Sites?$select=Id&$filter=Id le 2")
            #expect(related.output.contains(#"{"Id":1}"#))
            #expect(try place.odata("upload").status == 0)
            let sent = try place.execute("SELECT CustomerId FROM Sites WHERE Id = 1")
            #expect(sent == key)
            #expect(try place.odata("download").status == 0)
            let comparison = try RowComparison(service: place.database, store: place.store)
            #expect(comparison.differences.isEmpty)
        }
    }

    /// A service made of texts written by hand: no batch, no delta links, one set hidden, one forbidden.
    @Test func aServiceNeverSeenBeforeIsReadAsFarAsItLets() async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-unseen")
            defer { folder.remove() }
            let edge = HTTPEdge(HTTPEdge.Configuration(), handle: UnseenService.answer)
            let port = try edge.start()
            defer { edge.stop() }
            let url = "http://127.0.0.1:\(port)/api"
            let store = folder.file("s.sqlite")
            let sync = try Child.odata("sync", url, "--store", store, "--json")
            // What was asked for and refused is no success, though the rest is there.
            #expect(sync.status == 1 && sync.errors.contains("Locked"), "\(sync.errors)")
            #expect(sync.output.contains(#""version":"4.0","downloaded":3,"#), "\(sync.output)")
            #expect(sync.output.contains(#""Planets":3"#))
            #expect(sync.output.contains(#"{"set":"Hidden","reason":"the service says"#))
            #expect(sync.output.contains(#"{"set":"Locked","reason":"#))
            let names = try Child.odata(
                "query", "--store", store, "--json", "Planets?$orderby=Mass desc&$select=Name,Mass")
            #expect(
                names.output
                    == #"{"value":[{"Name":"Saturn","Mass":568.34},{"Name":"Uranus","Mass":86.810},"#
                    + #"{"Name":"Earth","Mass":5.9722}]}"# + "\n")
        }
    }
}

/// The bytes of a service that nothing here wrote.
private enum UnseenService {
    static let metadata = """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:Reference Uri="capabilities.xml">
            <edmx:Include Namespace="Org.OData.Capabilities.V1" Alias="C"/>
          </edmx:Reference>
          <edmx:DataServices>
            <Schema Namespace="Sky" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Planet">
                <Key><PropertyRef Name="Name"/></Key>
                <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="40"/>
                <Property Name="Mass" Type="Edm.Decimal" Scale="variable"/>
              </EntityType>
              <EntityContainer Name="All">
                <Annotation Term="C.BatchSupported" Bool="false"/>
                <EntitySet Name="Planets" EntityType="Sky.Planet"/>
                <EntitySet Name="Locked" EntityType="Sky.Planet"/>
                <EntitySet Name="Hidden" EntityType="Sky.Planet">
                  <Annotation Term="C.ReadRestrictions">
                    <Record><PropertyValue Property="Readable" Bool="false"/></Record>
                  </Annotation>
                </EntitySet>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    static let firstPage = """
        {"@odata.context":"$metadata#Planets","value":[{"Name":"Earth","Mass":5.9722},
        {"Mass":568.34,"Name":"Saturn"}],"@odata.nextLink":"Planets?page=2"}
        """

    static let secondPage = """
        {"@odata.context":"$metadata#Planets","value":[{"Name":"Uranus","Mass":86.810}]}
        """

    static let refusal = #"{"error":{"code":"no","message":"Not for you."}}"#

    @Sendable static func answer(_ request: RequestMessage) -> HTTPEdge.Outcome {
        let resource = request.url.split(separator: "/").last.map(String.init) ?? ""
        switch resource {
        case "$metadata": return text(200, "application/xml", metadata)
        case "Planets": return text(200, "application/json", firstPage)
        case "Planets?page=2": return text(200, "application/json", secondPage)
        default: return text(403, "application/json", refusal)
        }
    }

    private static func text(_ status: Int, _ type: String, _ body: String) -> HTTPEdge.Outcome {
        .answer(
            ResponseMessage(
                status: status, headers: ["Content-Type": type, "OData-Version": "4.0"],
                body: Array(body.utf8)))
    }
}
