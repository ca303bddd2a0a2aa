import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWire
import Testing

/// An update that says what changed, to a service that takes whole rows only.
@Suite struct ReplacingUpdateTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/>
            <Property Name="City" Type="Edm.String"/></ComplexType>
          <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <Property Name="Address" Type="S.Address"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="S.Customer"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func text(_ value: String) -> ODataValue { .scalar(.string(value)) }

    private static func address(
        _ graph: MetadataGraph, street: String?, city: String?
    ) throws -> ODataValue {
        let type = try #require(graph.structure(named: "S.Address"))
        var value = StructureValue(type: type, in: graph)
        value.slots[0] = street.map(text)
        value.slots[1] = city.map(text)
        return .structure(value)
    }

    @Test func aPartOfAComplexValueLeavesTheRestOfItInPlace() throws {
        let graph = try CSDLReader.read(Array(Self.metadata.utf8))
        let type = try #require(graph.structure(named: "S.Customer"))
        var change = StructureValue(type: type, in: graph)
        change.slots[2] = try Self.address(graph, street: nil, city: "Oslo")
        var row = StructureValue(type: type, in: graph)
        row.slots = [
            .scalar(.integer(1)), Self.text("Ada"),
            try Self.address(graph, street: "Way 1", city: "Rome"),
        ]
        var request = QueuedRequest(
            id: 4, identity: RepeatabilityIdentity(id: "g"), operation: .update(.merge),
            target: RowReference(table: "Customers", id: 1))
        request.body = RequestBody(values: change)
        var settings = RequestSettings()
        settings.updates = .put
        var writer = RequestWriter(graph: graph, root: "http://h/", settings: settings)
        #expect(writer.replaces(request))
        writer.wholeRows[4] = row
        let message = try writer.message(for: request) { _ in "Customers(1)" }
        #expect(message.method == "PUT")
        #expect(
            String(decoding: message.body, as: UTF8.self)
                == #"{"ID":1,"Name":"Ada","Address":{"Street":"Way 1","City":"Oslo"}}"#)
    }
}
