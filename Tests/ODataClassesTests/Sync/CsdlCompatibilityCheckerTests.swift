import ODataClasses
import ODataModel
import ODataQuery
import ODataWire
import Testing

@Suite struct CsdlCompatibilityCheckerTests {
    private func graph(_ properties: String) throws -> MetadataGraph {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="T"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            \(properties)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try CSDLReader.read(Array(text.utf8))
    }

    @Test func theCheckerThrowsTheFirstIncompatibleChangeUnlessItIsAllowed() throws {
        let old = CSDLDocument(graph: try graph(#"<Property Name="P" Type="Edm.String"/>"#))
        let new = CSDLDocument(graph: try graph(""))
        let error = #expect(throws: CSDLError.self) {
            try CsdlCompatibilityChecker(oldMetadata: old, newMetadata: new).check()
        }
        #expect(error?.code == .invalidMetadata)
        #expect(error?.message == "N.T/P: The property is gone.")
        try CsdlCompatibilityChecker(oldMetadata: new, newMetadata: old).check()
        old.canRemoveAnything = true
        try CsdlCompatibilityChecker(oldMetadata: old, newMetadata: new).check()
    }
}
