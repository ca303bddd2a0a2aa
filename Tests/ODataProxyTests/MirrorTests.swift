import Foundation
import ODataModel
import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire
import Synchronization
import Testing

/// What a proxy keeps of the model of a service of V4: complex and enumerated types, contained rows, links that no
/// property tells.
@Suite struct MirrorTests {
    fileprivate static let metadata = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><edmx:DataServices>
        <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="W">
        <EnumType Name="Color"><Member Name="Red" Value="0"/><Member Name="Blue" Value="4"/></EnumType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
        <Property Name="Lines" Type="Collection(Edm.String)" Nullable="false"/></ComplexType>
        <EntityType Name="Person"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/>
        <Property Name="Home" Type="W.Address"/><Property Name="Likes" Type="W.Color"/>
        <NavigationProperty Name="Friends" Type="Collection(W.Person)"/>
        <NavigationProperty Name="Notes" Type="Collection(W.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Worker" BaseType="W.Person"><Property Name="Pay" Type="Edm.Decimal" Scale="2"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="People" EntityType="W.Person">
        <NavigationPropertyBinding Path="Friends" Target="People"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func people(pay: String, friend: String, note: String) -> String {
        """
        {"@odata.context":"$metadata#People","value":[
        {"Code":"A","Home":{"City":"Ulm","Lines":["x","y"]},"Likes":"Blue",
        "Friends":[{"Code":"\(friend)"}],"Notes":[{"No":1,"Text":"\(note)"}]},
        {"@odata.type":"#W.Worker","Code":"B","Home":null,"Likes":null,"Pay":\(pay),"Friends":[],"Notes":[]},
        {"Code":"C","Home":null,"Likes":"Red","Friends":[],"Notes":[]}]}
        """
    }

    private func withProxy(
        _ body: (DeltaProxy, Content) throws -> Void
    ) throws {
        let content = Content(Self.people(pay: "1.50", friend: "B", note: "hello"))
        let origin = try LoopbackService { request, _ in content.answer(request) }
        let folder = try TestFolder.makeFast("mirror-")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = DeltaProxy.Settings(
            origin: origin.root,
            service: ServiceConfiguration(
                databasePath: folder.appendingPathComponent("proxy.db").path))
        settings.interval = nil
        let proxy = try DeltaProxy(settings)
        try proxy.start()
        defer { try? proxy.close() }
        try body(proxy, content)
    }

    /// Answers of the origin, which has no delta links and no batches.
    private final class Content: Sendable {
        private let people: Mutex<String>
        private let metadata = Mutex(MirrorTests.metadata)

        init(_ people: String) { self.people = Mutex(people) }

        func become(_ text: String) { people.withLock { $0 = text } }

        func change(metadata text: String) { metadata.withLock { $0 = text } }

        func answer(_ request: RequestMessage) -> HTTPEdge.Outcome {
            let path = request.url.prefix { $0 != "?" }
            if path.hasSuffix("$metadata") {
                return .answer(
                    ResponseMessage(
                        status: 200,
                        headers: ["Content-Type": "application/xml", "OData-Version": "4.0"],
                        body: Array(metadata.withLock { $0 }.utf8)))
            }
            guard path.hasSuffix("/People"), request.method == "GET" else {
                return .answer(ResponseMessage(status: 404, headers: [:], body: []))
            }
            return .answer(
                ResponseMessage(
                    status: 200,
                    headers: [
                        "Content-Type": "application/json;odata.metadata=minimal",
                        "OData-Version": "4.0",
                    ],
                    body: Array(people.withLock { $0 }.utf8)))
        }
    }

    private func get(_ proxy: DeltaProxy, _ url: String, _ prefer: String? = nil) -> ResponseMessage
    {
        var headers: HeaderFields = ["Host": "127.0.0.1"]
        headers["Prefer"] = prefer
        return proxy.service.respond(to: RequestMessage(method: "GET", url: url, headers: headers))
    }

