import ODataModel
import ODataSyncPlan
import ODataWire
import Testing

/// What the service makes itself shows nothing of what a client has sent, whichever annotation says so.
@Suite struct MadeByServiceTests {
    private static func graph(_ annotation: String) throws -> MetadataGraph {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
                <Property Name="Title" Type="Edm.String"/>
                <Property Name="Number" Type="Edm.String">\(annotation)</Property></EntityType>
              <EntityContainer Name="C"><EntitySet Name="Items" EntityType="S.Item"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try CSDLReader.read(Array(text.utf8))
    }

    private static func permission(_ members: String) -> String {
        "<Annotation Term=\"Org.OData.Core.V1.Permissions\"><EnumMember>\(members)</EnumMember></Annotation>"
    }

    private static let read = "Org.OData.Core.V1.Permission/Read"
    private static let write = "Org.OData.Core.V1.Permission/Write"

    @Test(arguments: [
        (#"<Annotation Term="Org.OData.Core.V1.Computed"/>"#, true),
        (#"<Annotation Term="Org.OData.Core.V1.Computed" Bool="false"/>"#, false),
        (permission(read), true), (permission("Org.OData.Core.V1.Permission/None"), true),
        (permission(read + " " + write), false),
        (#"<Annotation Term="Org.OData.Core.V1.ComputedDefaultValue"/>"#, false), ("", false),
    ])
    func itIsNotCompared(annotation: String, isMade: Bool) throws {
        let graph = try Self.graph(annotation)
        let type = try #require(graph.structure(named: "S.Item"))
        func item(_ number: String) -> StructureValue {
            var value = StructureValue(type: type, in: graph)
            value.slots[1] = .scalar(.string("A pump"))
            value.slots[2] = .scalar(.string(number))
            return value
        }
        let score = ContentComparison(graph: graph).score(of: item("sent"), in: item("made"))
        #expect(score.isWhole == isMade)
        #expect(graph[type].properties[2].isMadeByService == isMade)
    }
}
