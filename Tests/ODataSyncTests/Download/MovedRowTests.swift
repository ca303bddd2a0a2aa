import GRDB
import ODataQuery
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// A row that only an expansion with a filter brings moves to another parent between two deltas.
@Suite struct MovedRowTests {
    private static let schema = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Site"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Orders" Type="Collection(D.Order)" Partner="Site"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="SiteID" Type="Edm.Int32"/><Property Name="Open" Type="Edm.Boolean"/>
            <NavigationProperty Name="Site" Type="D.Site" Partner="Orders">
                <ReferentialConstraint Property="SiteID" ReferencedProperty="ID"/>
            </NavigationProperty></EntityType>
        <EntityContainer Name="C">
            <EntitySet Name="Sites" EntityType="D.Site">
                <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
            <EntitySet Name="Orders" EntityType="D.Order">
                <NavigationPropertyBinding Path="Site" Target="Sites"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    private static let query = "Sites?$expand=Orders($filter=Open)"

    private static func order(_ id: Int, _ site: Int) -> String {
        #"{"ID":\#(id),"SiteID":\#(site),"Open":true}"#
    }

    /// What is stored after a delta, of orders 11 and 12 of the first site and 21 of the second.
    private static func stored(
        behind delta: String, others: [String] = []
    ) async throws -> [String] {
        let stored = Mutex<[String]>([])
        try await StubDesk.run(schema) { asked in
            switch asked.resource {
            case query:
                return .page(
                    #"{"ID":1,"Name":"a","Orders":[\#(order(11, 1)),\#(order(12, 1))]},"#
                        + #"{"ID":2,"Name":"b","Orders":[\#(order(21, 2))]}"#,
                    #","@odata.deltaLink":"Sites?d=1""#)
            case "Sites?d=1":
                return .json(
                    #"{"@odata.context":"$metadata#Sites/$delta","value":[\#(delta)],"#
                        + #""@odata.deltaLink":"Sites?d=1"}"#)
            case "Orders?$filter=ID eq 11": return .page(order(11, 1))
            default: return .status(404)
            }
        } _: { desk in
            for set in ["Sites", "Orders"] {
                desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: set))
            }
            for (number, url) in ([query] + others).enumerated() {
                let query = DataQuery().from(
                    desk.sync.metadata.entitySet(withName: String(url.prefix { $0 != "?" })))
                query.url = url
                try desk.sync.createDownloadQuery(name: "q\(number)", query: query, streams: false)
            }
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["11", "12", "21"])
            try desk.sync.download()
            let rows = try desk.rows("SELECT ID, SiteID FROM Orders ORDER BY ID")
            stored.withLock { $0 = rows }
        }
        return stored.withLock { $0 }
    }

    private static let unlinked = #"{"@removed":{"reason":"changed"},"@id":"Orders(11)"}"#
    private static let leaves: [String] = [
        #"{"ID":1,"Orders@delta":[\#(unlinked)]}"#,
        ##"{"@odata.context":"#Sites/$deletedLink","source":"Sites(1)","relationship":"Orders","##
            + #""target":"Orders(11)"}"#,
        #"{"ID":1,"Orders":[\#(order(12, 1))]}"#,
    ]

    @Test("CSP-128 a row that moves out of the filter of its expansion goes", arguments: leaves)
    func aRowThatMovesOutOfTheFilterGoes(delta: String) async throws {
        #expect(try await Self.stored(behind: delta) == ["12 1", "21 2"])
    }

    @Test("CSP-128 unless another source holds it", arguments: leaves)
    func aRowThatAnotherSourceHoldsStays(delta: String) async throws {
        #expect(
            try await Self.stored(behind: delta, others: ["Orders?$filter=ID eq 11"])
                == ["11 1", "12 1", "21 2"])
    }

    /// Whichever of its two parents comes first.
    @Test(arguments: leaves, [true, false])
    func aRowThatMovesWithinTheFilterStays(delta: String, isFirst: Bool) async throws {
        let comes = #"{"ID":2,"Orders@delta":[\#(Self.order(11, 2))]}"#
        let both = isFirst ? [comes, delta] : [delta, comes]
        #expect(
            try await Self.stored(behind: both.joined(separator: ","))
                == ["11 2", "12 1", "21 2"])
    }

    /// Two orders refer to one site, and one of them no more.
    @Test func whatOneRowRefersToNoMoreStaysForTheOther() async throws {
        try await StubDesk.run(Self.schema) { asked in
            func order(_ id: Int) -> String {
                #"{"ID":\#(id),"SiteID":1,"Open":true,"Site":{"ID":1,"Name":"a"}}"#
            }
            switch asked.resource {
            case "Orders?$expand=Site":
                return .page(order(11) + "," + order(12), #","@odata.deltaLink":"Orders?d=1""#)
            case "Orders?d=1":
                return .json(
                    ##"{"@odata.context":"$metadata#Orders/$delta","value":["##
                        + ##"{"@odata.context":"#Orders/$deletedLink","source":"Orders(11)","##
                        + ##""relationship":"Site","target":"Sites(1)"},"##
                        + ##"{"ID":11,"SiteID":null,"Open":true}],"@odata.deltaLink":"Orders?d=1"}"##
                )
            default: return .status(404)
            }
        } _: { desk in
            for set in ["Sites", "Orders"] {
                desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: set))
            }
            let query = DataQuery().from(desk.sync.metadata.entitySet(withName: "Orders"))
            query.url = "Orders?$expand=Site"
            try desk.sync.createDownloadQuery(name: "orders", query: query, streams: false)
            try desk.sync.download()
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Sites") == ["1"])
            #expect(try desk.rows("SELECT ID, SiteID FROM Orders ORDER BY ID") == ["11 -", "12 1"])
        }
    }

    /// The deltas of a service that tracks changes itself.
    @Test func aServiceThatTracksChangesTellsOfIt() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload()
            let url = "Sites?$filter=Id le 3&$expand=WorkOrders($filter=Status eq 'Open')"
            try place.sync.createDownloadQuery(
                name: "open", query: place.query(url), streams: false)
            try place.atService("UPDATE WorkOrders SET Status = 'Open', SiteId = Id WHERE Id <= 6")
            try place.atService("UPDATE WorkOrders SET Status = 'Done' WHERE Id > 6")
            try place.sync.download()
            let ids = {
                try place.storeRows("SELECT Id FROM WorkOrders ORDER BY Id").map { $0[0] as Int }
            }
            #expect(try ids() == [1, 2, 3])
            // Out of the filter and to another parent; to a parent out of reach; from one of these; within.
            try place.atService("UPDATE WorkOrders SET Status = 'Done', SiteId = 2 WHERE Id = 1")
            try place.atService("UPDATE WorkOrders SET SiteId = 9 WHERE Id = 2")
            try place.atService("UPDATE WorkOrders SET SiteId = 1 WHERE Id = 6")
            try place.atService("UPDATE WorkOrders SET SiteId = 1 WHERE Id = 3")
            try place.sync.download()
            #expect(try ids() == [3, 6])
        }
    }
}
