import ConformanceData
import ErrorFixture
import Foundation
import ODataModel
import ODataText
import ODataWire
import Testing

/// What the texts of CSDL say of documents, and what survives being written.
@Suite struct CSDLTextTests {
    private func v4(_ content: String) -> String {
        """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.01"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">\(content)</Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private func v2(_ content: String, version: String = "2.0") -> String {
        """
        <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" Version="1.0">
        <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="\(version)">
        <Schema xmlns="http://schemas.microsoft.com/ado/2008/09/edm" Namespace="N">\(content)</Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private func read(_ text: String) throws -> MetadataGraph {
        try CSDLReader.read(Array(text.utf8))
    }

    // MARK: What is no model

    @Test func twoKeysAreAnError() {
        let text = v4(
            #"<EntityType Name="A"><Key><PropertyRef Name="I"/></Key><Key><PropertyRef Name="J"/></Key>"#
                + #"<Property Name="I" Type="Edm.Int32"/><Property Name="J" Type="Edm.Int32"/></EntityType>"#
        )
        #expect(
            failure { _ = try read(text) }
                == Failure(.invalidMetadata, at: .position(line: 2, column: 126)))
    }

    @Test(arguments: ["42.0", "0.9", "two"])
    func aDataServiceVersionThatNobodyDefinedIsAnError(_ version: String) {
        #expect(
            failure { _ = try read(v2("", version: version)) }
                == Failure(.invalidMetadata, at: .position(line: 2, column: 1)))
    }

    @Test(arguments: ["1.0", "2.0", "3.0", "2.0;service"])
    func thoseOfTheTextsAreRead(_ version: String) throws {
        #expect(try read(v2("", version: version)).version == (version == "3.0" ? .v3 : .v2))
    }

    @Test func aSetOfAnUndefinedTypeIsAnError() {
        let container =
            #"<EntityContainer Name="C"><EntitySet Name="S" EntityType="N.T"/></EntityContainer>"#
        #expect(
            failure { _ = try read(v4(container)) }
                == Failure(.invalidMetadata, at: .position(line: 2, column: 97)))
        #expect(
            failure { _ = try read(v2(container)) }
                == Failure(.invalidMetadata, at: .position(line: 3, column: 102)))
    }

    @Test func aSetOfATypeOfAnotherDocumentIsLeftOutAndNamed() throws {
        let text = v4(
            #"<EntityType Name="A"><Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32"/></EntityType>"#
                + #"<EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/><EntitySet Name="S" EntityType="O.T"/></EntityContainer>"#
        ).replacing(
            "<edmx:DataServices>",
            with:
                #"<edmx:Reference Uri="o.xml"><edmx:Include Namespace="O"/></edmx:Reference><edmx:DataServices>"#
        )
        let graph = try read(text)
        #expect(graph.entitySets.map(\.name) == ["As"])
        #expect(graph.diagnostics.contains { $0.contains("S is of O.T") })
    }

    /// What a running service's metadata leaves open is left out with its name, and stays so in what is written of it.
    @Test func setsOfUndefinedTypesAreKeptByNameAndWritten() throws {
        let text = v4(
            #"<EntityType Name="A"><Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32"/></EntityType>"#
                + #"<EntityType Name="B" BaseType="O.Base"/><EntityType Name="D" BaseType="N.B"/>"#
                + #"<EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/><EntitySet Name="S" EntityType="O.T"/>"#
                + #"<Singleton Name="One" Type="N.Gone"/><EntitySet Name="Bs" EntityType="N.B"/><EntitySet Name="Ds" EntityType="N.D"/>"#
                + #"</EntityContainer>"#)
        let graph = try CSDLReader.read(Array(text.utf8), options: .runningService)
        #expect(graph.entitySets.map(\.name) == ["As"])
        let left = graph.undefinedSets
        #expect(left.map(\.name) == ["S", "One", "Bs", "Ds"])
        #expect(left.map(\.type) == ["O.T", "N.Gone", "N.B", "N.D"])
        #expect(left.map(\.container) == Array(repeating: "N.C", count: 4))
        #expect(left.map(\.isSingleton) == [false, true, false, false])
        for text in [CSDLWriter.xml(graph), CSDLJSONWriter.json(graph)] {
            let again = try CSDLReader.read(Array(text.utf8), options: .runningService)
            #expect(again.undefinedSets == left)
            #expect(again == graph)
        }
        #expect(
            failure { _ = try read(text) }
                == Failure(.invalidMetadata, at: .position(line: 2, column: 318)))
    }

    // MARK: JSON by the text

    private static let values = """
        <EnumType Name="Colour" IsFlags="true"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
        <Term Name="Look" Type="N.Colour"/><Term Name="Way" Type="Edm.PropertyPath"/><Term Name="Id" Type="Edm.Guid"/>
        <Term Name="Many" Type="Collection(Edm.NavigationPropertyPath)"/><Term Name="Rate" Type="Edm.Decimal" DefaultValue="1.50"/>
        <ComplexType Name="T"><Property Name="B" Type="Edm.Boolean" DefaultValue="true"/>
        <Property Name="I" Type="Edm.Int64" DefaultValue="-7"/><Property Name="D" Type="Edm.Decimal" Scale="2" DefaultValue="2.50"/>
        <Property Name="F" Type="Edm.Double" DefaultValue="INF"/><Property Name="S" Type="Edm.String" DefaultValue="12"/>
        <Property Name="C" Type="N.Colour" DefaultValue="Red"/>
        <Annotation Term="N.Look" EnumMember="N.Colour/Red N.Colour/Blue"/><Annotation Term="N.Way" PropertyPath="S"/>
        <Annotation Term="N.Id" Guid="21EC2020-3AEA-1069-A2DD-08002B30309D"/>
        <Annotation Term="N.Many"><Collection><NavigationPropertyPath>X</NavigationPropertyPath></Collection></Annotation>
        <Annotation Term="N.Rate"><Path>D</Path></Annotation>
        <Annotation Term="Far.Away" EnumMember="Far.E/M"/></ComplexType>
        """

    @Test func membersAndPathsArePlainStringsAndDefaultsAreTyped() throws {
        let json = CSDLJSONWriter.json(try read(v4(Self.values)))
        for part in [
            #""@N.Look":"Red,Blue""#, #""@N.Way":"S""#, #""@N.Many":["X"]"#,
            #""@N.Id":"21EC2020-3AEA-1069-A2DD-08002B30309D""#, #""@N.Rate":{"$Path":"D"}"#,
            #""@Far.Away":"M""#,
            #""B":{"$Type":"Edm.Boolean","$Nullable":true,"$DefaultValue":true}"#,
            #""$DefaultValue":-7}"#, #""$DefaultValue":2.50}"#, #""$DefaultValue":"INF"}"#,
            #""S":{"$Nullable":true,"$DefaultValue":"12"}"#, #""$DefaultValue":"Red"}"#,
            #""$DefaultValue":1.50}"#,
        ] { #expect(json.contains(part), "\(part)") }
    }

    @Test func whatDeclaredTermsSaySurvivesTheOtherForm() throws {
        let known = Self.values.replacing(
            #"<Annotation Term="Far.Away" EnumMember="Far.E/M"/>"#, with: "")
        let graph = try read(v4(known))
        let json = try read(CSDLJSONWriter.json(graph))
        #expect(graph == json)
        #expect(try read(CSDLWriter.xml(json)) == graph)
    }

    // MARK: What survives

    @Test func documentationOfV2IsWrittenWhereItStood() throws {
        let said = { (text: String) in
            "<Documentation><Summary>\(text)</Summary><LongDescription>\(text) at length</LongDescription></Documentation>"
        }
        let graph = try read(
            v2(
                """
                <EntityType Name="A">\(said("type"))<Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32">\(said("property"))</Property>
                <NavigationProperty Name="Next" Relationship="N.R" FromRole="F" ToRole="T">\(said("navigation"))</NavigationProperty></EntityType>
                <Association Name="R"><End Type="N.A" Role="F" Multiplicity="1"/><End Type="N.A" Role="T" Multiplicity="*"/></Association>
                <EntityContainer Name="C">\(said("container"))<EntitySet Name="As" EntityType="N.A">\(said("set"))</EntitySet>
                <FunctionImport Name="Find" ReturnType="N.A" EntitySet="As">\(said("function"))
                <Parameter Name="maybe" Type="Edm.Int32" Nullable="true">\(said("parameter"))</Parameter>
                <Parameter Name="must" Type="Edm.Int32" Nullable="false"/></FunctionImport></EntityContainer>
                """))
        let written = CSDLWriter.xml(graph)
        for word in ["type", "property", "navigation", "container", "set", "function", "parameter"]
        {
            #expect(written.contains("<Summary>\(word)</Summary>"), "\(word)")
            #expect(
                written.contains("<LongDescription>\(word) at length</LongDescription>"), "\(word)")
        }
        #expect(try read(written) == graph)
        #expect(graph.operations[0].parameters.map(\.type.isNullable) == [true, false])
        let json = try read(CSDLJSONWriter.json(graph))
        #expect(json.operations[0].parameters.map(\.type.isNullable) == [true, false])
    }

    @Test func annotationsOfOtherDocumentsSurvive() throws {
        let text = """
            <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
            <edmx:Reference Uri="http://h/svc/$metadata"><edmx:Include Namespace="Far"/></edmx:Reference><edmx:DataServices>
            <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
            <Annotations Target="Far.Order/Total" Qualifier="Tablet"><Annotation Term="Core.Description" String="sum"/></Annotations>
            <Annotations Target="Far.C/Orders"><Annotation Term="Capabilities.TopSupported" Bool="false"/></Annotations>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let graph = try read(text)
        #expect(graph.targetedAnnotations.map(\.target) == ["Far.Order/Total", "Far.C/Orders"])
        #expect(graph.targetedAnnotations[0].annotations[0].qualifier == "Tablet")
        #expect(try read(CSDLWriter.xml(graph)) == graph)
        #expect(try read(CSDLJSONWriter.json(graph)) == graph)
    }

    // MARK: Documents of others

    /// Every document is written as JSON, read and written again: the same text; as XML it says what it said, but for the
    /// kind of constants of terms that nobody declares, which JSON has no place for.
    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func everyDocumentSurvivesJSON() throws {
        var count = 0
        for file in try MetadataDocuments.files(
            "metadata/v2", "metadata/v2-s4", "metadata/v3", "metadata/v4", "vocabularies",
            "csdl-pairs")
        {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file)).canonical
            let json = CSDLJSONWriter.json(graph)
            let again = try read(json).canonical
            #expect(CSDLJSONWriter.json(again) == json, "\(file.lastPathComponent)")
            #expect(
                Self.kindless(CSDLWriter.xml(again)) == Self.kindless(CSDLWriter.xml(graph)),
                "\(file.lastPathComponent)")
            count += 1
        }
        print("CSDL JSON: \(count) documents read back equal")
        #expect(count > 40)
    }

    /// The document with one name for all kinds of constants and paths that are plain in JSON.
    static func kindless(_ xml: String) -> String {
        let kinds =
            "String|EnumMember|PropertyPath|NavigationPropertyPath|AnnotationPath|ModelElementPath"
            + "|AnyPropertyPath|Guid|Date|DateTimeOffset|Duration|TimeOfDay|Binary|Int|Decimal|Float"
        var text = xml
        for (pattern, kept) in [
            (" (\(kinds))=\"([^\"]*)\"", " Value=\"$2\""),
            ("<(\(kinds))>([^<]*)</(\(kinds))>", "<Value>$2</Value>"),
            ("<(\(kinds))/>", "<Value></Value>"), ("Value=\"[^\" /]+/([^\" ]*)\"", "Value=\"$1\""),
            ("<Value>[^< /]+/([^< ]*)</Value>", "<Value>$1</Value>"),
        ] {
            text = text.replacingOccurrences(of: pattern, with: kept, options: .regularExpression)
        }
        return text
    }
}
