import ODataModel
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// What the ids of entities say, in every form that services give them.
@Suite struct EntityIdentityTests {
    private static let schema = """
        <Schema Namespace="NS" xmlns="NAMESPACE">
          <EnumType Name="Colour"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
          <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityType Name="Power" BaseType="NS.Tool"/>
          <EntityType Name="Code"><Key><PropertyRef Name="C"/></Key>
            <Property Name="C" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="Pair"><Key><PropertyRef Name="A"/><PropertyRef Name="B"/></Key>
            <Property Name="A" Type="Edm.Int32" Nullable="false"/><Property Name="B" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="Mark"><Key><PropertyRef Name="M"/></Key>
            <Property Name="M" Type="MEMBER" Nullable="false"/></EntityType>
          <EntityType Name="Log"><Key><PropertyRef Name="G"/></Key>
            <Property Name="G" Type="Edm.Guid" Nullable="false"/></EntityType>
          <EntityType Name="Long"><Key><PropertyRef Name="L"/></Key>
            <Property Name="L" Type="Edm.Int64" Nullable="false"/></EntityType>
          <EntityType Name="Day"><Key><PropertyRef Name="D"/></Key>
            <Property Name="D" Type="INSTANT" Nullable="false"/></EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Tools" EntityType="NS.Tool"/><EntitySet Name="Codes" EntityType="NS.Code"/>
            <EntitySet Name="Pairs" EntityType="NS.Pair"/><EntitySet Name="Marks" EntityType="NS.Mark"/>
            <EntitySet Name="Logs" EntityType="NS.Log"/><EntitySet Name="Longs" EntityType="NS.Long"/>
            <EntitySet Name="Days" EntityType="NS.Day"/>SINGLETON
          </EntityContainer></Schema>
        """

