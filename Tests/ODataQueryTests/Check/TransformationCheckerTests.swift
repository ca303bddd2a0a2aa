import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// What the steps of `$apply` make, and what later options see of it.
@Suite struct TransformationCheckerTests {
    private func checked(_ text: String, _ graph: MetadataGraph) throws -> Query {
        var query = try URLParser.parse(text, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    private func checked(_ text: String) throws -> Query {
        try checked(text, try ToolModel.graph())
    }

    /// Names with their types, as `Name:Type`.
    private func dynamic(_ text: String) throws -> [String] {
        let graph = try ToolModel.graph()
        let shape = try QueryChecker.shape(of: try checked(text, graph), graph: graph)
        return (shape?.dynamic ?? []).map { property in
            "\(property.name):\(property.type.map { graph.name(of: $0) } ?? "?")"
        }
    }

    @Test(arguments: [
        ("aggregate(Price with sum as Total)", ["Total:Edm.Decimal"]),
        ("aggregate(Id with sum as Total)", ["Total:Edm.Int64"]),
        ("aggregate(Id with average as Mean)", ["Mean:Edm.Double"]),
        ("aggregate(Weight with max as Heaviest)", ["Heaviest:Edm.Double"]),
        ("aggregate(Title with min as First)", ["First:Edm.String"]),
        ("aggregate(Owner with countdistinct as Owners)", ["Owners:Edm.Int64"]),
        ("aggregate($count as N,Loans/$count as M)", ["N:Edm.Int64", "M:Edm.Int64"]),
        ("aggregate(Price with Ns.Median as M)", ["M:?"]),
        ("aggregate(Price mul 2 with max as M)", ["M:Edm.Decimal"]),
        ("aggregate(Loans/Member/Id with max as M)", ["M:Edm.Int64"]),
        ("compute(Price mul Id as Cost,length(Title) as L)", ["Cost:Edm.Decimal", "L:Edm.Int32"]),
        ("groupby((Title),aggregate(Price with sum as S))", ["S:Edm.Decimal"]),
        (
            "concat(aggregate(Id with max as A),aggregate(Id with min as B))",
            ["A:Edm.Int32", "B:Edm.Int32"]
        ),
        ("concat(aggregate(Id with max as A),aggregate(Title with min as A))", ["A:?"]),
        ("addnested(Loans,filter(Open) as Lent)", ["Lent:Collection(Ns.Loan)"]),
        ("addnested(Loans,aggregate($count as N) as Lent)", ["Lent:?"]),
        ("join(Loans as Loan,filter(Open))", ["Loan:Ns.Loan"]),
        ("aggregate(Id with sum from Title with max as M)", ["M:Edm.Int64"]),
    ])
    func stepsMakeTypedProperties(_ apply: String, _ expected: [String]) throws {
        #expect(try dynamic("Tools?$apply=\(apply)") == expected)
    }

    @Test(arguments: [
        "$apply=groupby((Title),aggregate(Price with sum as Total))&$filter=Total gt 5",
        "$apply=groupby((Title,Owner/Name),aggregate($count as N))&$orderby=Owner/Name,N desc",
        "$apply=groupby((Title),aggregate(Price with sum as Total))&$select=Title,Total",
        "$apply=groupby((Owner))&$expand=Owner",
        "$apply=groupby((rollup(Size/Height,Title)),aggregate(Price with sum as T))/filter(T gt 1)",
        "$apply=filter(Price gt 1)/topcount(2,Price)&$filter=Title eq 'a'",
        "$apply=join(Loans as Loan,filter(Open))/filter(Loan/Day gt 2031-05-01)",
        "$apply=groupby((Title),topcount(1,Price))&$filter=Price gt 2",
        "$compute=Price mul 2 as Twice&$filter=Twice gt 4&$orderby=Twice&$select=Title,Twice",
        "$apply=concat(groupby((Title)),aggregate(Price with sum as T))&$filter=isdefined(T)",
        "$apply=compute(Price as P)/compute(P add 1 as Q)/filter(Q gt P)",
        "$expand=Loans($apply=groupby((Open),aggregate($count as N));$filter=N gt 1)",
        "$filter=Loans/aggregate($count) gt 1",
        "$filter=Price gt $these/aggregate(Price with average)",
        "$apply=expand(Loans,filter(Open))",
        "$apply=groupby((Title,Made),aggregate(Price with max as M))/groupby((Title),aggregate(M with min as L))&$orderby=L",
    ])
    func laterOptionsSeeWhatTheStepsKeepAndMake(_ options: String) throws {
        _ = try checked("Tools?\(options)")
    }

    @Test(
        arguments: [
            ("$apply=groupby((Title))&$filter=Price gt 5", "Price", .unknownName),
            ("$apply=aggregate(Price with sum as T)&$orderby=Title", "Title", .unknownName),
            ("$apply=groupby((Size/Height))/filter(Owner/Name eq 'a')", "Owner/Name", .unknownName),
            ("$apply=aggregate(Cost with sum as T)", "Cost", .unknownName),
            ("$apply=aggregate(Title with sum as T)", "Title", .invalidQuery),
            ("$apply=aggregate(Price as T)", "Price", .invalidQuery),
            ("$apply=aggregate(Price with sum as T,Id with sum as T)", "T", .invalidQuery),
            ("$apply=topsum(5,Title)", "Title", .invalidQuery),
            ("$apply=topcount('a',Price)", "topcount", .invalidQuery),
            ("$apply=addnested(Owner,identity as O)", "Owner", .invalidQuery),
            ("$apply=expand(Title)", "Title", .invalidQuery),
            ("$apply=Ns.Unknown()", "Ns.Unknown", .unknownName),
            ("$apply=groupby((Colour/Name))", "Colour/Name", .invalidQuery),
            ("$compute=Title mul 2 as T", "Title", .invalidQuery),
            ("$apply=filter(Price)", "Price", .invalidQuery),
            ("$filter=Loans/aggregate(Fee with sum) gt 1", "Fee", .unknownName),
        ] as [(String, String, ODataError.Code)])
    func whatDoesNotFitIsNamed(_ options: String, _ place: String, _ code: ODataError.Code) throws {
        #expect(
            failure { try checked("Tools?\(options)") } == Failure(code, at: .path(place)))
    }

    @Test func literalsOfStepsTakeTheirTypes() throws {
        let query = try checked("Tools?$apply=filter(Price gt 10 and Colour eq 'Red')")
        let text = try URLWriter.text(query, dialect: .v4)
        #expect(
            text == "Tools?$apply=filter(Price%20gt%2010%20and%20Colour%20eq%20Ns.Colour'Red')")
    }

