import Foundation

/// Looks at generated code as text.
enum Code {
    /// The line without comments and without what is in literals.
    static func withoutLiterals(_ line: String) -> String {
        let trimmed = String(line.drop { $0 == " " })
        if trimmed.hasPrefix("//") { return "" }
        return trimmed.replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"")
    }

    /// Words that begin with a capital, as names of types do; members behind a dot are none.
    static func typeWords(_ text: String) -> Set<String> {
        var words: Set<String> = []
        for line in text.split(separator: "\n") {
            for match in withoutLiterals(String(line)).matches(of: #/[\w.`]+/#) {
                let word = match.output.prefix { $0 != "." }
                if word.first?.isUppercase ?? false { words.insert(String(word)) }
            }
        }
        return words
    }
}

/// Documents with something of everything.
enum Samples {
    static let everything = GeneratorTests.document(
        """
        <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Rot" Value="1"/>
        <Member Name="default" Value="2"/></EnumType>
        <EnumType Name="Rights" IsFlags="true"><Member Name="None" Value="0"/>
        <Member Name="Read" Value="1"/><Member Name="Write" Value="2"/></EnumType>
        <EnumType Name="Empty"/>
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
        <Property Name="Zones" Type="Collection(Edm.Int32)" Nullable="false"/></ComplexType>
        <ComplexType Name="PostalPlace" BaseType="S.Place"><Property Name="Code" Type="Edm.String"/>
        </ComplexType>
        <EntityType Name="Thing" Abstract="true"><Property Name="Note" Type="Edm.String"/></EntityType>
        <EntityType Name="Item" BaseType="S.Thing" HasStream="true"><Key><PropertyRef Name="Id"/>
        <PropertyRef Name="Where/City" Alias="City"/></Key>
        <Property Name="Id" Type="Edm.Guid" Nullable="false"/>
        \(properties)
        <Property Name="Where" Type="S.Place" Nullable="false"/>
        <Property Name="Places" Type="Collection(S.Place)"/>
        <Property Name="Color" Type="S.Color"/><Property Name="Colors" Type="Collection(S.Color)"/>
        <Property Name="Rights" Type="S.Rights"/><Property Name="Nothing" Type="S.Empty"/>
        <NavigationProperty Name="Parent" Type="S.Item"/>
        <NavigationProperty Name="Children" Type="Collection(S.Item)"/>
        <NavigationProperty Name="Any" Type="Edm.EntityType"/>
        <NavigationProperty Name="All" Type="Collection(Edm.EntityType)"/>
        </EntityType>
        <EntityType Name="SpecialItem" BaseType="S.Item"><Property Name="Extra" Type="Edm.String"/>
        </EntityType>
        <Action Name="Reset"/>
        <Action Name="Paint" IsBound="true"><Parameter Name="it" Type="S.Item"/>
        <Parameter Name="query" Type="S.Color" Nullable="false"/><ReturnType Type="S.Color"/></Action>
        <Function Name="GetNearest"><Parameter Name="near" Type="S.Place"/>
        <Parameter Name="hints" Type="Collection(Edm.String)"/><ReturnType Type="S.Item"/></Function>
        <Function Name="GetNearest"><Parameter Name="id" Type="Edm.Guid" Nullable="false"/>
        <ReturnType Type="S.Item" Nullable="false"/></Function>
        <Function Name="GetCounts" IsBound="true"><Parameter Name="all" Type="Collection(S.Item)"/>
        <ReturnType Type="Collection(Edm.Int32)"/></Function>
        <Function Name="GetCounts" IsBound="true"><Parameter Name="one" Type="S.Item"/>
        <ReturnType Type="Collection(Edm.Int32)"/></Function>
        <Function Name="Places"><ReturnType Type="Collection(S.Place)"/></Function>
        <Function Name="Items"><ReturnType Type="Collection(S.Item)"/></Function>
        <Function Name="Place"><ReturnType Type="S.Place"/></Function>
        <Function Name="Colors"><ReturnType Type="Collection(S.Color)"/></Function>
        <Function Name="Ids"><ReturnType Type="Collection(Edm.Guid)"/></Function>
        <Function Name="Mixed"><ReturnType Type="Edm.Untyped"/></Function>
        <Function Name="Total"><ReturnType Type="Edm.Decimal" Nullable="false"/></Function>
        <Function Name="Unused"><ReturnType Type="Edm.String"/></Function>
        """,
        container: """
            <EntitySet Name="Items" EntityType="S.Item"/><EntitySet Name="OtherItems" EntityType="S.Item"/>
            <EntitySet Name="Specials" EntityType="S.SpecialItem"/>
            <Singleton Name="Me" Type="S.Item"/><ActionImport Name="Reset" Action="S.Reset"/>
            \(imports)
            """)

    private static let imports = [
        "GetNearest", "Places", "Items", "Place", "Colors", "Ids", "Mixed", "Total",
    ].map { #"<FunctionImport Name="\#($0)" Function="S.\#($0)"/>"# }.joined()

    private static let properties =
        [
            "String", "Boolean", "SByte", "Byte", "Int16", "Int32", "Int64", "Single", "Double",
            "Binary", "Decimal", "Date", "TimeOfDay", "DateTimeOffset", "Duration", "Stream",
            "GeographyPoint", "Geography", "GeometryPolygon", "PrimitiveType", "Untyped",
        ].map { name in
            #"<Property Name="A\#(name)" Type="Edm.\#(name)"/>"#
                + (name == "Stream"
                    ? "" : #"<Property Name="Some\#(name)" Type="Collection(Edm.\#(name))"/>"#)
        }.joined() + #"<Property Name="Big" Type="Edm.Decimal" Precision="30" Scale="0"/>"#

    /// Names and descriptions that would be code, if they were not text.
    static let hostile: [UInt8] = {
        let evil = "x&quot;)}&#10;fatalError(&quot;ha&quot;)//*/`\\(1)"
        return GeneratorTests.document(
            """
            <EntityType Name="\(evil)T"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="\(evil)" Type="Edm.Int64" Nullable="false">
            <Annotation Term="Org.OData.Core.V1.Description" String="\(evil)"/></Property>
            </EntityType>
            <EnumType Name="\(evil)E"><Member Name="\(evil)" Value="1"/></EnumType>
            <Function Name="\(evil)F"><Parameter Name="\(evil)" Type="Edm.String"/>
            <ReturnType Type="Edm.String"/></Function>
            """,
            container: """
                <EntitySet Name="\(evil)" EntityType="S.\(evil)T">
                <Annotation Term="Org.OData.Core.V1.Description" String="\(evil)"/></EntitySet>
                <FunctionImport Name="\(evil)F" Function="S.\(evil)F"/>
                """)
    }()
}
