import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension FuzzTarget {
    static func readCSDL(_ bytes: [UInt8]) throws {
        let graph = try CSDLReader.read(bytes)
        // What could be read can be written, and means the same when it is read again.
        var texts = [CSDLWriter.xml(graph)]
        // In JSON the children of a schema are members of one object: a name that two of them have stands for one.
        if hasUniqueNames(graph) { texts.append(CSDLJSONWriter.json(graph)) }
        for text in texts {
            tolerating {
                let again = try CSDLReader.read(Array(text.utf8))
                precondition(
                    again.structures.count == graph.structures.count,
                    "Expected as many structured types after writing and reading.")
            }
        }
        tolerating { _ = try CSDLReader.read(bytes, options: everyOption) }
        tolerating { _ = try CompressedMetadata.expanded(bytes, maximumBytes: 1 << 20) }
    }

    private static func hasUniqueNames(_ graph: MetadataGraph) -> Bool {
        let names =
            graph.structures.map(\.qualifiedName) + graph.enumerations.map(\.qualifiedName)
            + graph.typeDefinitions.map(\.qualifiedName)
            + graph.terms.map { "\($0.namespace).\($0.name)" }
            + graph.containers.map(\.qualifiedName)
            + Set(graph.operations.map(\.qualifiedName))
        return Set(names).count == names.count
    }

    private static let everyOption: CSDLReader.Options = {
        var options = CSDLReader.Options()
        options.allowsAnyName = true
        options.hasVariableScaleByDefault = true
        options.hasVariableSRIDByDefault = true
        options.reportsUndefinedTerms = true
        options.facetFindings = .all
        options.excludesServerOnly = true
        options.synthesizesTargetSets = true
        return options
    }()

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
        _ = ContextURL(parsing: text)
        readLiteral(bytes)
    }

    /// The first byte names a type, the rest is a literal of it: what was read is written and read again.
    private static func readLiteral(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let type = PrimitiveType.allCases[Int(first) % PrimitiveType.allCases.count]
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        if let scalar = Lexical.scalar(text, as: type) {
            let written = Lexical.text(scalar, as: type)
            let again = Lexical.scalar(written, as: type).map { Lexical.text($0, as: type) }
            precondition(again == written, "Expected a value of \(type.name) again.")
        }
        for dialect in [Dialect.v401, .v2] {
            guard let scalar = Literal.scalar(text, as: type, dialect: dialect) else { continue }
            let written = Literal.text(scalar, as: type, dialect: dialect)
            let again = Literal.scalar(written, as: type, dialect: dialect)
            precondition(again != nil, "Expected a literal of \(type.name) again.")
        }
    }
}
