import ODataClasses
import ODataModel
import ODataQuery
import ODataWire
import Synchronization
import Testing

/// References between documents are followed as far as the app's fetcher goes, and never further.
@Suite struct CSDLReferenceTests {
    /// Has documents by address and notes what it was asked for.
    private final class Library: CSDLFetcher, @unchecked Sendable {
        // `asked` is guarded by its own lock; `texts` is constant.
        let texts: [String: String]
        let asked = Mutex<[String]>([])

        init(_ texts: [String: String]) {
            self.texts = texts
            super.init()
        }

        override func accept(_ uri: String, _ namespace: String) -> Bool { texts[uri] != nil }
        override func ignore(_ uri: String, _ namespace: String) -> Bool { false }
        override func fetch(_ uri: String, _ namespace: String) throws -> String {
            asked.withLock { $0.append(uri) }
            return texts[uri] ?? ""
        }
    }

    private func text(_ namespace: String, _ content: String, references: String = "") -> String {
        """
        <Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">\(references)<DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="\(namespace)">\(content)</Schema>
        </DataServices></Edmx>
        """
    }

    private func reference(_ uri: String, _ namespace: String, _ alias: String) -> String {
        #"<Reference Uri="\#(uri)"><Include Namespace="\#(namespace)" Alias="\#(alias)"/></Reference>"#
    }

    private var main: String {
        text(
            "M", #"<ComplexType Name="A"><Property Name="P" Type="O.Size"/></ComplexType>"#,
            references: reference("other.xml", "Other", "O")
                + reference("http://elsewhere/x.xml", "Far", "F")
                + reference("http://oasis/Core.xml", "Org.OData.Core.V1", "Core"))
    }

    @Test func typesOfAcceptedDocumentsArePartOfTheModel() throws {
        let deeper = text("Deep", #"<EnumType Name="E"><Member Name="X"/></EnumType>"#)
        let other = text(
            "Other",
            #"<ComplexType Name="Size"><Property Name="E" Type="D.E"/></ComplexType>"#,
            references: reference("deep.xml", "Deep", "D") + reference("other.xml", "Other", "O"))
        let library = Library(["http://h/s/other.xml": other, "http://h/s/deep.xml": deeper])
        let parser = CSDLParser()
        parser.csdlFetcher = library
        let document = try parser.parse(main, url: "http://h/s/$metadata")
        #expect(document.graph.structure(named: "Other.Size") != nil)
        #expect(document.graph.enumeration(named: "Deep.E") != nil)
        #expect(document.graph.structures[0].properties[0].type.structure != nil)
        #expect(library.asked.withLock { $0 } == ["http://h/s/other.xml", "http://h/s/deep.xml"])
        let findings = document.graph.diagnostics
        #expect(findings.contains("Reference http://elsewhere/x.xml is not followed."))
    }

    @Test func optionsLeaveReferencesAsideBeforeTheFetcherIsAsked() throws {
        let far = text("Far", #"<ComplexType Name="Z"/>"#)
        let library = Library(["http://elsewhere/x.xml": far, "http://h/s/other.xml": far])
        let parser = CSDLParser()
        parser.csdlFetcher = library
        parser.csdlOptions =
            CSDLOption.ignoreExternalReferences | CSDLOption.ignoreInternalReferences
        let document = try parser.parse(main, url: "http://h/s/$metadata")
        #expect(library.asked.withLock { $0 } == [])
        #expect(document.graph.structures.count == 1)
        #expect(!document.graph.diagnostics.contains { $0.contains("elsewhere") })
    }

    @Test func withoutAFetcherReferencesAreNotedOnly() throws {
        let document = try CSDLParser().parse(main, url: "http://h/s/$metadata")
        #expect(document.references.map(\.uri).count == 3)
        #expect(document.graph.structures.count == 1)
    }

    @Test func chainsOfReferencesEnd() throws {
        let endless = EndlessFetcher()
        let parser = CSDLParser()
        parser.csdlFetcher = endless
        let start = text("N0", "", references: reference("d1.xml", "N1", "A1"))
        let document = try parser.parse(start, url: "http://h/d0.xml")
        #expect(
            document.graph.diagnostics.contains { $0.contains("not followed after 32 documents") })
    }

    /// Every document refers to one more.
    private final class EndlessFetcher: CSDLFetcher, @unchecked Sendable {
        // Without state.
        override func accept(_ uri: String, _ namespace: String) -> Bool { true }
        override func fetch(_ uri: String, _ namespace: String) throws -> String {
            let next = (Int(namespace.dropFirst()) ?? 0) + 1
            return """
                <Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">\
                <Reference Uri="d\(next).xml"><Include Namespace="N\(next)"/></Reference><DataServices>\
                <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="\(namespace)"/>\
                </DataServices></Edmx>
                """
        }
    }

    @Test func targetSetsAreMadeUpWhereAsked() throws {
        let source = text(
            "N",
            #"<EntityType Name="A"><Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32"/><NavigationProperty Name="Bs" Type="Collection(N.B)"/></EntityType>"#
                + #"<EntityType Name="B"><Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32"/></EntityType>"#
                + #"<EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"/></EntityContainer>"#
        )
        let parser = CSDLParser()
        #expect(try !parser.parse(source, url: "").entitySets.has("BSet"))
        parser.csdlOptions = CSDLOption.synthesizeTargetSets
        let document = try parser.parse(source, url: "")
        #expect(document.entitySet(withName: "BSet").entityType.qualifiedName == "N.B")
        #expect(document.graph.entitySets[0].target(of: "Bs") == "BSet")
    }

    @Test func elementsThatARefreshDoesNotFindAreRemoved() throws {
        let old = try CSDLParser().parse(
            text(
                "N",
                #"<EntityType Name="A"><Property Name="I" Type="Edm.Int32"/><Property Name="J" Type="Edm.Int32"/></EntityType><EnumType Name="E"><Member Name="X"/><Member Name="Y"/></EnumType>"#
                    + #"<EntityContainer Name="C"><Singleton Name="S" Type="N.A"/><Singleton Name="T" Type="N.A"/></EntityContainer>"#
            ), url: "")
        let new = try CSDLParser().parse(
            text(
                "N",
                #"<EntityType Name="A"><Property Name="I" Type="Edm.Int32"/></EntityType><EnumType Name="E"><Member Name="X"/></EnumType>"#
                    + #"<EntityContainer Name="C"><Singleton Name="S" Type="N.A"/></EntityContainer>"#
            ), url: "")
        old.markRemoved(absentFrom: new)
        let type = old.entityType(withName: "N.A")
        #expect(!type.isRemoved && !type.property(withName: "I").isRemoved)
        #expect(type.property(withName: "J").isRemoved)
        #expect(old.entitySet(withName: "T").isRemoved && !old.entitySet(withName: "S").isRemoved)
        let members = old.enumType(withName: "N.E")
        #expect(members.findMember("Y")?.isRemoved == true)
        #expect(members.findMember("X")?.isRemoved == false)
        #expect(!new.entityType(withName: "N.A").isRemoved)
    }

    @Test func aReferenceKnowsTheVersionOfTheSchemaThatItsAnnotationNames() throws {
        let graph = try CSDLReader.read(
            Array(
                text(
                    "N", "",
                    references: """
                        <Reference Uri="http://h/v.xml"><Include Namespace="V"/>
                        <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="Org.OData.Core.V1.SchemaVersion" \
                        String="2"/></Reference>
                        """
                ).utf8))
        #expect(CSDLDocument(graph: graph).references[0].version == "2")
    }
}
