import SAPOData
import ODataSync
import ODataTesting
import Testing

/// The examples of JSON Format 4.01, sections 15.1 to 15.6, as bytes: three customers with orders, then one delta.
@Suite struct DeltaExamplesTests {
    static let schema = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/>
            <Property Name="City" Type="Edm.String"/><Property Name="Region" Type="Edm.String"/>
            <Property Name="PostalCode" Type="Edm.String"/></ComplexType>
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/>
            <Property Name="ContactName" Type="Edm.String"/>
            <NavigationProperty Name="Orders" Type="Collection(D.Order)"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="ShippingAddress" Type="D.Address"/></EntityType>
        <EntityContainer Name="C">
            <EntitySet Name="Customers" EntityType="D.Customer">
                <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
            <EntitySet Name="Orders" EntityType="D.Order"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let customers = """
        {"@odata.context":"http://host/service/$metadata#Customers(Orders())","value":[
        {"ID":"ALFKI","ContactName":"a","Orders":[{"ID":10643}]},
        {"ID":"ANTON","ContactName":"b","Orders":[]},{"ID":"BOTTM","ContactName":"c","Orders":[]}],
        "@odata.deltaLink":"Customers?$expand=Orders&$deltatoken=8014"}
        """

    private static func run(
        delta: String, _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(schema) { asked in
            if asked.resource.contains("deltatoken=8014") { return .json(delta) }
            if asked.resource.contains("deltatoken") {
                return .page("", #","@odata.deltaLink":"Customers?$deltatoken=9""#)
            }
            if asked.resource.hasPrefix("Customers?") { return .json(customers) }
            return asked.resource == "Orders"
                ? .page(#"{"ID":10643},{"ID":10645}"#) : .status(404)
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                let result = try desk.sync.downloadReporting(
                    groups: [], SyncOptions(), loadsLinks: true)
                #expect(result.skipped.isEmpty)
            }
            #expect(desk.asked.filter { $0.resource.hasPrefix("Customers") }.count == 2)
            try body(desk)
        }
    }

    private static let names = "SELECT ID, ContactName FROM Customers ORDER BY ID"
    private static let links = """
        SELECT c.ID, o.ID FROM _odata_link_Customers_Orders l JOIN Customers c ON c._odata_id = l.source
        JOIN Orders o ON o._odata_id = l.target ORDER BY 1, 2
        """
    private static let address = """
        {"Street":"23 Tsawassen Blvd.","City":"Tsawassen","Region":"BC","PostalCode":"T2F 8M4"}
        """

    @Test(arguments: [
        """
        {"@context":"http://host/service/$metadata#Customers/$delta","@count":3,"value":[
        {"@id":"Customers('BOTTM')","ContactName":"Susan Halvenstern"},
        {"@removed":{"reason":"deleted"},"@id":"Customers('ANTON')"},
        {"@id":"Customers('ALFKI')","ContactName":"Blake Smithe"}],
        "@deltaLink":"Customers?$expand=Orders&$deltatoken=8015"}
        """,
        """
        {"@odata.context":"http://host/service/$metadata#Customers/$delta","@odata.count":3,"value":[
        {"@odata.id":"Customers('BOTTM')","ContactName":"Susan Halvenstern"},
        {"@odata.context":"#Customers/$deletedEntity","@odata.id":"Customers('ANTON')"},
        {"@odata.id":"Customers('ALFKI')","ContactName":"Blake Smithe"}],
        "@odata.deltaLink":"Customers?$expand=Orders&$deltatoken=8015"}
        """,
    ]) func threeChangesInBothVersions(delta: String) async throws {
        try await Self.run(delta: delta) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["ALFKI Blake Smithe", "BOTTM Susan Halvenstern"])
            #expect(try desk.rows(Self.links) == ["ALFKI 10643"])
        }
    }

    @Test(arguments: [
        ##"{"@context":"#Customers/$deletedEntity","reason":"deleted","id":"Customers('ANTON')"}"##,
        ##"{"@context":"#Customers/$deletedEntity","@removed":{"reason":"deleted","@myannoation.deletedBy":"Mario"},"@id":"Customers('ANTON')"}"##,
        #"{"@removed":{},"ID":"ANTON"}"#,
    ]) func deletedEntities(entity: String) async throws {
        let delta =
            "{\"@context\":\"http://host/service/$metadata#Customers/$delta\",\"value\":[\(entity)],"
            + "\"@deltaLink\":\"Customers?$deltatoken=8015\"}"
        try await Self.run(delta: delta) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["ALFKI a", "BOTTM c"])
        }
    }

    @Test func relatedOrdersAsANestedDelta() async throws {
        let delta = """
            {"@context":"http://host/service/$metadata#Customers/$delta","@count":3,"value":[
            {"@id":"Customers('ALFKI')","Orders@delta":[
            {"@removed":{"reason":"changed"},"@id":"Orders(10643)"},
            {"@id":"Orders(10645)","ShippingAddress":\(Self.address)}]},
            {"@removed":{"reason":"deleted"},"@id":"Customers('ANTON')"},
            {"@id":"Customers('ALFKI')","ContactName":"Blake Smithe"}],
            "@deltaLink":"Customers?$expand=Orders&$deltatoken=8015"}
            """
        try await Self.run(delta: delta) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["ALFKI Blake Smithe", "BOTTM c"])
            #expect(try desk.rows(Self.links) == ["ALFKI 10645"])
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["10643", "10645"])
        }
    }

    @Test func relatedOrdersAsAFlatDelta() async throws {
        let delta = """
            {"@odata.context":"http://host/service/$metadata#Customers/$delta","@odata.count":5,"value":[
            {"@odata.context":"#Customers/$deletedLink","source":"Customers('ALFKI')",
            "relationship":"Orders","target":"Orders(10643)"},
            {"@odata.context":"#Customers/$link","source":"Customers('BOTTM')",
            "relationship":"Orders","target":"Orders(10645)"},
            {"@odata.context":"#Orders/$entity","@odata.id":"Orders(10645)",
            "ShippingAddress":\(Self.address)},
            {"@odata.context":"#Customers/$deletedEntity","@odata.id":"Customers('ANTON')"},
            {"@odata.id":"Customers('ALFKI')","ContactName":"Blake Smithe"}],
            "@odata.deltaLink":"Customers?$expand=Orders&$deltatoken=8016"}
            """
        try await Self.run(delta: delta) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["ALFKI Blake Smithe", "BOTTM c"])
            #expect(try desk.rows(Self.links) == ["BOTTM 10645"])
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["10643", "10645"])
        }
    }
}
