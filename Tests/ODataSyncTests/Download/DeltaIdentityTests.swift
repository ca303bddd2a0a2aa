import SAPOData
import ODataQuery
import ODataSyncPlan
import ODataTesting
import Testing

/// Which row an object of a delta means, whichever way it says so.
@Suite struct DeltaIdentityTests {
    /// A store with two customers and two orders, then one delta of the customers.
    private static func run(
        delta: String, after: String = #"{"ID":1,"Name":"a"},{"ID":2,"Name":"b"}"#,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Customers":
                .page(
                    #"{"@odata.etag":"W/\"1\"","ID":1,"Name":"a"},{"@odata.etag":"W/\"1\"","ID":2,"Name":"b"}"#,
                    #","@odata.deltaLink":"Customers?$deltatoken=1""#)
            case "Customers?$deltatoken=1":
                .json(
                    "{\"@context\":\"http://h/s/$metadata#Customers/$delta\",\"value\":[\(delta)],"
                        + "\"@deltaLink\":\"Customers?$deltatoken=2\"}")
            case "Customers?$deltatoken=2":
                .page("", #","@odata.deltaLink":"Customers?$deltatoken=2""#)
            case "Orders": .page(#"{"ID":1,"Title":"x"},{"ID":2,"Title":"y"}"#)
            case "Head": .json(#"{"ID":1,"Title":"head"}"#)
            default: .status(404)
            }
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            try desk.sync.download()
            try body(desk)
        }
    }

    private static let names = "SELECT ID, Name FROM Customers ORDER BY ID"

    @Test(arguments: [
        #"{"@id":"Customers(2)","Name":"c"}"#, #"{"@odata.id":"Customers/2","Name":"c"}"#,
        #"{"@id":"http://h/s/Customers(ID=2)","Name":"c"}"#,
        #"{"@id":"https://other.host/x/Customers/2","Name":"c"}"#,
        #"{"@odata.etag":"W/\"1\"","ID":2,"Name":"c"}"#,
    ]) func aChangedEntityIsFoundByWhatItSays(row: String) async throws {
        try await Self.run(delta: row) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["1 a", "2 c"])
        }
    }

    @Test(arguments: [
        #"{"@removed":{"reason":"deleted"},"ID":2}"#,
        #"{"@removed":{"reason":"deleted"},"@id":"Customers/2"}"#,
        ##"{"@context":"#Customers/$deletedEntity","@removed":{"reason":"deleted"},"@id":"Customers(2)"}"##,
        ##"{"@odata.context":"#Customers/$deletedEntity","id":"http://h/s/Customers(2)","reason":"deleted"}"##,
    ]) func aDeletedEntityIsFoundByWhatItSays(row: String) async throws {
        try await Self.run(delta: row) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["1 a"])
        }
    }

    @Test(arguments: [
        ##"{"@context":"#Orders/$entity","@removed":{"reason":"deleted"},"ID":2}"##,
        ##"{"@context":"#Orders/$deletedEntity","@removed":{"reason":"deleted"},"ID":2}"##,
        ##"{"@odata.context":"#Orders/$deletedEntity","id":"Orders(2)","reason":"deleted"}"##,
        #"{"@removed":{"reason":"deleted"},"@id":"Orders(2)","ID":2}"#,
        ##"{"@context":"#Orders/$entity","@id":"Orders(2)","Title":"z"}"##,
    ]) func entitiesOfOtherSetsAreNotTakenForOwnOnes(row: String) async throws {
        try await Self.run(delta: row) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["1 a", "2 b"])
            #expect(try desk.rows("SELECT count(*) FROM Orders") == ["2"])
            #expect(desk.asked.filter { $0.resource == "Customers" }.count == 1)
        }
    }

    @Test func aNewEntityIsMadeFromItsId() async throws {
        try await Self.run(delta: #"{"@id":"Customers/3","Name":"c"}"#) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["1 a", "2 b", "3 c"])
        }
    }

    private static let codes = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Code"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.String" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Codes" EntityType="D.Code"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Where keys are text, nearly any id could be one whose last segment is the key.
    @Test(arguments: [
        (#"{"@removed":{"reason":"deleted"},"@id":"http://h/s/Codes/x1"}"#, ["b b"]),
        (#"{"@id":"http://h/s/Codes/x1","Name":"c"}"#, ["a c", "b b"]),
        (#"{"@removed":{"reason":"deleted"},"@id":"http://h/s/Codes/b"}"#, ["a a"]),
        (#"{"@removed":{"reason":"deleted"},"@id":"http://h/s/Codes/x3"}"#, ["a a", "b b"]),
        (#"{"@id":"http://h/s/Codes/d","Name":"d"}"#, ["a a", "b b", "d d"]),
    ]) func anIdThatARowCameWithIsKnownAgainWhereItLooksLikeAKey(
        row: String, expected: [String]
    ) async throws {
        try await StubDesk.run(Self.codes) { asked in
            switch asked.resource {
            case "Codes":
                .page(
                    #"{"@odata.id":"http://h/s/Codes/x1","ID":"a","Name":"a"},"#
                        + #"{"@odata.id":"http://h/s/Codes/x2","ID":"b","Name":"b"}"#,
                    #","@odata.deltaLink":"Codes?$deltatoken=1""#)
            case "Codes?$deltatoken=1":
                .json(
                    "{\"@context\":\"http://h/s/$metadata#Codes/$delta\",\"value\":[\(row)],"
                        + "\"@deltaLink\":\"Codes?$deltatoken=2\"}")
            default: .status(404)
            }
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Name FROM Codes ORDER BY ID") == expected)
            #expect(desk.asked.filter { $0.resource == "Codes" }.count == 1)
        }
    }

    @Test(arguments: [
        #"{"@removed":{"reason":"deleted"},"@id":"urn:uuid:1"}"#, #"{"@removed":{}}"#,
        #"{"@id":"urn:uuid:1","Name":"z"}"#, #"{"Name":"z"}"#,
    ]) func whatNobodyCanMatchLeadsToAFullRead(row: String) async throws {
        try await Self.run(delta: row) { (desk: StubDesk) throws in
            #expect(try desk.rows(Self.names) == ["1 a", "2 b"])
            #expect(desk.asked.filter { $0.resource == "Customers" }.count == 2)
            let events = try desk.rows("SELECT details FROM _odata_event WHERE type = 'profile'")
            #expect(events.count == 1 && events[0].contains("match nothing"))
        }
    }
}
