import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import ModelFixture
import Testing

@Suite struct CSDLParserTests {
    @Test func documentsAreParsedAndTextsKeptOnlyWhenAskedFor() throws {
        let parser = CSDLParser()
        let plain = try parser.parse(V2Shop.text, url: "shop.xml")
        #expect(plain.versionCode == 200 && plain.versionText == "2.0")
        #expect(plain.originalText == nil && plain.resolvedText == nil)
        parser.csdlOptions = CSDLOption.processMixedVersions | CSDLOption.retainOriginalText
        let kept = try parser.parse(V2Shop.text, url: "shop.xml")
        #expect(kept.originalText == V2Shop.text)
    }

    /// Generated parsers ask for it, and it is so without.
    @Test(arguments: [0, CSDLOption.processMixedVersions | CSDLOption.allowCaseConflicts])
    func schemasOfSeveralVersionsAndNamesThatDifferByCaseAreRead(options: Int) throws {
        let text = """
            <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
              xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            <edmx:DataServices m:DataServiceVersion="2.0">
            <Schema Namespace="A" xmlns="http://schemas.microsoft.com/ado/2006/04/edm">
            <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="id" Type="Edm.String"/>
            </EntityType></Schema>
            <Schema Namespace="B" xmlns="http://schemas.microsoft.com/ado/2009/11/edm">
            <EntityType Name="t" BaseType="A.T"/>
            <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
              <EntitySet Name="Things" EntityType="A.T"/><EntitySet Name="things" EntityType="B.t"/>
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
        let parser = CSDLParser()
        parser.csdlOptions = options
        let document = try parser.parse(text, url: "mixed.xml")
        #expect(document.entitySet(withName: "Things").entityType.qualifiedName == "A.T")
        let other = document.entitySet(withName: "things").entityType
        #expect(other.qualifiedName == "B.t")
        #expect(other.property(withName: "ID").dataType.code == DataType.int)
        #expect(other.property(withName: "id").dataType.code == DataType.string)
        #expect(document.versionCode == 200)
    }

    @Test func brokenTextIsAnErrorWithItsPlace() {
        let error = #expect(throws: CSDLError.self) {
            try CSDLParser().parse("<edmx>\n</edm>", url: "x")
        }
        #expect(error?.code == .invalidMetadata)
        #expect(
            error?.message
                == "malformedText at line 2, column 1: Expected </edmx>, found </edm>.")
    }

    @Test func namesAreCheckedUnlessThatIsSwitchedOff() throws {
        let text = document(
            #"<ComplexType Name="A"><Property Name="a b" Type="Edm.String"/></ComplexType>"#)
        let parser = CSDLParser()
        #expect(
            failure { try parser.parse(text, url: "") }
                == Failure(
                    CSDLError.self, .invalidMetadata,
                    "invalidMetadata at line 3, column 23: Expected an identifier as Name of Property, found a b."
                ))
        parser.csdlOptions = CSDLOption.disableNameValidation
        let found = try parser.parse(text, url: "").complexType(withName: "N.A")
        #expect(found.property(withName: "a b").name == "a b")
    }

    @Test func annotationsAreLeftOutWhenAskedFor() throws {
        let parser = CSDLParser()
        let full = try parser.parse(V2Shop.text, url: "")
        #expect(full.entitySet(withName: "Orders").annotations.has("sap:pageable"))
        parser.csdlOptions = CSDLOption.ignoreAllAnnotations
        let bare = try parser.parse(V2Shop.text, url: "")
        #expect(bare.entitySet(withName: "Orders").annotations.isEmpty)
    }

    @Test func includedNamespacesNeedNoReference() throws {
        let text = document(#"<ComplexType Name="A"><Property Name="P" Type="X.T"/></ComplexType>"#)
        #expect(
            failure { try CSDLParser().parse(text, url: "") }
                == Failure(
                    CSDLError.self, .invalidMetadata,
                    "invalidMetadata at line 3, column 23: Expected a defined type, found X.T."))
        let parser = CSDLParser()
        parser.includeNamespace("Other.Space", alias: "X")
        let found = try parser.parse(text, url: "").graph
        #expect(found.structures[0].properties[0].type.typeDefinition == "Other.Space.T")
    }

    @Test func compressedTextOfProxiesIsExpanded() throws {
        let text = """
            <?xml version="1.0" encoding="utf-8"?><?xmlc base="36"?><?xmlc-define _0="edmx:Edmx" _1="Schema" \
            _A="EntityType" _B="Property" _C="Name" _10="Type" $0="http://docs.oasis-open.org/odata/ns/edmx" \
            $1="Edm.String" $Z="N"?>
            <_0 Version="4.0" xmlns:edmx="$0"><edmx:DataServices>\
            <_1 xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="$Z">\
            <_A _C="T"><_B _C="Id" _10="$1" Nullable="false"/><_B _C="_B" _10="$1" DefaultValue="$9"/></_A>\
            </_1></edmx:DataServices></_0>
            """
        let type = CSDLParser().parseInProxy(text, url: "").entityType(withName: "N.T")
        #expect(type.properties.map(\.name) == ["Id", "_B"])
        #expect(type.property(withName: "_B").defaultValue?.toString() == "$9")
        #expect(try CompressedMetadata.expanded(Array(V2Shop.text.utf8)) == nil)
    }

    @Test func oneElementOfCompressedMetadataCannotGrowBeyondTheLimit() {
        let names = String(repeating: "_0 ", count: 1_000)
        let text = "<xmlc-define _0=\"\(String(repeating: "x", count: 1_000))\"><a \(names)/>"
        let error = #expect(throws: ODataError.self) {
            try CompressedMetadata.expanded(Array(text.utf8), maximumBytes: 10_000)
        }
        #expect(error?.message == "Expected at most 10000 bytes of metadata.")
        #expect(error?.code == .limitExceeded)
    }

    @Test func referencesAreListed() throws {
        let found = try CSDLParser().parse(V4Workshop.text, url: "")
        #expect(found.references.map(\.uri) == ["https://example.com/Core.xml"])
    }
}
