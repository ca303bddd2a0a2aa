import ODataModel
import ODataQuery
import ODataWire
import Testing

/// Sets of V2 containers that are not the default one are addressed with their container (V2 URI conventions, section 3.1).
@Suite struct ContainerAddressTests {
    private func graph() throws -> MetadataGraph {
        try CSDLReader.read(
            Array(
                """
                <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
                    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
                <edmx:DataServices m:DataServiceVersion="2.0">
                <Schema Namespace="D" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
                <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
                    <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
                <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
                    <EntitySet Name="Orders" EntityType="D.T"/></EntityContainer>
                <EntityContainer Name="Gallery" m:IsDefaultEntityContainer="false">
                    <EntitySet Name="Photos" EntityType="D.T"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """.utf8))
    }

    @Test(arguments: [
        ("Gallery.Photos(1)", "Photos"), ("C.Orders(1)", "Orders"), ("Photos(1)", "Photos"),
    ])
    func bothWaysToWriteItLeadToTheSet(text: String, set: String) throws {
        let graph = try graph()
        let query = try URLParser.parse(text, graph: graph, dialect: .v2)
        #expect(query.path.segments.first == .entitySet(set))
        #expect(query.path.segments.count == 2)
        let written = try URLWriter.text(query, graph: graph, dialect: .v2)
        #expect(written == (set == "Photos" ? "Gallery.Photos(1)" : "Orders(1)"))
    }

    @Test func aSetOfTheDefaultContainerKeepsItsName() throws {
        let graph = try graph()
        #expect(graph.entitySets.map { graph.address(of: $0) } == ["Orders", "Gallery.Photos"])
    }
}