    @Test func typesAndValuesAreThoseOfTheOrigin() async throws {
        try await onOwnThread {
            try withProxy { proxy, _ in
                let graph = try CSDLReader.read(get(proxy, "/$metadata").body)
                let own = try CSDLReader.read(Array(Self.metadata.utf8))
                #expect(graph.structures.map(\.properties) == own.structures.map(\.properties))
                #expect(graph.enumerations == own.enumerations)
                #expect(graph.structures.map(\.key) == own.structures.map(\.key))
                let all = get(proxy, "/People?$orderby=Code")
                #expect(
                    all.items.map { $0["Code"]?.string ?? "" } == ["A", "B", "C"])
                #expect(all.items[0]["Home"]?.text == #"{"City":"Ulm","Lines":["x","y"]}"#)
                #expect(all.items[0]["Likes"]?.string == "Blue")
                #expect(all.items[1]["@odata.type"]?.string == "#W.Worker")
                #expect(all.items[1]["Pay"]?.text == "1.50" || all.items[1]["Pay"]?.text == "1.5")
                #expect(get(proxy, "/People?$filter=Home/City eq 'Ulm'").items.count == 1)
                #expect(get(proxy, "/People?$filter=Likes eq W.Color'Blue'").items.count == 1)
                #expect(get(proxy, "/People('A')/Home").json["City"]?.string == "Ulm")
                #expect(get(proxy, "/People('A')/Home/City").json["value"]?.string == "Ulm")
                #expect(get(proxy, "/People('A')/Home/Lines").items.count == 2)
                #expect(get(proxy, "/People('B')/Home").status == 204)
            }
        }
    }

    @Test func linksAndContainedRowsAreReadAndTracked() async throws {
        try await onOwnThread {
            try withProxy { proxy, content in
                let url = "/People?$expand=Friends,Notes"
                let first = get(proxy, url, "odata.track-changes")
                #expect(first.items[0]["Friends"]?.array?.first?["Code"]?.string == "B")
                #expect(first.items[0]["Notes"]?.array?.first?["Text"]?.string == "hello")
                let plain = get(proxy, "/People", "odata.track-changes")

                content.become(Self.people(pay: "1.50", friend: "C", note: "hello"))
                proxy.sweep()
                let linked = get(proxy, first.deltaLink)
                let ada = linked.items.first { $0["Code"]?.string == "A" } ?? .null
                #expect(
                    ada["Friends"]?.array?.map { $0["Code"]?.string } == ["C"], "\(linked.body)")

                content.become(Self.people(pay: "1.50", friend: "C", note: "bye"))
                proxy.sweep()
                let noted = get(proxy, linked.deltaLink)
                #expect(noted.items.map { $0["Code"]?.string } == ["A"])
                #expect(noted.items[0]["Notes"]?.array?.first?["Text"]?.string == "bye")

                content.become(Self.people(pay: "2.50", friend: "C", note: "bye"))
                let before = get(proxy, plain.deltaLink).deltaLink
                proxy.sweep()
                let paid = get(proxy, before)
                #expect(paid.items.map { $0["Code"]?.string } == ["B"])
                proxy.sweep()
                #expect(get(proxy, paid.deltaLink).items.isEmpty)
            }
        }
    }

    @Test func newMetadataIsTakenOver() async throws {
        try await onOwnThread {
            try withProxy { proxy, content in
                let before = get(proxy, "/People", "odata.track-changes")
                let likes = #"<Property Name="Likes" Type="W.Color"/>"#
                content.change(
                    metadata: Self.metadata.replacing(
                        likes, with: likes + #"<Property Name="Age" Type="Edm.Int32"/>"#))
                content.become(
                    Self.people(pay: "1.50", friend: "B", note: "hello")
                        .replacing(#""Code":"A","#, with: #""Code":"A","Age":7,"#))
                proxy.sweep()
                #expect(
                    String(decoding: get(proxy, "/$metadata").body, as: UTF8.self)
                        .contains(#"Name="Age" Type="Edm.Int32""#))
                #expect(get(proxy, "/People?$filter=Age eq 7").items.count == 1)
                #expect(get(proxy, "/People('A')?$expand=Notes").json["Notes"]?.array?.count == 1)
                // The rows have another form than those that the token knows.
                #expect(get(proxy, before.deltaLink).status == 410)
                let after = get(proxy, "/People", "odata.track-changes")
                #expect(after.items.count == 3)
                proxy.sweep()
                #expect(get(proxy, after.deltaLink).items.isEmpty)
            }
        }
    }
}
