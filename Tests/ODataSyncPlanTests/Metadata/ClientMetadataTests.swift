import ODataModel
import ODataSyncPlan
import ODataWire
import Testing

/// What of an app's own metadata may change while data of it is kept.
@Suite struct ClientMetadataTests {
    private static let mark =
        "<Annotation Term=\"com.sap.vocabularies.Offline.v1.ClientOnly\"/>"
    private static let mood =
        "<EnumType Name=\"Mood\"><Member Name=\"Good\" Value=\"0\"/><Member Name=\"Bad\" Value=\"1\"/>"
    private static let label = "<TypeDefinition Name=\"Label\" UnderlyingType=\"Edm.String\">"
    private static let place =
        "<ComplexType Name=\"Place\"><Property Name=\"Shelf\" Type=\"Own.Shelf\"/>"
    private static let shelf =
        "<ComplexType Name=\"Shelf\"><Property Name=\"No\" Type=\"Edm.String\"/>"
    private static let thing =
        "<EntityType Name=\"Thing\" Abstract=\"true\"><Property Name=\"Note\" Type=\"Edm.String\"/>"

    /// - Parameter isMarked: whether the types that the set's values are made of are marked as the set is.
    private static func text(isMarked: Bool) -> String {
        let mark = isMarked ? mark : ""
        return """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="Own" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(mood)\(mark)</EnumType>\(label)\(mark)</TypeDefinition>
            \(place)\(mark)</ComplexType>\(shelf)\(mark)</ComplexType>
            \(thing)\(mark)</EntityType>
            <EntityType Name="Memo" BaseType="Own.Thing"><Key><PropertyRef Name="ID"/></Key>
              <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Mood" Type="Own.Mood"/>
              <Property Name="Labels" Type="Collection(Own.Label)"/><Property Name="Place" Type="Own.Place"/>
              \(mark)</EntityType>
            <ComplexType Name="Free"><Property Name="A" Type="Edm.String"/></ComplexType>
            <EntityContainer Name="C"><EntitySet Name="Memos" EntityType="Own.Memo">\(Self.mark)</EntitySet>
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static func obstacle(
        _ old: String, _ new: String, isMarked: Bool
    ) throws -> MetadataDifference.Change? {
        let text = text(isMarked: isMarked)
        #expect(text.contains(old))
        return ClientMetadata.obstacle(
            from: try CSDLReader.read(Array(text.utf8)),
            to: try CSDLReader.read(Array(text.replacing(old, with: new).utf8)))
    }

    /// Text of the document, and what takes its place.
    private static let breaking: [(old: String, new: String, path: String)] = [
        ("<Member Name=\"Bad\" Value=\"1\"/>", "", "Own.Mood/Bad"),
        ("Name=\"Bad\" Value=\"1\"", "Name=\"Bad\" Value=\"2\"", "Own.Mood/Bad"),
        ("UnderlyingType=\"Edm.String\"", "UnderlyingType=\"Edm.Int32\"", "Own.Label"),
        ("Name=\"No\" Type=\"Edm.String\"", "Name=\"No\" Type=\"Edm.Int32\"", "Own.Shelf/No"),
        ("<Property Name=\"Shelf\" Type=\"Own.Shelf\"/>", "", "Own.Place/Shelf"),
        ("Name=\"Note\" Type=\"Edm.String\"", "Name=\"Note\" Type=\"Edm.Date\"", "Own.Thing/Note"),
    ]

    @Test(arguments: breaking, [true, false])
    func whatValuesAreMadeOfStaysAsItIs(
        change: (old: String, new: String, path: String), isMarked: Bool
    ) throws {
        let found = try Self.obstacle(change.old, change.new, isMarked: isMarked)
        #expect(found?.path == change.path)
    }

    @Test(arguments: [
        (
            "<Member Name=\"Bad\" Value=\"1\"/>",
            "<Member Name=\"Bad\" Value=\"1\"/><Member Name=\"So\" Value=\"2\"/>"
        ),
        (
            "<Property Name=\"No\"",
            "<Property Name=\"Row\" Type=\"Edm.Int32\"/><Property Name=\"No\""
        ),
        // Nothing of the set has it.
        ("<Property Name=\"A\" Type=\"Edm.String\"/>", "<Property Name=\"A\" Type=\"Edm.Int32\"/>"),
    ])
    func whatOnlyAddsIsNoObstacle(old: String, new: String) throws {
        #expect(try Self.obstacle(old, new, isMarked: false) == nil)
    }
}
