import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct AtomReaderTests {
    private let reader = AtomReader(Workshop.v2)

    private static let names =
        #"xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" "#
        + #"xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:at="http://purl.org/atompub/tombstones/1.0""#

    static let entry = """
        <entry m:etag='W/"3"'>
          <id>http://h/svc/Tools(7)</id><title type="text">Saw</title><updated>2031-05-01T08:30:00Z</updated>
          <category term="Ws.PowerTool" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>
          <link rel="edit" href="Tools(7)"/>
          <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Owner" href="Tools(7)/Owner">
            <m:inline><entry><content type="application/xml"><m:properties><d:Name>Mia</d:Name></m:properties></content></entry></m:inline></link>
          <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Loans" href="Tools(7)/Loans">
            <m:inline><feed><m:count>31</m:count><entry><content><m:properties><d:Id m:type="Edm.Int32">1</d:Id></m:properties></content></entry>
            <link rel="next" href="Tools(7)/Loans?$skiptoken=5"/></feed></m:inline></link>
          <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Parts" href="Tools(7)/Parts"/>
          <link rel="edit-media" href="Tools(7)/$value" m:etag='"x"'/>
          <content type="image/png" src="Tools(7)/$value"/>
          <m:properties>
            <d:Id m:type="Edm.Int32">7</d:Id><d:Title>Saw &amp; blade</d:Title><d:Price>12.50</d:Price>
            <d:Added m:type="Edm.DateTime">2031-05-01T08:30:00.5</d:Added><d:Opens>PT8H30M</d:Opens>
            <d:Icon>+/8=</d:Icon><d:Lent>1</d:Lent><d:Weight>INF</d:Weight><d:Stock m:null="true"/>
            <d:Size m:type="Ws.Size"><d:Height>20</d:Height></d:Size>
            <d:Tags><d:element>a</d:element><d:element>b</d:element></d:Tags><d:Unknown>x</d:Unknown>
          </m:properties>
        </entry>
        """

    static let feed = """
        <feed xml:base="http://h/svc/" \(names)>
          <title>Tools</title><m:count>42</m:count>\(entry)
          <at:deleted-entry ref="http://h/svc/Tools(9)" when="2031-05-01T08:30:00Z"/>
          <link rel="next" href="Tools?$skiptoken=8"/>
          <link rel="delta" href="http://h/svc/Tools?!deltatoken='51'"/>
        </feed>
        """

    @Test func aFeedGivesEntriesTombstonesAndLinks() throws {
        let page = try reader.page(Array(Self.feed.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(page.count == 42)
        #expect(page.nextLink == "http://h/svc/Tools?$skiptoken=8")
        #expect(page.deltaLink == "http://h/svc/Tools?!deltatoken='51'")
        #expect(page.items.count == 2)
        guard case .removed(let removed) = page.items[1] else {
            Issue.record("Expected a removal.")
            return
        }
        #expect(removed.reference == .id("http://h/svc/Tools(9)") && removed.reason == .deleted)
        let value = try #require(page.entities.first)
        #expect(value.type == Workshop.powerTool)
        #expect(value.control.id == "http://h/svc/Tools(7)")
        #expect(value.control.editLink == "http://h/svc/Tools(7)")
        #expect(value.control.etag == "W/\"3\"")
        #expect(value.control.mediaReadLink == "http://h/svc/Tools(7)/$value")
        #expect(value.control.mediaContentType == "image/png")
        #expect(value.control.mediaETag == "\"x\"")
        #expect(value.text("Title") == "Saw & blade")
        #expect(value.text("Price") == "12.50")
        #expect(value.text("Added") == "2031-05-01T08:30:00.5")
        #expect(value.text("Opens") == "08:30:00")
        #expect(value["Icon"] == .scalar(.binary([0xfb, 0xff])))
        #expect(value["Lent"] == .scalar(.boolean(true)))
        #expect(value["Weight"] == .scalar(.double(.infinity)))
        #expect(value["Stock"] == .null)
        #expect(value["Size"]?.structure?["Height"] == .scalar(.integer(20)))
        #expect(value["Tags"] == .list([.scalar(.string("a")), .scalar(.string("b"))]))
        #expect(value["Owner"]?.structure?["Name"] == .scalar(.string("Mia")))
        #expect(value["Loans"]?.list?.count == 1)
        #expect(value.control.counts == ["Loans": 31])
        #expect(value.control.nextLinks["Loans"] == "http://h/svc/Tools(7)/Loans?$skiptoken=5")
        #expect(value["Parts"] == nil)
        #expect(
            value.control.annotations["Parts@odata.navigationLink"]
                == .scalar(.string("http://h/svc/Tools(7)/Parts")))
    }

    @Test func anEmptyInlineIsExpandedAndEmpty() throws {
        let relation = "http://schemas.microsoft.com/ado/2007/08/dataservices/related"
        let text = """
            <entry \(Self.names)><link rel="\(relation)/Owner" href="o"><m:inline/></link>
            <link rel="\(relation)/Loans" href="l"><m:inline/></link></entry>
            """
        let value = try reader.entity(Array(text.utf8), of: Workshop.tool)
        #expect(value["Owner"] == .null)
        #expect(value["Loans"] == .list([]))
    }

    @Test func customisedFeedsPutPropertiesIntoTheEntry() throws {
        var graph = MetadataGraph(version: .v2)
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "N", name: "T",
                properties: [
                    PropertyDefinition(
                        name: "Name", type: TypeReference(.primitive(.string)),
                        annotations: [
                            AnnotationDefinition(
                                term: "m:FC_TargetPath", value: .string("SyndicationTitle"))
                        ]),
                    PropertyDefinition(
                        name: "By", type: TypeReference(.primitive(.string)),
                        annotations: [
                            AnnotationDefinition(
                                term: "m:FC_TargetPath", value: .string("SyndicationAuthorName"))
                        ]),
                ])
        ]
        try graph.freeze()
        let text =
            "<entry \(Self.names)><title>Saw</title><author><name>Mia</name></author><content/></entry>"
        let value = try AtomReader(graph).entity(Array(text.utf8), of: StructureID(0))
        #expect(value.slots == [.scalar(.string("Saw")), .scalar(.string("Mia"))])
    }

    @Test func requestsBindByLinks() throws {
        let text = """
            <entry \(Self.names)><link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Owner" href="Members(1)"/></entry>
            """
        let value = try AtomReader(Workshop.v2, isRequest: true)
            .entity(Array(text.utf8), of: Workshop.tool)
        #expect(value.control.bindings == ["Owner": ["Members(1)"]])
    }

    @Test func propertiesLinksAndResultsAreRead() throws {
        let d = #"xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices""#
        #expect(
            try reader.property(
                Array("<MaximalAge \(d)>56</MaximalAge>".utf8),
                as: TypeReference(.primitive(.int16))) == .scalar(.integer(56)))
        #expect(
            try reader.property(
                Array("<All \(d)><element>1</element><element>2</element></All>".utf8),
                as: TypeReference(.primitive(.int32), isCollection: true))
                == .list([.scalar(.integer(1)), .scalar(.integer(2))]))
        #expect(try reader.reference(Array("<uri \(d)>Loans(1)</uri>".utf8)) == "Loans(1)")
        let links = try reader.references(
            Array("<links \(d)><uri>Loans(1)</uri><uri>Loans(2)</uri><next>n</next></links>".utf8))
        #expect(links.ids == ["Loans(1)", "Loans(2)"] && links.nextLink == "n")
    }

    @Test func anErrorInPlaceOfAFeedIsThrown() {
        let text =
            #"<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>T17</code><message xml:lang="en">Lent out</message></error>"#
        let error = #expect(throws: ODataError.self) {
            try reader.page(Array(text.utf8), of: Workshop.tool)
        }
        #expect(error?.code == .service && error?.message == "Lent out")
    }

    @Test func mutatedFeedsNeverTrap() {
        let seed = Array(Self.feed.utf8)
        var random = SeededGenerator(seed: 21)
        let words = [
            "<entry>", "</entry>", "m:null=\"true\"", "<m:inline/>", "&#0;", "\"", "<d:Id>",
            "\u{0}", "http://",
        ]
        .map { Array($0.utf8) }
        var readable = 0
        for _ in 0..<2_000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 0...12, using: &random), bytes.count - index)
                let word = words[Int.random(in: 0..<words.count, using: &random)]
                bytes.replaceSubrange(index..<index + length, with: word)
            }
            if (try? reader.page(bytes, of: Workshop.tool, in: Workshop.tools)) != nil {
                readable += 1
            }
            _ = try? reader.entity(bytes, of: Workshop.tool)
            _ = try? reader.references(bytes)
            _ = try? ServiceDocument(xml: bytes)
        }
        #expect(readable > 0)
    }
}