    private static func graph(_ isOld: Bool) throws -> MetadataGraph {
        let schema =
            schema
            .replacing(
                "NAMESPACE",
                with: isOld
                    ? "http://schemas.microsoft.com/ado/2008/09/edm"
                    : "http://docs.oasis-open.org/odata/ns/edm"
            )
            .replacing("INSTANT", with: isOld ? "Edm.DateTime" : "Edm.DateTimeOffset")
            .replacing("SINGLETON", with: isOld ? "" : #"<Singleton Name="Head" Type="NS.Tool"/>"#)
            // V2 has no enumerations.
            .replacing("MEMBER", with: isOld ? "Edm.String" : "NS.Colour")
        let version = isOld ? "1.0" : "4.0"
        let edmx =
            isOld
            ? "http://schemas.microsoft.com/ado/2007/06/edmx"
            : "http://docs.oasis-open.org/odata/ns/edmx"
        let services =
            isOld
            ? #"<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">"#
            : "<edmx:DataServices>"
        return try CSDLReader.read(
            Array(
                "<edmx:Edmx Version=\"\(version)\" xmlns:edmx=\"\(edmx)\">\(services)\(schema)</edmx:DataServices></edmx:Edmx>"
                    .utf8))
    }

    private static func text(_ identity: EntityIdentity?, _ graph: MetadataGraph) -> String? {
        identity.map { found in
            ([graph[found.set].name] + found.key.map { Lexical.text($0) }).joined(separator: " ")
        }
    }

    @Test(
        arguments: [
            ("Tools(7)", "Tools 7"), ("/svc/Tools(7)", "Tools 7"),
            ("http://h/svc/Tools(7)", "Tools 7"),
            ("https://h:8080/svc/Tools(Id=7)", "Tools 7"), ("Tools/7", "Tools 7"),
            ("/svc/Tools/7", "Tools 7"), ("http://h/svc/Tools/7", "Tools 7"),
            ("http://other.host/x/Tools/7", "Tools 7"), ("http://h/svc/Tools(7)?x=1", "Tools 7"),
            // Casts at the end, and a root with parentheses or a set's name of its own.
            ("Tools(7)/NS.Power", "Tools 7"), ("http://h/svc/Tools/7/NS.Power", "Tools 7"),
            ("http://h/sap(bD1lbg==)/svc/Tools(7)", "Tools 7"), ("/Codes/svc/Tools/7", "Tools 7"),
            // Text that is percent-encoded or looks like something else.
            ("Codes('a%2Fb')", "Codes a/b"), ("Codes('O''Neil')", "Codes O'Neil"),
            ("Codes('%C3%A4')", "Codes ä"), ("Codes/a%2Fb", "Codes a/b"), ("Codes/7", "Codes 7"),
            ("Codes/Head", "Codes Head"), ("Codes/NS.Power", "Codes NS.Power"),
            ("Codes/Codes", "Codes Codes"),
            // Several parts in any order; as segments in the order of the key.
            ("Pairs(A=1,B='x')", "Pairs 1 x"), ("Pairs(B='x',A=1)", "Pairs 1 x"),
            ("Pairs/1/x", "Pairs 1 x"), ("http://h/svc/Pairs/1/x/y", nil),
            ("Marks(NS.Colour'Blue')", "Marks 2"), ("Marks('Blue')", "Marks 2"),
            ("Marks/Blue", "Marks 2"),
            (
                "Logs(01234567-89ab-cdef-0123-456789abcdef)",
                "Logs 01234567-89ab-cdef-0123-456789abcdef"
            ),
            ("Longs(9007199254740993)", "Longs 9007199254740993"),
            ("Days(2031-05-01T10:00:00Z)", "Days 2031-05-01T10:00:00Z"),
            ("Days/2031-05-01T10:00:00Z", "Days 2031-05-01T10:00:00Z"),
            ("Head", "Head"), ("http://h/svc/Head", "Head"),
            // What is no entity of a set: nothing is made up.
            ("Tools", nil), ("Tools('x')", nil), ("Tools(Other=7)", nil), ("Tools/x", nil),
            ("Tools/", nil),
            ("Pairs(A=1)", nil), ("Nothing(7)", nil), ("urn:uuid:7", nil), ("", nil),
            ("Tools(7", nil), ("Codes/NS.Power('x')", nil), ("Codes/a%28b", "Codes a(b"),
            // Entities beneath others.
            ("Codes('a')/Tools(7)", nil), ("Tools(7)/Codes('a')/Id", nil), ("Head/Tool", nil),
        ] as [(String, String?)])
    func anIdMeansAnEntity(id: String, expected: String?) throws {
        let graph = try Self.graph(false)
        #expect(Self.text(EntityIdentity(id, in: graph), graph) == expected)
    }

    @Test(arguments: [
        ("http://h/svc/Tools(7)", "Tools 7"), ("Longs(1L)", "Longs 1"), ("C.Tools(7)", "Tools 7"),
        (
            "Logs(guid'01234567-89ab-cdef-0123-456789abcdef')",
            "Logs 01234567-89ab-cdef-0123-456789abcdef"
        ),
        ("Days(datetime'2031-05-01T10%3A00%3A00')", "Days 2031-05-01T10:00:00"),
        ("Pairs(B='x',A=1)", "Pairs 1 x"),
    ]) func anIdOfV2MeansAnEntity(id: String, expected: String) throws {
        let graph = try Self.graph(true)
        #expect(Self.text(EntityIdentity(id, in: graph), graph) == expected)
    }

    @Test func theKeyIsThatOfTheSetThatIsAskedFor() throws {
        let graph = try Self.graph(false)
        let tools = try #require(graph.entitySet(named: "Tools"))
        let codes = try #require(graph.entitySet(named: "Codes"))
        #expect(EntityIdentity.key(of: "Tools(7)", in: tools, graph: graph) == [.integer(7)])
        #expect(EntityIdentity.key(of: "Codes('7')", in: tools, graph: graph) == nil)
        // Both a code and, behind a root that ends in Codes, a tool.
        #expect(EntityIdentity("/Pairs/1/Tools", expecting: tools, in: graph)?.set != tools)
        #expect(EntityIdentity.key(of: "Codes/7", in: codes, graph: graph) == [.string("7")])
        #expect(EntityIdentity.entitySet(of: "http://h/Tools(x", in: graph) == tools)
        #expect(EntityIdentity.entitySet(of: "urn:uuid:7", in: graph) == nil)
    }
}
