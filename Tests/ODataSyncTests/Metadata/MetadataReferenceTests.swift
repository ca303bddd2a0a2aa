import ErrorFixture
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataTesting
import ODataTransport
import ODataWire
import SAPOData
import Synchronization
import Testing

/// Documents that metadata refers to are brought in where its types come from them.
@Suite struct MetadataReferenceTests {
    private static func document(
        _ references: String, _ type: String = "X.Thing", _ annotation: String = ""
    ) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        \(references)<edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Own"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>\(annotation)</EntityType>
        <EntityContainer Name="C"><EntitySet Name="Owns" EntityType="D.Own"/>
        <EntitySet Name="Things" EntityType="\(type)"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private static func reference(
        _ uri: String, _ namespace: String = "Other", _ alias: String = "X"
    ) -> String {
        "<edmx:Reference Uri=\"\(uri)\"><edmx:Include Namespace=\"\(namespace)\" Alias=\"\(alias)\"/></edmx:Reference>"
    }

    private static let other = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Other" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Thing"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/></EntityType></Schema>
        </edmx:DataServices></edmx:Edmx>
        """

    /// What is read of a service with these documents, and what it was asked for.
    ///
    /// - Parameter known: the service's metadata as it was read before.
    private static func read(
        _ documents: [String: String], known: String? = nil
    ) throws -> (graph: MetadataGraph, asked: [String], headers: [HeaderFields]) {
        let asked = Mutex<[RequestMessage]>([])
        let transport = LoopbackTransport { request in
            asked.withLock { $0.append(request) }
            let path = request.url.replacing("http://h/s/", with: "")
            guard let text = documents[path] else { return ResponseMessage(status: 404) }
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml", "OData-Version": "4.0"],
                body: Array(text.utf8))
        }
        var loader = ServiceMetadataLoader(
            ServiceConnection(root: "http://h/s/", transport: transport))
        loader.known = known
        let source = try #require(try loader.fetch())
        let requests = asked.withLock { $0 }
        // As a store reads it again: nothing more is asked for.
        let graph = try CSDLReader.read(source.bytes, options: .runningService)
        return (graph, requests.map(\.url), requests.map(\.headers))
    }

    @Test(arguments: [
        "types/other.xml", "./types/other.xml", "http://h/s/types/other.xml", "/s/types/other.xml",
    ])
    func typesOfAnotherDocumentAreKnown(uri: String) throws {
        let (graph, asked, headers) = try Self.read([
            "$metadata": Self.document(Self.reference(uri)), "types/other.xml": Self.other,
        ])
        let set = try #require(graph.entitySet(named: "Things"))
        #expect(graph[graph[set].type].qualifiedName == "Other.Thing")
        #expect(graph[graph[set].type].key.map(\.name) == ["Code"])
        #expect(graph.entitySet(named: "Owns") != nil)
        #expect(asked == ["http://h/s/$metadata", "http://h/s/types/other.xml"])
        #expect(headers.allSatisfy { $0["OData-MaxVersion"] == "4.01" })
    }

    @Test(arguments: [
        "http://else/types.xml", "https://h/s/types/other.xml", "http://h:8080/types.xml",
    ])
    func otherOriginsAreNotAsked(uri: String) throws {
        let (graph, asked, _) = try Self.read(["$metadata": Self.document(Self.reference(uri))])
        #expect(asked == ["http://h/s/$metadata"])
        #expect(graph.entitySet(named: "Owns") != nil)
    }

    @Test func aDocumentThatIsNotThereLeavesTheRest() throws {
        let (graph, asked, _) = try Self.read([
            "$metadata": Self.document(Self.reference("gone.xml"))
        ])
        #expect(asked.count == 2)
        #expect(graph.entitySet(named: "Owns") != nil)
    }

    /// A network that fails just now: what was read without the types would stay without their sets.
    @Test(arguments: [ODataError.Code.timeout, .cancelled])
    func aDocumentThatCouldNotBeAskedForIsAFailure(code: ODataError.Code) throws {
        let document = Self.document(Self.reference("types/other.xml"))
        let transport = LoopbackTransport { request in
            guard request.url.hasSuffix("$metadata") else { throw ODataError(code, "cut") }
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml", "OData-Version": "4.0"],
                body: Array(document.utf8))
        }
        let loader = ServiceMetadataLoader(
            ServiceConnection(root: "http://h/s/", transport: transport))
        let error = failure { _ = try loader.fetch() }
        #expect(error?.code == code.description)
    }

    /// What is in a document is relative to where that document is.
    @Test func documentsReferFromWhereTheyAre() throws {
        let (graph, asked, _) = try Self.read([
            "$metadata": Self.document(Self.reference("types/a.xml")),
            "types/a.xml": Self.other.replacing(
                "<edmx:DataServices>",
                with: Self.reference("b.xml", "Base", "B") + "<edmx:DataServices>"
            ).replacing(
                "<EntityType Name=\"Thing\"><Key><PropertyRef Name=\"Code\"/></Key>",
                with: "<EntityType Name=\"Thing\" BaseType=\"Base.Thing\">"
            ).replacing("Name=\"Code\"", with: "Name=\"More\""),
            "types/b.xml": Self.other.replacing("\"Other\"", with: "\"Base\""),
        ])
        #expect(asked == ["$metadata", "types/a.xml", "types/b.xml"].map { "http://h/s/" + $0 })
        let set = try #require(graph.entitySet(named: "Things"))
        #expect(graph[graph[set].type].key.map(\.name) == ["Code"])
    }

    /// XML has two kinds of quotes, and any white space between attributes.
    @Test(arguments: ["EntityType='X.Thing'", "\nEntityType = \"X.Thing\""])
    func typesAreNamedInAnyFormOfXML(attribute: String) throws {
        let document = Self.document(Self.reference("other.xml"))
            .replacing(" EntityType=\"X.Thing\"", with: " " + attribute)
        let (graph, asked, _) = try Self.read(["$metadata": document, "other.xml": Self.other])
        #expect(asked.count == 2)
        #expect(graph.entitySet(named: "Things") != nil)
    }

    /// `$metadata` says that the sets are there: that the document of their types is gone takes nothing away that was
    /// known, of that document or of those that it referred to.
    @Test func whatAGoneDocumentDescribedStaysKnown() throws {
        var documents = [
            "$metadata": Self.document(Self.reference("a.xml"), "X.Part"),
            "a.xml": """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            \(Self.reference("b.xml", "Base", "B"))<edmx:DataServices>
            <Schema Namespace="Other" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Part" BaseType="Base.Thing"/></Schema></edmx:DataServices></edmx:Edmx>
            """,
            "b.xml": Self.other.replacing("\"Other\"", with: "\"Base\""),
        ]
        let before = try Self.read(documents).graph
        documents["a.xml"] = nil
        documents["$metadata"] = documents["$metadata"]?.replacing(
            "</EntityContainer>",
            with: "<EntitySet Name=\"News\" EntityType=\"D.Own\"/></EntityContainer>")
        let (graph, _, _) = try Self.read(
            documents, known: String(decoding: CSDLWriter.xml(before).utf8, as: UTF8.self))
        #expect(graph.entitySets.map(\.name) == ["Owns", "Things", "News"])
        let set = try #require(graph.entitySet(named: "Things"))
        #expect(graph[graph[set].type].qualifiedName == "Other.Part")
        #expect(graph[graph[set].type].key.map(\.name) == ["Code"])
        #expect(graph.undefinedSets.isEmpty)
        #expect(try Self.read(documents).graph.undefinedSets.map(\.name) == ["Things"])
    }

    /// A service that has trouble with one document, a page in its place, or half of it.
    enum Trouble: CaseIterable { case status500, status503, status401, page, half }

    private static func answer(_ trouble: Trouble) -> StubDesk.Said {
        switch trouble {
        case .status500: .status(500)
        case .status503: .status(503)
        case .status401: .status(401)
        case .page: .init(type: "text/html", body: "<html><title>Sign in</title></html>")
        case .half: .init(type: "application/xml", body: String(other.prefix(200)))
        }
    }

    /// What fails just now takes no set away, and no change that waits in it.
    @Test(arguments: Trouble.allCases)
    func aDocumentThatFailsJustNowCostsNothing(trouble: Trouble) async throws {
        let schema = Self.document(Self.reference("other.xml"))
        let isUp = Mutex(true)
        try await StubDesk.run(schema) { asked in
            switch asked.resource {
            case "other.xml":
                isUp.withLock { $0 }
                    ? .init(type: "application/xml", body: Self.other) : Self.answer(trouble)
            case "Things": .page(#"{"Code":"a"}"#)
            case "Owns": .page("")
            default: asked.method == "DELETE" ? .init(status: 204) : .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Things")
            let thing = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).requiredEntity()
            try desk.sync.deleteEntity(thing, headers: .empty, options: .none)
            desk.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            isUp.withLock { $0 = false }
            try desk.sync.download()
            #expect(try desk.sync.failed().isEmpty && desk.sync.queued().count == 1)
            #expect(desk.sync.metadata.entitySet(named: "Things") != nil)
            isUp.withLock { $0 = true }
            try desk.sync.upload()
            #expect(desk.asked.contains { $0.method == "DELETE" && $0.resource == "Things('a')" })
            try desk.sync.download()
            #expect(try desk.rows("SELECT Code FROM Things") == ["a"])
        }
    }

    /// At the first opening nothing is known that could be lost: the rest is read, and what is left out is named.
    @Test(arguments: Trouble.allCases)
    func aDocumentThatFailsAtFirstLeavesTheRest(trouble: Trouble) async throws {
        try await StubDesk.run(Self.document(Self.reference("other.xml"))) { asked in
            asked.resource == "other.xml"
                ? Self.answer(trouble)
                : asked.resource == "Owns" ? .page(#"{"ID":1}"#) : .status(404)
        } _: { (desk: StubDesk) throws in
            let result = try desk.sync.downloadReporting(
                groups: [], SyncOptions(), loadsLinks: false)
            #expect(result.undefined == ["Things"])
            #expect(try desk.rows("SELECT ID FROM Owns") == ["1"])
        }
    }

    /// One document of two comes: the sets of the other's types stay known by name in what the store keeps.
    @Test func whatStaysUndefinedKeepsItsName() throws {
        let (graph, asked, _) = try Self.read([
            "$metadata": Self.document(
                Self.reference("other.xml") + Self.reference("gone.xml", "Gone", "G")
            ).replacing(
                "</EntityContainer>",
                with: "<EntitySet Name=\"Lost\" EntityType=\"G.T\"/></EntityContainer>"),
            "other.xml": Self.other,
        ])
        #expect(asked.count == 3)
        #expect(graph.entitySets.map(\.name) == ["Owns", "Things"])
        #expect(graph.undefinedSets.map(\.name) == ["Lost"])
        #expect(graph.undefinedSets.map(\.type) == ["Gone.T"])
    }

    /// A type may be of the document itself and get its key from another one.
    @Test(arguments: [true, false]) func baseTypesComeFromOtherDocuments(isThere: Bool) throws {
        var documents = [
            "$metadata": Self.document(Self.reference("other.xml"), "D.Mine").replacing(
                "<EntityContainer",
                with: "<EntityType Name=\"Mine\" BaseType=\"X.Thing\"/><EntityContainer")
        ]
        if isThere { documents["other.xml"] = Self.other }
        let (graph, asked, _) = try Self.read(documents)
        #expect(asked.count == 2)
        #expect(graph.entitySets.map(\.name) == (isThere ? ["Owns", "Things"] : ["Owns"]))
        #expect(graph.undefinedSets.map(\.name) == (isThere ? [] : ["Things"]))
    }

    /// The sets that cannot be understood are named, in the log and by each download; the others work.
    @Test func downloadsNameWhatIsLeftOut() async throws {
        let schema = StubDesk.schema.replacing(
            "</EntityContainer>",
            with: "<EntitySet Name=\"Things\" EntityType=\"X.Thing\"/></EntityContainer>"
        ).replacing(
            "<edmx:DataServices>", with: Self.reference("http://else/t.xml") + "<edmx:DataServices>"
        )
        try await StubDesk.run(schema) { asked in
            switch asked.resource {
            case "Customers": return .page(#"{"ID":1,"Name":"a"}"#)
            case "Orders": return .page("")
            case "Head": return .json(#"{"ID":1,"Title":"head"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                let result = try desk.sync.downloadReporting(
                    groups: [], SyncOptions(), loadsLinks: false)
                #expect(result.undefined == ["Things"])
                #expect(
                    result.skipped == [
                        "set:Things": "its type Other.Thing is in no document that could be read"
                    ])
            }
            #expect(try desk.rows("SELECT Name FROM Customers") == ["a"])
            #expect(desk.asked.allSatisfy { !$0.resource.contains("Things") })
            #expect(
                try desk.rows("SELECT details FROM _odata_event WHERE type = 'leftOut'")
                    == ["Things: its type Other.Thing is in no document that could be read"])
        }
    }

    /// Sets of as many documents as `count`, each with its own namespace.
    private static func many(_ count: Int, before: String = "") -> [String: String] {
        var documents: [String: String] = [:]
        var (references, sets) = (before, "")
        for number in 0..<count {
            references += reference("d\(number).xml", "N\(number)", "A\(number)")
            sets += "<EntitySet Name=\"S\(number)\" EntityType=\"A\(number).Thing\"/>"
            documents["d\(number).xml"] = other.replacing("\"Other\"", with: "\"N\(number)\"")
        }
        documents["$metadata"] = document(references, "D.Own").replacing(
            "</EntityContainer>", with: sets + "</EntityContainer>")
        return documents
    }

    /// More documents than are read: the first ones count, and the sets of the rest are known by name.
    @Test func theFirstOfManyDocumentsAreBroughtIn() throws {
        var documents = Self.many(20)
        // A type of the document itself with a part that is in none of them.
        documents["$metadata"] = documents["$metadata"]?.replacing(
            "<EntityContainer",
            with: "<EntityType Name=\"Part\" BaseType=\"A19.Thing\"/><EntityContainer"
        ).replacing(
            "</EntityContainer>",
            with: "<EntitySet Name=\"Parts\" EntityType=\"D.Part\"/></EntityContainer>")
        let (graph, asked, _) = try Self.read(documents)
        #expect(asked.count == 17)
        #expect(graph.entitySets.map(\.name) == ["Owns", "Things"] + (0..<16).map { "S\($0)" })
        #expect(graph.undefinedSets.map(\.name) == (16..<20).map { "S\($0)" } + ["Parts"])
        #expect(graph.undefinedSets.dropLast().last?.type == "N19.Thing")
    }

    /// References that are not followed, vocabularies above all, leave the others their turn.
    @Test func whatIsNotFollowedDoesNotCount() throws {
        let vocabularies = (0..<20).map {
            Self.reference("v\($0).xml", "com.vocabularies.v\($0)", "V\($0)")
        }.joined()
        let (graph, asked, _) = try Self.read(Self.many(2, before: vocabularies))
        #expect(asked == ["$metadata", "d0.xml", "d1.xml"].map { "http://h/s/" + $0 })
        #expect(graph.entitySet(named: "S1") != nil && graph.undefinedSets.isEmpty)
    }

    /// One document may declare several namespaces; that it is not there is known after the first question.
    @Test func aDocumentIsAskedForOnce() throws {
        let includes = ["One", "Two", "Three"].map {
            "<edmx:Include Namespace=\"\($0)\" Alias=\"\($0)A\"/>"
        }.joined()
        let sets = ["One", "Two", "Three"].map {
            "<EntitySet Name=\"\($0)s\" EntityType=\"\($0)A.Thing\"/>"
        }.joined()
        let main = Self.document(
            "<edmx:Reference Uri=\"gone.xml\">\(includes)</edmx:Reference>"
                + Self.reference("other.xml")
        ).replacing("</EntityContainer>", with: sets + "</EntityContainer>")
        let (graph, asked, _) = try Self.read(["$metadata": main, "other.xml": Self.other])
        #expect(asked == ["$metadata", "gone.xml", "other.xml"].map { "http://h/s/" + $0 })
        #expect(graph.undefinedSets.map(\.name) == ["Ones", "Twos", "Threes"])
    }

    /// Documents that are not there cost no more questions than a service has to bear.
    @Test func manyDocumentsThatAreNotThereAreNotAllAskedFor() throws {
        var documents = Self.many(100)
        for number in 0..<100 { documents["d\(number).xml"] = nil }
        let (graph, asked, _) = try Self.read(documents)
        #expect(asked.count == 65)
        #expect(graph.entitySet(named: "Owns") != nil)
    }

    /// Vocabularies give terms and the types of their records, no rows.
    @Test func vocabulariesAreNotFetched() throws {
        let annotation =
            "<Annotation Term=\"UI.LineItem\"><Collection><Record Type=\"UI.DataField\"/></Collection></Annotation>"
        let (graph, asked, _) = try Self.read([
            "$metadata": Self.document(
                Self.reference("voc.xml", "com.vocabularies.UI.v1", "UI")
                    + Self.reference("core.xml", "Org.OData.Core.V1", "Core"), "D.Own", annotation)
        ])
        #expect(asked == ["http://h/s/$metadata"])
        #expect(graph.entitySet(named: "Things") != nil)
    }

    /// Documents that refer to each other, and more of them than are read.
    @Test func aChainOfDocumentsEnds() throws {
        var documents: [String: String] = [:]
        for number in 0..<60 {
            let next = Self.reference("d\(number + 1).xml", "N\(number + 1)", "A\(number + 1)")
            documents["d\(number).xml"] = """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">\(next)<edmx:DataServices>
                <Schema Namespace="N\(number)" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <ComplexType Name="P"><Property Name="Q" Type="Edm.String"/></ComplexType></Schema>
                </edmx:DataServices></edmx:Edmx>
                """
        }
        documents["$metadata"] = Self.document(Self.reference("d0.xml", "N0", "X"), "D.Own")
            .replacing("</EntityType>", with: "<Property Name=\"P\" Type=\"X.P\"/></EntityType>")
        let (graph, asked, _) = try Self.read(documents)
        #expect(asked.count == 17)
        #expect(graph.entitySet(named: "Owns") != nil)
    }
}
