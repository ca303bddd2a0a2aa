import APIErrorFixture
import ErrorFixture
import ModelFixture
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Aggregation and the other clauses through the classes of the API, as URL text.
@Suite struct TransformTests {
    let document: CSDLDocument
    let tools: EntitySet
    let tool: EntityType
    let loans: EntityType

    init() throws {
        document = CSDLDocument(graph: try ToolModel.graph())
        tools = try #require(document.entitySet(named: "Tools"))
        loans = try #require(document.entitySet(named: "Loans")).entityType
        tool = tools.entityType
    }

    private func property(_ name: String) -> Property { tool.property(withName: name) }

    private func text(_ query: DataQuery) -> String {
        query.toString().replacing("%20", with: " ")
    }

    @Test func groupsWithAggregatesAreOneStep() {
        let query = DataQuery().from(tools).groupBy(property("Title"))
            .aggregate(property("Price").sum("Total"), property("Id").countDistinct("N"))
            .filter(DataPath.ofDynamic("Total").greaterThan(5))
            .orderBy(DataPath.ofDynamic("Total"), .descending)
        #expect(
            text(query) == "Tools?$filter=Total gt 5&$orderby=Total desc&$apply="
                + "groupby((Title),aggregate(Price with sum as Total,Id with countdistinct as N))")
    }

    @Test func stepsFollowEachOther() {
        let query = DataQuery().from(tools).apply(
            FilterTransform.of(property("Price").greaterThan(1)),
            GroupTransform.by(property("Title")).rollup(property("Made"), property("Id"))
                .aggregate(property("Price").average("Mean")),
            TopTransform.count(3, DataPath.ofDynamic("Mean")), IdentityTransform())
        #expect(
            text(query) == "Tools?$apply=filter(Price gt 1)/groupby((Title,rollup(Made,Id)),"
                + "aggregate(Price with average as Mean))/topcount(3,Mean)/identity")
        #expect(query.transformValues.length == 4)
        #expect(query.transformValues[0] is FilterTransform)
        #expect(query.transformValues[2] is TopTransform)
        #expect(query.groupTransform?.groupPaths.length == 3)
        query.groupTransform = GroupTransform.by(property("Id"))
        #expect(text(query).contains("filter(Price gt 1)/groupby((Id))/topcount"))
    }

    @Test func everyTransformationHasItsClass() {
        let steps: [(TransformValue, String)] = [
            (BottomTransform.sum(IntValue.of(5), property("Price")), "bottomsum(5,Price)"),
            (TopTransform.percent(IntValue.of(50), property("Price")), "toppercent(50,Price)"),
            (SearchTransform.of("saw band"), "search(saw AND band)"),
            (
                ConcatTransform.of(IdentityTransform(), SearchTransform.of("a")),
                "concat(identity,search(a))"
            ),
            (
                ComputeTransform.of(property("Price").multiply(2), "P").and(property("Id"), "I"),
                "compute(Price mul 2 as P,Id as I)"
            ),
            (
                ExpandTransform.of(
                    ExpandItem.of(property("Loans")).withQuery(
                        DataQuery().filter(loans.property(withName: "Open").equal(true)))),
                "expand(Loans,filter(Open eq true))"
            ),
            (
                AggregateValue.of(.count(alias: "N")).and(property("Id").maximum("M")),
                "aggregate($count as N,Id with max as M)"
            ),
            (
                AggregateValue.of(
                    AggregateExpression.of(property("Price"), .sum, "T").addFrom(
                        .of(property("Title"), method: .average))),
                "aggregate(Price with sum from Title with average as T)"
            ),
            (
                AggregateValue.of(.custom(DataPath.ofDynamic("Forecast"))), "aggregate(Forecast)"
            ),
            (
                property("Price").aggregate(.custom("Ns.Median"), "M"),
                "aggregate(Price with Ns.Median as M)"
            ),
        ]
        for (step, expected) in steps { #expect(step.toString() == expected) }
        #expect(steps[0].0 == BottomTransform.sum(IntValue.of(5), property("Price")))
        #expect(steps[0].0 != steps[1].0)
    }

    @Test func computedPropertiesAreQueried() {
        let query = DataQuery().from(tools).compute(property("Price").multiply(2), "Twice")
            .filter(DataPath.ofDynamic("Twice").lessThan(9)).select(DataPath.ofDynamic("Twice"))
        #expect(
            text(query)
                == "Tools?$filter=Twice lt 9&$select=Twice&$compute=Price mul 2 as Twice")
    }

    @Test func itemsAreReadAndSet() throws {
        let query = DataQuery().from(tools).select(property("Title"), property("Size"))
            .expand(property("Loans"), withQuery: DataQuery().top(2).levels(3))
        #expect(text(query) == "Tools?$select=Title,Size&$expand=Loans($top=2;$levels=3)")
        #expect(query.selectItems.map { $0.toProperty()?.name } == ["Title", "Size"])
        let item = try #require(query.expandItems.toArray().first)
        #expect(item.toProperty() === property("Loans"))
        #expect(item.query?.topCount == 2)
        #expect(item.query?.levelCount == 3)
        let other = DataQuery().from(tools)
        other.selectItems = [SelectItem.of(property("Title"))]
        other.expandItems = [item, ExpandItem.of(property("Owner"))]
        #expect(text(other) == "Tools?$select=Title&$expand=Loans($top=2;$levels=3),Owner")
    }

    @Test func countsAndLinksOfRelationsHaveTheirNotation() {
        let counted = DataQuery().count().filter(loans.property(withName: "Open").equal(true))
        #expect(
            text(DataQuery().from(tools).expand(property("Loans"), withQuery: counted))
                == "Tools?$expand=Loans/$count($filter=Open eq true)")
        let links = DataQuery()
        links.referencesOnly = true
        #expect(
            text(DataQuery().from(tools).expand(property("Loans"), withQuery: links))
                == "Tools?$expand=Loans/$ref")
        #expect(
            text(
                DataQuery().from(tools).filter(
                    property("Loans").count(loans.property(withName: "Open").equal(true))
                        .greaterThan(2)))
                == "Tools?$filter=Loans/$count($filter=Open eq true) gt 2")
    }

    @Test func outerInstancesAndAliasesAreNamed() {
        let loan = DataPath.lambda("l")
        let outer = DataPath.lambda("$it").path(property("Id"))
        let match = loan.path(loans.property(withName: "ToolId")).equal(outer)
        let query = DataQuery().from(tools).filter(property("Loans").any(loan, match))
            .filter(property("Id").equal(QueryAlias(name: "id"))).alias("id", IntValue.of(7))
        #expect(
            text(query)
                == "Tools?$filter=Loans/any(l:l/ToolId eq $it/Id) and Id eq @id&@id=7")
        #expect(query.aliasValues?.get("id") == IntValue.of(7))
    }

    @Test func castsListsAndPatternsAreFilters() throws {
        let power = document.entityType(withName: "Ns.PowerTool")
        let watts = DataPath([.cast(power)]).path(power.property(withName: "Watts"))
        let query = DataQuery().from(tools).filter(watts.greaterThan(100))
            .filter(property("Id").isIn(IntValue.of(1), IntValue.of(2)))
            .filter(property("Title").matchesPattern("^S"))
        #expect(
            text(query) == "Tools?$filter=Ns.PowerTool/Watts gt 100 and Id in (1,2)"
                + " and matchesPattern(Title,'%5ES')")
    }

    @Test(arguments: [
        "Tools?$filter=Price gt 10&$orderby=Title desc&$top=2&$count=true",
        "Tools(7)/Size/Height", "Tools/$count?$search=saw", "Tools(7)/Loans?$expand=Member",
        "Tools?$filter=T gt 5&$apply=groupby((Title),aggregate(Price with sum as T))",
        "Tools(7)/Ns.Reserve", "Best(limit=5)?$top=1", "Tools?$filter=Id eq @a&x=y&@a=1",
        "Tools/Ns.PowerTool?$select=Watts", "Loans(ToolId=7,Day=2031-05-01)",
    ])
    func textsAreReadAndWrittenAgain(_ text: String) throws {
        let context = DataContext(csdl: document)
        let parts = text.split(separator: "?", maxSplits: 1).map(String.init)
        let query = try QueryParser(context: context).parse(
            requestPath: parts[0], queryString: parts.count > 1 ? parts[1] : nil)
        let written = QueryFormatter.format(query: query, context: context)
        #expect(written.replacing("%20", with: " ") == text)
        #expect(query.requestPath == parts[0])
    }

    @Test func wrongTextsAreErrorsOfTheAPI() {
        let parser = QueryParser(context: DataContext(csdl: document))
        #expect(
            failure { try parser.parse(requestPath: "Nothing") }
                == Failure(DataQueryError.self, .unknownName, at: "Nothing"))
        #expect(
            failure {
                try parser.parse(requestPath: "Tools", queryString: "$filter=Price gt")
            } == Failure(DataQueryError.self, .invalidQuery, at: "offset 22"))
    }

    @Test func functionsAndOperatorsHaveCodes() {
        #expect(QueryFunction.forCode(QueryFunctionCode.contains)?.name == "contains")
        #expect(QueryFunction.forCode(QueryFunctionCode.geoLength)?.name == "geo.length")
        #expect(QueryFunction.forCode(QueryFunctionCode.isDefined)?.name == "isdefined")
        #expect(QueryFunction.functionMap.get("matchesPattern")?.minArity == 2)
        #expect(QueryOperator.operatorMap.get("eq")?.code == QueryOperatorCode.equal)
    }

    @Test func resultsAreReadOneByOne() throws {
        let list = EntityValueList.fromArray([EntityValue.ofType(tool), EntityValue.ofType(tool)])
        list.deltaLink = "Tools?$deltatoken=1"
        list.changedLinks = [
            ChangedLink(source: list[0], sourceProperty: property("Owner"), target: list[1])
        ]
        let result = QueryResult(query: DataQuery(), result: list)
        let stream = try result.entityStream()
        var count = 0
        while try stream.hasNext() {
            #expect(try stream.next() === list[count])
            count += 1
        }
        #expect(count == 2)
        #expect(stream.deltaLink == "Tools?$deltatoken=1")
        #expect(
            failure { try stream.next() }
                == Failure(
                    DataStreamError.self, .stream,
                    "Expected another entity; the stream is at its end."))
        let delta = try result.deltaStream()
        var kinds: [Bool] = []
        while try delta.next() { kinds.append(delta.hasLink()) }
        #expect(kinds == [false, false, true])
        #expect(
            failure { try delta.entity() }
                == Failure(
                    DataStreamError.self, .stream, "Expected the stream to stand on an entity."))
    }
}
