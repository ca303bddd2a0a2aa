import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWire
import Testing

@Suite struct MetadataDifferenceTests {
    private func graph(
        _ properties: String, sets: String = "",
        enumeration: String = #"<EnumType Name="E"><Member Name="A"/></EnumType>"#
    ) throws -> MetadataGraph {
        let text = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            \(enumeration)
            <EntityType Name="T"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            \(properties)</EntityType>
            <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/>\(sets)</EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        return try CSDLReader.read(Array(text.utf8))
    }

    private func changes(_ old: String, _ new: String) throws -> [String] {
        try MetadataDifference(from: graph(old), to: graph(new)).changes.map(\.description)
    }

    @Test func equalModelsHaveNoDifference() throws {
        let difference = MetadataDifference(from: try graph(""), to: try graph(""))
        #expect(difference.isEmpty && difference.isCompatible)
    }

    @Test func anEnumerationThatIsGoneIsARemoval() throws {
        let difference = MetadataDifference(
            from: try graph(""), to: try graph("", enumeration: ""))
        #expect(
            difference.changes.map(\.description) == ["removed N.E: The enumeration type is gone."])
        #expect(!difference.isEmpty)
    }

    @Test func newPropertiesAndSetsAreAdditions() throws {
        let difference = MetadataDifference(
            from: try graph(""),
            to: try graph(
                #"<Property Name="P" Type="Edm.String"/>"#,
                sets: #"<EntitySet Name="Us" EntityType="N.T"/>"#))
        #expect(difference.isCompatible)
        #expect(
            difference.changes.map(\.description) == [
                "added Us: The entity set is new.", "added N.T/P: The property is new.",
            ])
    }

    @Test func missingPropertiesAreRemovals() throws {
        let difference = MetadataDifference(
            from: try graph(#"<Property Name="P" Type="Edm.String"/>"#), to: try graph(""))
        #expect(!difference.isCompatible)
        #expect(difference.changes(.removed).map(\.path) == ["N.T/P"])
    }

    @Test(arguments: [
        ("Edm.Int32", "Edm.Int64", "compatible N.T/P: The type is Edm.Int64, was Edm.Int32."),
        ("Edm.Int64", "Edm.Int32", "incompatible N.T/P: The type is Edm.Int32, was Edm.Int64."),
        (
            "Edm.String", "Collection(Edm.String)",
            "incompatible N.T/P: The type is Collection(Edm.String), was Edm.String."
        ),
        (
            "Edm.String\" MaxLength=\"5", "Edm.String\" MaxLength=\"9",
            "compatible N.T/P: The maximum length changed."
        ),
        (
            "Edm.String", "Edm.String\" MaxLength=\"9",
            "incompatible N.T/P: The maximum length changed."
        ),
        (
            "Edm.String", "Edm.String\" Nullable=\"false",
            "incompatible N.T/P: Null is no longer allowed."
        ),
        ("Edm.String\" Nullable=\"false", "Edm.String", "compatible N.T/P: Null is now allowed."),
        (
            "Edm.Decimal\" Scale=\"2", "Edm.Decimal\" Scale=\"3",
            "compatible N.T/P: The scale changed."
        ),
        (
            "Edm.Decimal\" Scale=\"3", "Edm.Decimal\" Scale=\"2",
            "incompatible N.T/P: The scale changed."
        ),
    ])
    func changedTypesAreJudgedByTheirValues(old: String, new: String, expected: String) throws {
        let found = try changes(
            "<Property Name=\"P\" Type=\"\(old)\"/>", "<Property Name=\"P\" Type=\"\(new)\"/>")
        #expect(found == [expected])
    }

    @Test func aStructuralPropertyThatBecomesANavigationIsIncompatible() throws {
        let found = try changes(
            #"<Property Name="P" Type="Edm.String"/>"#,
            #"<NavigationProperty Name="P" Type="N.T"/>"#)
        #expect(found == ["incompatible N.T/P: Structural and navigation property changed places."])
    }
}
