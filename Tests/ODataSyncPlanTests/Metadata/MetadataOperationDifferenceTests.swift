import ODataModel
import ODataSyncPlan
import ODataWire
import Testing

@Suite struct MetadataOperationDifferenceTests {
    private func graph(_ schema: String) throws -> MetadataGraph {
        try CSDLReader.read(
            Array(
                """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
                <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="T"><Key><PropertyRef Name="I"/></Key><Property Name="I" Type="Edm.Int32" Nullable="false"/></EntityType>
                \(schema)</Schema></edmx:DataServices></edmx:Edmx>
                """.utf8))
    }

    private func difference(_ old: String, _ new: String) throws -> MetadataDifference {
        MetadataDifference(from: try graph(old), to: try graph(new))
    }

    @Test(arguments: [
        (#"<Action Name="A"/>"#, "", "removed N.A(): The action is gone."),
        ("", #"<Action Name="A"/>"#, "added N.A(): The action is new."),
        (
            #"<Function Name="F"><ReturnType Type="Edm.Int32"/></Function>"#,
            #"<Function Name="F"><ReturnType Type="Edm.Int64"/></Function>"#,
            "incompatible N.F(): The result is Edm.Int64, was Edm.Int32."
        ),
        (
            #"<Function Name="F"><Parameter Name="a" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>"#
                + #"<Function Name="F"><Parameter Name="b" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>"#,
            #"<Function Name="F"><Parameter Name="a" Type="Edm.Int32"/><ReturnType Type="Edm.Int32"/></Function>"#,
            "removed N.F(b): The function is gone."
        ),
        (
            #"<Action Name="A"/>"#,
            #"<Action Name="A"><Parameter Name="p" Type="Edm.Int32" Nullable="false"/></Action>"#,
            "incompatible N.A()/p: The parameter is new."
        ),
        (
            #"<Action Name="A" IsBound="true"><Parameter Name="t" Type="N.T"/><Parameter Name="p" Type="Edm.Int32"/></Action>"#,
            #"<Action Name="A" IsBound="true"><Parameter Name="t" Type="N.T"/><Parameter Name="p" Type="Edm.String"/></Action>"#,
            "incompatible N.A(N.T)/p: The type is Edm.String, was Edm.Int32."
        ),
        (
            #"<Action Name="A"/><EntityContainer Name="C"><ActionImport Name="AI" Action="N.A"/></EntityContainer>"#,
            #"<Action Name="A"/><EntityContainer Name="C"/>"#,
            "removed AI: The import is gone."
        ),
    ])
    func operationsAreComparedByOverload(old: String, new: String, expected: String) throws {
        let found = try difference(old, new)
        #expect(found.changes.map(\.description) == [expected])
        #expect(found.keepsData)
        #expect(found.isCompatible == expected.hasPrefix("added"))
    }

    @Test(arguments: [
        (
            #"<TypeDefinition Name="D" UnderlyingType="Edm.Int32"/>"#,
            #"<TypeDefinition Name="D" UnderlyingType="Edm.String"/>"#,
            "incompatible N.D: The type is Edm.String, was Edm.Int32."
        ),
        (
            #"<EntityType Name="U" BaseType="N.T"/>"#,
            #"<EntityType Name="U" BaseType="N.T" Abstract="true"/>"#,
            "incompatible N.U: The type is now abstract."
        ),
        (
            #"<EnumType Name="E" IsFlags="true"><Member Name="A" Value="1"/></EnumType>"#,
            #"<EnumType Name="E"><Member Name="A" Value="1"/></EnumType>"#,
            "incompatible N.E: Members can no longer be combined."
        ),
        (
            #"<ComplexType Name="X"><Property Name="P" Type="Edm.Int32"/></ComplexType>"#,
            #"<ComplexType Name="X"><Property Name="P" Type="Edm.Int32" DefaultValue="1"/></ComplexType>"#,
            "compatible N.X/P: The default value changed."
        ),
    ])
    func typesAreComparedWhole(old: String, new: String, expected: String) throws {
        let found = try difference(old, new)
        #expect(found.changes.map(\.description) == [expected])
        #expect(found.keepsData == !expected.hasPrefix("incompatible"))
    }

    @Test func aMissingScaleIsNone() throws {
        let found = try difference(
            #"<ComplexType Name="X"><Property Name="P" Type="Edm.Decimal"/></ComplexType>"#,
            #"<ComplexType Name="X"><Property Name="P" Type="Edm.Decimal" Scale="0"/></ComplexType>"#
        )
        #expect(found.isEmpty)
    }
}
