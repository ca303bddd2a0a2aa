import APIErrorFixture
import ErrorFixture
import ModelFixture
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Functions as objects: of services, computed in memory; and what a set selects by itself.
@Suite struct QueryFunctionTests {
    let document: CSDLDocument
    let tools: EntitySet

    init() throws {
        document = CSDLDocument(graph: try ToolModel.graph())
        tools = try #require(document.entitySet(named: "Tools"))
    }

    private func property(_ name: String) -> Property { tools.entityType.property(withName: name) }

    private func call(_ filter: QueryFilter) throws -> QueryFunctionCall {
        try #require(filter.value as? QueryFunctionCall)
    }

    @Test func aCallIsComputedFromTheValuesOfItsOperands() throws {
        let call = try call(property("Title").contains("w"))
        let compute = try #require(call.callEvaluator)
        func answer(_ operands: DataValue?...) throws -> DataValue? {
            try compute(DataValueListWithNulls.fromArray(operands))
        }
        #expect(try answer(StringValue.of("Saw"), StringValue.of("w")) == BooleanValue.of(true))
        #expect(try answer(StringValue.of("Axe"), StringValue.of("w")) == BooleanValue.of(false))
        #expect(try answer(nil, StringValue.of("w")) == nil)
        #expect(
            failure { try answer(StringValue.of("Saw")) }
                == Failure(DataQueryError.self, .invalidQuery, at: "contains"))
        #expect(
            failure { try answer(IntValue.of(1), IntValue.of(2)) }
                == Failure(DataQueryError.self, .invalidQuery, at: "contains"))
    }

    @Test func listsAreOperandsToo() throws {
        let filter = QueryFunction.hasSubset(property("Tags"), StringList.fromArray(["a"]))
        let compute = try #require(try call(filter).callEvaluator)
        let tags = StringList.fromArray(["b", "a"])
        #expect(
            try compute(DataValueListWithNulls.fromArray([tags, StringList.fromArray(["a"])]))
                == BooleanValue.of(true))
    }

    @Test func whatIsMoreThanItsOperandsIsNotComputed() throws {
        #expect(try call(QueryFunction.isDefined(property("Title"))).callEvaluator == nil)
        let own = QueryFilter.from(QueryFunction.custom("Own.f", property("Title")))
        #expect(try call(own).callEvaluator == nil)
    }

    @Test func functionsOfAServiceHaveTheirMethod() throws {
        let method = try #require(
            document.dataMethods.values().first { $0.isFunction && !$0.isImported })
        let function = QueryFunction.of(method)
        #expect(function.method === method && function.name == method.qualifiedName)
        #expect(function.minArity == method.parameters.length)
        #expect(function.maxArity == method.parameters.length)
        #expect(QueryFunction.forName("concat")?.method == nil)
        let query = DataQuery().from(tools).filter(
            QueryFilter.from(function.call(property("Title"))))
        let found = try call(try #require(query.queryFilter))
        #expect(found.queryFunction.method === method)
        let length = try #require(QueryFunction.forName("length"))
        #expect(length.call(property("Title")).toString() == "length(Title)")
    }

    @Test func aSetMaySelectForQueriesThatSelectNothing() {
        #expect(tools.defaultSelect.isEmpty)
        tools.defaultSelect = SelectItemList.fromArray([
            .of(property("Id")), .of(property("Title")),
        ])
        #expect(tools.defaultSelect.toArray().map { $0.toString() } == ["Id", "Title"])
        #expect(DataQuery().from(tools).toString() == "Tools?$select=Id,Title")
        #expect(
            DataQuery().from(tools).select(property("Price")).toString() == "Tools?$select=Price")
        #expect(!DataQuery().from(tools).selectAll().toString().contains("Title"))
        #expect(DataQuery().from(tools).count().toString() == "Tools/$count")
        let one = DataQuery().from(tools).withKey(EntityKey().with(name: "Id", value: IntValue(7)))
        #expect(one.toString() == "Tools(7)?$select=Id,Title")
        #expect(one.keyRead == nil)
        tools.defaultSelect = SelectItemList()
        #expect(one.keyRead != nil)
    }
}
