import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension FuzzTarget {
    static func readCSDL(_ bytes: [UInt8]) throws {
        let graph = try CSDLReader.read(bytes)
        // What could be read can be written, and means the same when it is read again.
        let text = CSDLWriter.xml(graph)
        tolerating {
            let again = try CSDLReader.read(Array(text.utf8))
            precondition(
                again.structures.count == graph.structures.count,
                "Expected as many structured types after writing and reading.")
        }
        _ = CSDLJSONWriter.json(graph)
    }

    /// A model with a little of everything.
    static let model: MetadataGraph? = {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EnumType Name="Colour" IsFlags="true"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
            <ComplexType Name="Size" OpenType="true"><Property Name="Height" Type="Edm.Int32"/></ComplexType>
            <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
            <Property Name="Price" Type="Edm.Decimal" Scale="variable"/><Property Name="Made" Type="Edm.DateTimeOffset"/>
            <Property Name="Span" Type="Edm.Duration"/><Property Name="Colour" Type="Ws.Colour"/>
            <Property Name="Size" Type="Ws.Size"/><Property Name="Tags" Type="Collection(Edm.String)"/>
            <Property Name="Place" Type="Edm.GeographyPoint"/><Property Name="Photo" Type="Edm.Stream"/>
            <NavigationProperty Name="Parts" Type="Collection(Ws.Tool)"/></EntityType>
            <EntityType Name="PowerTool" BaseType="Ws.Tool"><Property Name="Watts" Type="Edm.Double"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Tools" EntityType="Ws.Tool">
            <NavigationPropertyBinding Path="Parts" Target="Tools"/></EntitySet></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try? CSDLReader.read(Array(text.utf8))
    }()

    static func readURL(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let model else { preconditionFailure("Expected the model to be read.") }
        for dialect in [Dialect.v401, .v2] {
            tolerating {
                var query = try URLParser.parse(text, graph: model, dialect: dialect)
                try QueryChecker.check(&query, graph: model)
            }
        }
        tolerating {
            let query = try URLParser.parse(text, dialect: .v401)
            let written = try URLWriter.text(query, dialect: .v401)
            let again: Query
            do {
                again = try URLParser.parse(written, dialect: .v401)
            } catch let error as ODataError where error.code == .limitExceeded {
                return
            }
            let twice = try URLWriter.text(again, dialect: .v401)
            precondition(written == twice, "Expected \(written), found \(twice).")
        }
    }
}
