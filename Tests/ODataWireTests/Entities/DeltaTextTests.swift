import ODataModel
import ODataText
import ODataWire
import Testing

/// Deltas as the texts write them, through the readers: what JSON Format 4.01 says of updates and of single entities, and
/// the forms of V2 (`__delta`, tombstones in JSON and Atom).
@Suite struct DeltaTextTests {
    private static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="CustomerID"/></Key>
        <Property Name="CustomerID" Type="Edm.String" Nullable="false"/><Property Name="CompanyName" Type="Edm.String"/>
        <Property Name="ContactName" Type="Edm.String"/><Property Name="ContactTitle" Type="Edm.String"/>
        <NavigationProperty Name="Orders" Type="Collection(D.Order)"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="OrderID"/></Key>
        <Property Name="OrderID" Type="Edm.Int32" Nullable="false"/><Property Name="CustomerID" Type="Edm.String"/>
        <Property Name="EmployeeID" Type="Edm.Int32"/><Property Name="OrderDate" Type="Edm.DateTimeOffset"/>
        <Property Name="RequiredDate" Type="Edm.DateTimeOffset"/><Property Name="ShippedDate" Type="Edm.DateTimeOffset"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Customers" EntityType="D.Customer">
        <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
        <EntitySet Name="Orders" EntityType="D.Order"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
        <Schema Namespace="D" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType><EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Tools" EntityType="D.Tool"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// One line for each item: what it does to whom.
    private func lines(_ page: EntityPage, _ graph: MetadataGraph) -> [String] {
        func name(_ reference: EntityReference) -> String {
            switch reference {
            case .id(let id): id
            case .key(let value): name(of: value)
            }
        }
        func name(of value: StructureValue) -> String {
            let type = graph[value.type]
            let keys = type.key.compactMap {
                type.slot(named: $0.path).map { "\(value.slots[$0] ?? .null)" }
            }
            return value.control.id ?? "\(type.name) \(keys.joined(separator: ","))"
        }
        return page.items.map { item in
            switch item {
            case .entity(let value, _):
                "put \(name(of: value)) \(value.slots.count { $0 != nil })"
            case .removed(let removed): "remove \(name(removed.reference)) \(removed.reason)"
            case .link(let change):
                "link \(name(change.source)) \(change.relationship) \(name(change.target))"
            case .deletedLink(let change):
                "unlink \(name(change.source)) \(change.relationship) \(name(change.target))"
            }
        }
    }

    /// The text's own request, without the slips of its punctuation.
    @Test func anUpdateOfACollection() throws {
        let text = ##"""
            {"@context":"#$delta","value":[
            {"@Org.OData.Core.V1.ContentID":"1","CustomerID":"EASTC","CompanyName":"Eastern Connection","ContactName":"Ann Devon",
            "ContactTitle":"Sales Agent"},
            {"@Org.OData.Core.V1.ContentID":"2","CustomerID":"AROUT","ContactName":"Thomas Hardy"},
            {"@Org.OData.Core.V1.ContentID":"3","@removed":{"reason":"deleted"},"CustomerID":"ANTON"},
            {"@Org.OData.Core.V1.ContentID":"4","CustomerID":"ALFKI","Orders@delta":[
            {"@Org.OData.Core.V1.ContentID":"4.1","OrderID":11011,"CustomerID":"ALFKI","EmployeeID":3,
            "OrderDate":"1998-04-09T00:00:00Z","RequiredDate":"1998-05-07T00:00:00Z","ShippedDate":"1998-04-13T00:00:00Z"},
            {"@Org.OData.Core.V1.ContentID":"4.2","@id":"Orders(10692)"},
            {"@Org.OData.Core.V1.ContentID":"4.3","@id":"Orders(10835)","RequiredDate":"1998-01-23T00:00:00Z"},
            {"@Org.OData.Core.V1.ContentID":"4.4","@removed":{"reason":"changed"},"OrderID":10643}]},
            {"@Org.OData.Core.V1.ContentID":"5","CustomerID":"ANATR","Orders@delta":[
            {"@Org.OData.Core.V1.ContentID":"5.1","OrderID":10643}]},
            {"@Org.OData.Core.V1.ContentID":"6","CustomerID":"DUMON","Orders@delta":[
            {"@Org.OData.Core.V1.ContentID":"6.1","@removed":{"reason":"changed"},"OrderID":10311}]}]}
            """##
        let graph = try CSDLReader.read(Array(Self.v4.utf8))
        let set = try #require(graph.entitySet(named: "Customers"))
        let page = try EntityJSONReader(graph, isRequest: true)
            .page(Array(text.utf8), of: graph[set].type, in: set)
        let found = lines(page, graph).map {
            $0.replacing("string(\"", with: "").replacing("\")", with: "").replacing(
                "integer(", with: ""
            )
            .replacing("scalar(ODataModel.Scalar.", with: "").replacing(")", with: "")
        }
        #expect(
            found.map { $0.split(separator: " ").first.map(String.init) ?? "" } == [
                "put", "put", "remove", "put", "put", "link", "put", "link", "put", "link",
                "unlink",
                "put", "put", "link", "put", "unlink",
            ])
        #expect(found.contains { $0.hasPrefix("put Orders(10835") && $0.hasSuffix(" 1") })
        #expect(found.contains { $0.hasPrefix("link") && $0.contains("Orders(10692") })
        #expect(found[0].hasSuffix(" 4"))
    }

    /// A tombstone in `results` and the link beside them, as services of V2 write them.
    @Test func tombstonesOfV2InJSON() throws {
        let text = ##"""
            {"d":{"results":[
            {"__metadata":{"uri":"http://h/svc/Tools(7)","type":"D.Tool"},"Id":7,"Title":"Saw, repaired"},
            {"@odata.context":"$metadata#Tools/$deletedEntity","id":"http://h/svc/Tools(9)","when":"\/Date(1935390600000)\/"}],
            "__delta":"http://h/svc/Tools?!deltatoken='51'"}}
            """##
        let graph = try CSDLReader.read(Array(Self.v2.utf8))
        let set = try #require(graph.entitySet(named: "Tools"))
        let page = try EntityJSONReader(graph).page(Array(text.utf8), of: graph[set].type, in: set)
        #expect(page.deltaLink == "http://h/svc/Tools?!deltatoken='51'")
        #expect(page.entities.count == 1)
        #expect(page.items.last == .removed(RemovedEntity(.id("http://h/svc/Tools(9)"), set: set)))
    }

    @Test func tombstonesOfV2InAtom() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
            xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xml:base="http://h/svc/">
            <entry><id>http://h/svc/Tools(7)</id><content type="application/xml"><m:properties>
            <d:Id m:type="Edm.Int32">7</d:Id><d:Title>Saw, repaired</d:Title></m:properties></content></entry>
            <at:deleted-entry ref="http://h/svc/Tools(9)" when="2031-05-01T08:30:00Z"/>
            <link rel="delta" href="Tools?!deltatoken='51'"/></feed>
            """
        let graph = try CSDLReader.read(Array(Self.v2.utf8))
        let set = try #require(graph.entitySet(named: "Tools"))
        let page = try AtomReader(graph).page(Array(text.utf8), of: graph[set].type, in: set)
        #expect(page.deltaLink?.hasSuffix("Tools?!deltatoken='51'") == true)
        #expect(page.entities.first?.control.id == "http://h/svc/Tools(7)")
        #expect(
            page.items.contains { item in
                if case .removed(let removed) = item {
                    removed.reference == .id("http://h/svc/Tools(9)")
                } else {
                    false
                }
            })
    }
}
