import ODataClasses
import ODataModel
import ODataQuery
import ODataWire
import Testing

@Suite struct JsonValueTests {
    private static let text = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Tools" EntityType="Ws.Tool"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func valuesAreWrittenAsAServiceDoes() throws {
        let document = CSDLDocument(graph: try CSDLReader.read(Array(Self.text.utf8)))
        let type = document.entityType(withName: "Ws.Tool")
        let tool = EntityValue.ofType(type)
        type.property(withName: "Id").setIntValue(in: tool, to: 7)
        type.property(withName: "Title").setStringValue(in: tool, to: "Saw")
        let context = DataContext(csdl: document)
        context.bindOptions = DataContext.noMetadata
        let json = #"{"Id":7,"Title":"Saw"}"#
        #expect(JsonValue.fromEntityValue(tool, context: context).toString() == json)
        let list = EntityValueList.fromArray([tool, tool])
        let written = JsonValue.fromEntityList(list, context: context).toString()
        #expect(written == "[\(json),\(json)]")
        let words = StringList.fromArray(["a", "b"])
        #expect(JsonValue.fromBasicList(words, context: context).toString() == #"["a","b"]"#)
    }
}