@Suite struct ServiceMessageTests {
    @Test func headersOfBothVersionsAreRead() {
        let v2 =
            #"{"code":"SD/1","message":"Saved","severity":"info","target":"Name","details":[{"code":"SD/2","message":"Check","severity":"warning","target":""}]}"#
        let v4 = #"[{"code":"A","message":"B","numericSeverity":4,"longtextUrl":"/l"}]"#
        let found = ServiceMessage.all(in: ["sap-message": v2, "sap-messages": v4])
        #expect(
            found == [
                ServiceMessage(code: "SD/1", message: "Saved", target: "Name"),
                ServiceMessage(code: "SD/2", message: "Check", severity: .warning),
                ServiceMessage(code: "A", message: "B", severity: .error, longTextURL: "/l"),
            ])
    }

    @Test func xmlIsReadAndNonsenseIsNoMessage() {
        let xml =
            "<notification><code>1</code><message>Hi</message><severity>success</severity><details><detail><code>2</code><message>More</message></detail></details></notification>"
        #expect(
            ServiceMessage.parse(xml) == [
                ServiceMessage(code: "1", message: "Hi", severity: .success),
                ServiceMessage(code: "2", message: "More"),
            ])
        for text in ["", "{", "<a", "7", "[]", "{}"] { #expect(ServiceMessage.parse(text).isEmpty) }
    }
}
