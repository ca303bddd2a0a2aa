import Foundation
import ODataModel
import ODataText
import ODataWire
import Testing

/// Constructs that one of the two forms of CSDL says in a way of its own.
@Suite struct CSDLCornerTests {
    private static let source = """
        <edmx:Edmx Version="4.01" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" Alias="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <TypeDefinition Name="Long" UnderlyingType="Edm.Decimal" Precision="10" Scale="variable"/>
        <TypeDefinition Name="Whole" UnderlyingType="Edm.Decimal" Precision="10"/>
        <EnumType Name="Colour" IsFlags="true"><Member Name="Red" Value="1"/></EnumType>
        <EntityType Name="T"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="L" Type="N.Long"/><Property Name="W" Type="N.Whole"/>
        <Property Name="D" Type="Edm.Decimal"/>
        <Annotation Term="N.Has"><Has><Path>C</Path><EnumMember>N.Colour/Red</EnumMember></Has></Annotation>
        <Annotation Term="N.Cast"><Cast Type="Edm.Decimal" Precision="5" Scale="1"><Path>Id</Path></Cast></Annotation>
        <Annotation Term="N.IsOf"><IsOf Type="Collection(S.T)"><Path>Id</Path></IsOf></Annotation>
        <Annotation Term="N.Label"><LabeledElement Name="four"><Int>4</Int></LabeledElement></Annotation>
        <Annotation Term="N.Ref"><LabeledElementReference>S.four</LabeledElementReference></Annotation>
        </EntityType>
        <Function Name="F"><ReturnType Type="Edm.Int32"/></Function>
        <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/>
        <FunctionImport Name="Listed" Function="N.F" IncludeInServiceDocument="true"/>
        <FunctionImport Name="Hidden" Function="N.F"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func graph() throws -> MetadataGraph {
        try CSDLReader.read(Array(Self.source.utf8))
    }

    @Test func bothFormsReadBackEqual() throws {
        let graph = try graph()
        let json = try CSDLReader.read(Array(CSDLJSONWriter.json(graph).utf8))
        let kindless = CSDLTextTests.kindless
        #expect(
            kindless(CSDLWriter.xml(json.canonical)) == kindless(CSDLWriter.xml(graph.canonical)))
        // What JSON leaves out stands in XML again: a scale left out is variable in one and 0 in the other.
        let xml = try CSDLReader.read(Array(CSDLWriter.xml(json).utf8))
        #expect(CSDLWriterTests.differences(json, xml) == [])
        #expect(xml.typeDefinitions[0].facets.scale == .variable)
        let slot = try #require(xml.structures[0].slot(named: "L"))
        #expect(xml.structures[0].properties[slot].type.facets.scale == .variable)
    }

    @Test func jsonSaysItAsItsSchemaDoes() throws {
        let text = CSDLJSONWriter.json(try graph())
        for part in [
            #""Long":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Decimal","$Precision":10}"#,
            #""Whole":{"$Kind":"TypeDefinition","$UnderlyingType":"Edm.Decimal","$Precision":10,"$Scale":0}"#,
            #""@N.Has":{"$Has":[{"$Path":"C"},"Red"]}"#,
            #""@N.Cast":{"$Cast":{"$Path":"Id"},"$Precision":5,"$Scale":1,"$Type":"Edm.Decimal"}"#,
            #""@N.IsOf":{"$IsOf":{"$Path":"Id"},"$Type":"N.T","$Collection":true}"#,
            #""@N.Ref":{"$LabeledElementReference":"N.four"}"#,
            #""Listed":{"$Function":"N.F","$IncludeInServiceDocument":true}"#,
            #""Hidden":{"$Function":"N.F"}"#,
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test func operandsOfJSONStandSideBySideInXML() throws {
        let json = CSDLJSONWriter.json(try graph())
        let text = CSDLWriter.xml(try CSDLReader.read(Array(json.utf8)))
            .replacing(/\n */, with: "")
        #expect(
            text.contains("<Has><Path>C</Path><String>Red</String></Has>"))
        #expect(text.contains("<LabeledElementReference>N.four</LabeledElementReference>"))
    }

    @Test func theServiceDocumentListsFunctionsThatAskForIt() throws {
        let document = ServiceDocument(of: try graph())
        #expect(document.entries.map(\.name) == ["Ts", "Listed"])
        #expect(document.entries.last?.kind == .functionImport)
    }
}
