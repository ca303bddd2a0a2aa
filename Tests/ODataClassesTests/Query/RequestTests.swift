import APIErrorFixture
import ErrorFixture
import ModelFixture
import ODataClasses
import ODataModel
import ODataQuery
import Synchronization
import Testing

@Suite struct RequestTests {
    @Test func headersAreComparedWithoutCase() {
        let headers = HTTPHeaders()
        headers.setHeader(withName: "If-Match", value: "*")
        #expect(headers.header(withName: "if-match") == "*")
        #expect(headers.hasHeader("IF-MATCH"))
        headers.setHeader(withName: "IF-match", value: "W/\"1\"")
        #expect(headers.size == 1)
        #expect(headers.delete("if-Match"))
        #expect(headers.toString() == "{}")
        #expect(HTTPHeaders.emptyIfNull(headers: headers) === headers)
    }

    @Test func emptyHeadersAreNotShared() {
        HTTPHeaders.empty.setHeader(withName: "A", value: "1")
        #expect(HTTPHeaders.empty.size == 0)
    }

    @Test func optionsHaveTheirDefaults() {
        func take(_ options: RequestOptions = .none) -> RequestOptions { options }
        let options = take()
        #expect(options.updateMode == UpdateMode.merge)
        #expect(options.canCombineRequests)
        #expect(!options.repeatable)
        #expect(RequestOptions.noneIfNull(options: options) === options)
        let service = ServiceOptions()
        #expect(service.checkVersion && service.supportsPatch && service.createReturnsContent)
        #expect(service.requiresToken == "X-CSRF-Token")
        #expect(service.pingMethod == "HEAD")
        let network = NetworkOptions()
        network.tunneledMethods.append("MERGE")
        #expect(network.tunneledMethods.length == 1)
    }

    @Test func cancellingReachesEachListenerOnce() {
        let token = CancelToken()
        let calls = Mutex(0)
        token.onCancel { calls.withLock { $0 += 1 } }
        let number = token.onCancel { calls.withLock { $0 += 10 } }
        token.removeListener(number)
        token.cancel()
        token.cancel()
        #expect(token.isCancelled)
        #expect(calls.withLock { $0 } == 1)
        token.onCancel { calls.withLock { $0 += 100 } }
        #expect(calls.withLock { $0 } == 101)
        #expect(RequestOptions().cancelable(token).cancelToken === token)
    }

    @Test func changeSetsKeepTheirOrder() throws {
        let document = CSDLDocument(graph: try ToolModel.graph())
        let tools = try #require(document.entitySet(named: "Tools"))
        let entity = EntityValue.ofType(tools.entityType).inSet(tools)
        let changes = ChangeSet()
        changes.createEntity(entity)
        changes.deleteLink(from: entity, property: tools.entityType.property(withName: "Owner"))
        #expect(changes.size == 2)
        #expect(changes.isEntity(0) && changes.entity(0) === entity)
        #expect(changes.isLink(1))
        let batch = RequestBatch()
        let query = DataQuery().from(tools)
        batch.addChanges(changes)
        batch.addQuery(query)
        #expect(batch.isChangeSet(0) && batch.isDataQuery(1))
        #expect(
            failure { try batch.queryResult(for: query) }
                == Failure(
                    QueryResultError.self, .unexpectedResult,
                    "Expected an answered query of this batch."))
        batch.members[1].result = QueryResult(query: query, result: EntityValueList())
        #expect(try batch.queryResult(for: query).entityList().length == 0)
    }

    @Test func resultsSayWhenTheirShapeIsAnother() throws {
        let query = DataQuery()
        let list = QueryResult(query: query, result: EntityValueList())
        #expect(try list.entityList().isEmpty)
        #expect(try list.optionalEntity() == nil)
        #expect(
            failure { try list.requiredEntity() }
                == Failure(
                    QueryResultError.self, .unexpectedResult, "Expected an entity, found none."))
        #expect(
            failure { try list.optionalBasic() }
                == Failure(
                    QueryResultError.self, .unexpectedResult,
                    "Expected a primitive value, found EntityValueList."))
        let number = QueryResult(query: query, result: LongValue(42))
        #expect(try number.count() == 42)
        #expect(
            failure { try number.entityList() }
                == Failure(
                    QueryResultError.self, .unexpectedResult,
                    "Expected a list of entities, found LongValue."))
        let failed = QueryResult(
            query: query, result: nil, status: 500, error: DataServiceError.withStatus(500))
        #expect(
            failure { try failed.checkedResult() }
                == Failure(
                    DataServiceError.self, .service, "500 Internal Server Error", status: 500))
    }

    @Test func listsAnswerQueriesInMemory() throws {
        let document = CSDLDocument(graph: try ToolModel.graph())
        let tools = try #require(document.entitySet(named: "Tools"))
        let type = tools.entityType
        let title = type.property(withName: "Title")
        let list = EntityValueList()
        for name in ["b", "a", "c"] {
            let entity = EntityValue.ofType(type)
            title.setStringValue(in: entity, to: name)
            list.append(entity)
        }
        let query = DataQuery().from(tools).filter(title.notEqual("c")).orderBy(title)
        let result = try list.filterAndSort(query)
        #expect(result.map { title.stringValue(from: $0) } == ["a", "b"])
        #expect(result[0] === list[1])
    }
}