    @Test func customAggregatesAreThoseOfTheModel() throws {
        var graph = try ToolModel.graph()
        graph.structures[0].annotations.append(
            AnnotationDefinition(
                term: "Org.OData.Aggregation.V1.CustomAggregate", qualifier: "Forecast",
                value: .string("Edm.Decimal")))
        try graph.freeze()
        let query = try checked("Tools?$apply=groupby((Title),aggregate(Forecast))", graph)
        let shape = try #require(try QueryChecker.shape(of: query, graph: graph))
        #expect(shape.kept == [["Title"]])
        #expect(shape.dynamic.map(\.name) == ["Forecast"])
        #expect(shape.dynamic.first?.type?.primitive == .decimal)
    }

    @Test func leveledHierarchiesStandForTheirPaths() throws {
        var graph = try ToolModel.graph()
        graph.structures[0].annotations.append(
            AnnotationDefinition(
                term: "Org.OData.Aggregation.V1.LeveledHierarchy", qualifier: "Sizes",
                value: .collection([
                    .path(kind: "PropertyPath", text: "Title"),
                    .path(kind: "PropertyPath", text: "Size/Height"),
                ])))
        try graph.freeze()
        let query = try checked("Tools?$apply=groupby((rollup(Sizes)))", graph)
        let shape = try #require(try QueryChecker.shape(of: query, graph: graph))
        #expect(shape.kept == [["Title"], ["Size", "Height"]])
    }
}
