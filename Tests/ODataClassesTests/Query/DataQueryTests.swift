import ModelFixture
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import Testing

/// What the fluent methods build, as URL text.
@Suite struct DataQueryTests {
    let document: CSDLDocument
    let tools: EntitySet
    let tool: EntityType

    init() throws {
        document = CSDLDocument(graph: try ToolModel.graph())
        tools = try #require(document.entitySet(named: "Tools"))
        tool = tools.entityType
    }

    private func property(_ name: String) -> Property { tool.property(withName: name) }

    private func text(_ query: DataQuery) -> String {
        query.toString().replacing("%20", with: " ")
    }

    @Test func aSetAloneIsItsName() {
        #expect(text(DataQuery().from(tools)) == "Tools")
        #expect(text(DataQuery().fromDefault(tools).fromDefault(EntitySet.undefined)) == "Tools")
    }

    @Test func optionsComeTogether() {
        let query = DataQuery().from(tools).select(property("Title"), property("Price"))
            .filter(property("Price").greaterEqual(10)).orderBy(property("Title"), .descending)
            .thenBy(property("Id")).skip(5).top(2).inlineCount().custom("sap-client", "100")
        #expect(
            text(query) == "Tools?$filter=Price ge 10&$orderby=Title desc,Id&$skip=5&$top=2"
                + "&$count=true&$select=Title,Price&sap-client=100")
    }

    @Test func keysAreWrittenByTheirType() {
        let key = EntityKey().with(name: "Id", value: IntValue(7))
        #expect(text(DataQuery().from(tools).withKey(key)) == "Tools(7)")
    }

    @Test func filtersAreJoinedByAnd() {
        let query = DataQuery().from(tools).filter(property("Title").equal("a"))
            .filter(property("Id").equal(1).or(property("Id").equal(2)))
        #expect(text(query) == "Tools?$filter=Title eq 'a' and (Id eq 1 or Id eq 2)")
    }

    @Test func expansionNestsAlongThePath() throws {
        let loans = try #require(document.entitySet(named: "Loans")).entityType
        let path = property("Loans").path(loans.property(withName: "Member"))
        #expect(
            text(DataQuery().from(tools).expand(path)) == "Tools?$expand=Loans($expand=Member)")
        let inner = DataQuery().filter(loans.property(withName: "Open").equal(true)).top(3)
        #expect(
            text(DataQuery().from(tools).expand(property("Loans"), withQuery: inner))
                == "Tools?$expand=Loans($filter=Open eq true;$top=3)")
    }

    @Test func countAndCollectionTestsHaveTheirNotation() {
        #expect(text(DataQuery().from(tools).count()) == "Tools/$count")
        let tag = DataPath.lambda("t")
        let query = DataQuery().from(tools).filter(property("Tags").any(tag, tag.equal("x")))
        #expect(text(query) == "Tools?$filter=Tags/any(t:t eq 'x')")
    }

    @Test func functionsAndOperatorsReadAsTheyAreWritten() {
        let title = property("Title")
        let price = property("Price")
        let filter: QueryFilter = title == "a" && !(price * 2 > 5) || title.toLower().contains("x")
        #expect(
            filter.toString()
                == "Title eq 'a' and not (Price mul 2 gt 5) or contains(tolower(Title),'x')")
        #expect(title.indexOf("s").equal(0).toString() == "indexof(Title,'s') eq 0")
        #expect(title.isNull().not().toString() == "not (Title eq null)")
        #expect(
            QueryFunction.startsWith(title, StringValue("a")).toString() == "startswith(Title,'a')")
        #expect(title.length().greaterThan(3).toString() == "length(Title) gt 3")
    }

    @Test func twoPropertiesStillCompareAsValues() {
        let isSame = property("Title") == property("Title")
        #expect(isSame)
        let filter: QueryFilter = property("Title") == property("Price")
        #expect(filter.toString() == "Title eq Price")
    }

    @Test func whatWasSetCanBeRead() {
        let query = DataQuery().from(tools).filter(property("Id") == 1).orderBy(property("Title"))
        #expect(query.entitySet === tools)
        #expect(query.queryFilter?.toString() == "Id eq 1")
        #expect(query.sortItems.length == 1)
        #expect(query.sortItems[0].order == SortOrder.ascending)
        query.queryFilter = nil
        #expect(query.toString() == "Tools?$orderby=Title")
        #expect(DataQuery.newIfNull(query: query) === query)
    }

    @Test func aGivenURLIsUsedAsItIs() throws {
        let query = DataQuery().from(tools)
        query.url = "Tools?$filter=Id eq 1"
        #expect(query.toString() == "Tools?$filter=Id eq 1")
        #expect(try query.checkedQuery().filter != nil)
    }

    @Test func aCopySharesNothing() {
        let query = DataQuery().from(tools).top(1)
        let copy = query.copy().top(2)
        #expect(query.toString() == "Tools?$top=1")
        #expect(copy.toString() == "Tools?$top=2")
    }

    @Test func v2WritesTheSameQueryInItsOwnNotation() throws {
        var graph = try ToolModel.graph()
        graph.version = .v2
        let document = CSDLDocument(graph: graph)
        let tools = try #require(document.entitySet(named: "Tools"))
        let price = tools.entityType.property(withName: "Price")
        let title = tools.entityType.property(withName: "Title")
        let query = DataQuery().from(tools).filter(price.greaterThan(10).and(title.contains("x")))
            .inlineCount()
        #expect(
            text(query)
                == "Tools?$filter=Price gt 10M and substringof('x',Title)&$inlinecount=allpages")
    }

    @Test func filtersAreTreesOfCalls() throws {
        let tree = try #require(property("Id").equal(1).value as? QueryOperatorCall)
        #expect(tree.queryOperator === QueryOperator.equal)
        #expect(tree.callArguments.length == 2)
        let call = try #require(property("Title").startsWith("a").value as? QueryFunctionCall)
        #expect(call.queryFunction.name == "startswith")
        #expect(call.queryFunction.code == QueryFunction.forName("startswith")?.code)
    }
}
