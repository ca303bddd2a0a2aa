import ConformanceData
import ErrorFixture
import Foundation
import ODataModel
import ODataQuery
import ODataText
import Testing

/// What the ABNF refuses by the names of one model: with a model of these names the checker refuses it, too.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct ABNFModelTests {
    private struct File: Decodable {
        let constraints: [String: [String]]

        enum CodingKeys: String, CodingKey { case constraints = "Constraints" }
    }

    /// One entity type with all properties that the case file names, in all sets.
    private func model(_ name: String) throws -> MetadataGraph {
        let path = "abnf/odata-\(name)-cases.json"
        let names = try Conformance.json(path, as: File.self).constraints
        let (entity, complex) = (StructureID(0), StructureID(1))
        func properties(
            _ rule: String, _ kind: TypeReference.Kind, isCollection: Bool = false,
            navigation: NavigationDefinition? = nil
        ) -> [PropertyDefinition] {
            (names[rule] ?? []).filter { !$0.contains(".") }.map {
                PropertyDefinition(
                    name: $0, type: TypeReference(kind, isCollection: isCollection),
                    navigation: navigation)
            }
        }
        let plain =
            properties("primitiveKeyProperty", .primitive(.int32))
            + properties("primitiveNonKeyProperty", .primitive(.decimal))
        var graph = MetadataGraph(version: .v401)
        graph.schemas = [.init(namespace: "Ns")]
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "Ns", name: "Thing",
                properties: plain + properties("streamProperty", .primitive(.stream))
                    + properties("complexProperty", .structure(complex))
                    + properties("complexColProperty", .structure(complex), isCollection: true)
                    + properties(
                        "entityNavigationProperty", .structure(entity),
                        navigation: NavigationDefinition())
                    + properties(
                        "entityColNavigationProperty", .structure(entity), isCollection: true,
                        navigation: NavigationDefinition()), key: [KeyProperty(path: "ID")]),
            StructureDefinition(
                kind: .complex, namespace: "Ns", name: "Part", properties: plain),
        ]
        graph.entitySets = (names["entitySetName"] ?? []).map {
            EntitySetDefinition(name: $0, container: "Ns.C", type: entity)
        }
        try graph.freeze()
        return graph
    }

    @Test(arguments: [
        ("abnf", "Categories(1)/Thumbnail/$value", "Categories/(key)/Thumbnail/$value"),
        ("aggregation", "Sales?$apply=aggregate(Amount as Total)", "Amount"),
        (
            "aggregation",
            "Sales?$apply=aggregate(Amount from Time with average as DailyAverage)", "Amount"
        ),
        (
            "aggregation", "Sales?$apply=groupby((Product/Price/Quantity))",
            "Product/Price/Quantity"
        ),
        ("aggregation", "Sales?$apply=join(ShipTo as Detail,identity)", "ShipTo"),
    ])
    func namesOfAModelAreChecked(_ file: String, _ text: String, _ path: String) throws {
        let graph = try model(file)
        var query = try URLParser.parse(text, graph: graph, dialect: .v401)
        #expect(
            failure { try QueryChecker.check(&query, graph: graph) }
                == Failure(.invalidQuery, at: .path(path)))
    }

    @Test(arguments: [
        ("abnf", "Categories(1)/Thumbnail"),
        ("aggregation", "Sales?$apply=aggregate(Amount with sum as Total)"),
        ("aggregation", "Sales?$apply=groupby((Product/Price))"),
        ("aggregation", "Sales?$apply=join(Details as Detail,identity)"),
    ])
    func theirNeighboursAreRight(_ file: String, _ text: String) throws {
        let graph = try model(file)
        var query = try URLParser.parse(text, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
    }
}
