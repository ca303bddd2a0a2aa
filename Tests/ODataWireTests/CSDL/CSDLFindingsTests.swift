import ODataModel
import ODataText
import ODataWire
import Testing

/// What is reported about a model, or added to it, for the sake of few of its properties.
@Suite struct CSDLFindingsTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <TypeDefinition Name="Odd" UnderlyingType="Edm.Decimal" Precision="2" Scale="3"/>
        <ComplexType Name="Bare"><Property Name="A" Type="Edm.Int32"/></ComplexType>
        <ComplexType Name="T">
        <Property Name="Good" Type="Edm.Decimal" Precision="3" Scale="2"/>
        <Property Name="Bad" Type="Edm.Decimal" Precision="1" Scale="2"/>
        <Property Name="Named" Type="N.Odd"/>
        <Property Name="Long" Type="Edm.Int32" MaxLength="4"/>
        </ComplexType></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func findings(
        _ kind: CSDLReader.FacetFindings, of bytes: [UInt8] = Array(model.utf8)
    ) throws -> [String] {
        var options = CSDLReader.Options()
        options.facetFindings = kind
        return try CSDLReader.read(bytes, options: options).diagnostics
    }

    @Test func facetsThatCannotBeAreReported() throws {
        let lost = [
            "N.T/Bad: The scale is larger than the precision.",
            "N.T/Named: The scale is larger than the precision.",
        ]
        #expect(try findings(.none) == [])
        #expect(try findings(.some) == lost)
        #expect(try findings(.all) == lost + ["N.T/Long: MaxLength does not apply to its type."])
    }

    @Test func facetsOfTypeDefinitionsAloneAreReported() throws {
        let text = Self.model.split(separator: "\n").filter {
            !$0.contains("\"Good\"") && !$0.contains("\"Bad\"") && !$0.contains("\"Long\"")
        }
        #expect(
            try findings(.some, of: Array(text.joined(separator: "\n").utf8))
                == ["N.T/Named: The scale is larger than the precision."])
    }

    @Test func facetsOfJSONAreReported() throws {
        let text = """
            {"$Version":"4.01","N":{"T":{"$Kind":"ComplexType",
            "Bad":{"$Type":"Edm.Decimal","$Precision":1,"$Scale":2}}}}
            """
        #expect(
            try findings(.some, of: Array(text.utf8))
                == ["N.T/Bad: The scale is larger than the precision."])
    }

    @Test(arguments: [true, false])
    func setsOfTypesWithTokensSayThem(_ isFixed: Bool) throws {
        let text = """
            <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" Version="1.0">
            <edmx:DataServices m:DataServiceVersion="2.0"><Schema xmlns="http://schemas.microsoft.com/ado/2008/09/edm" Namespace="N">
            <EntityType Name="T"><Key><PropertyRef Name="Id"/></Key>
            <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Property Name="At" Type="Edm.DateTime" ConcurrencyMode="\(isFixed ? "Fixed" : "None")"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="N.T"/></EntityContainer>
            </Schema></edmx:DataServices></edmx:Edmx>
            """
        let set = try CSDLReader.read(Array(text.utf8)).entitySets[0]
        let token = set.annotations.first(term: "Org.OData.Core.V1.OptimisticConcurrency")
        #expect(
            token?.value
                == (isFixed ? .collection([.path(kind: "PropertyPath", text: "At")]) : nil))
    }

    /// Many are looked for in another way than few.
    @Test(arguments: [1, 8, 9, 40]) func keysAreDeclaredProperties(count: Int) throws {
        func model(_ keys: [String]) -> [UInt8] {
            let names = (1...count).map { "K\($0)" }
            let text =
                #"<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>"#
                + #"<Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="E"><Key>"#
                + keys.map { "<PropertyRef Name=\"\($0)\"/>" }.joined() + "</Key>"
                + names.map { "<Property Name=\"\($0)\" Type=\"Edm.Int32\" Nullable=\"false\"/>" }
                .joined() + "</EntityType></Schema></edmx:DataServices></edmx:Edmx>"
            return Array(text.utf8)
        }
        let keys = (1...count).map { "K\($0)" }
        let graph = try CSDLReader.read(model(keys))
        #expect(graph.structures.first { $0.key.count == count } != nil)
        #expect(throws: ODataError.self) {
            try CSDLReader.read(model(keys.dropLast() + ["Lost"]))
        }
    }
}
