import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataText
import Synchronization
import Testing

/// Who is asking: credentials, cookies and tokens, and where they must not go.
@Suite struct OnlineSessionTests {
    private func items(_ provider: OnlineODataProvider) throws -> EntitySet {
        try provider.loadMetadata()
        return provider.metadata.entitySet(withName: "Items")
    }

    private func item(_ provider: OnlineODataProvider, _ id: Int) throws -> EntityValue {
        let set = try items(provider)
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: id)
        return entity
    }

    @Test func aRefusedTokenIsRenewedOnceAndTheRequestRepeated() throws {
        let script = ScriptedService { request in
            request.headers["Authorization"] == "Bearer t2"
                ? .json(#"{"value":[]}"#) : ResponseMessage(status: 401)
        }
        let renewals = Mutex(0)
        let provider = script.makeProvider(OnlineWireTests.v4)
        provider.login = LoginCredentials.bearer(token: "t1") {
            renewals.withLock { $0 += 1 }
            return "t2"
        }
        let query = DataQuery().from(try items(provider))
        _ = try provider.executeQuery(query)
        try provider.deleteEntity(item(provider, 1))
        let sent = script.requests.map { $0.headers["Authorization"] ?? "" }
        #expect(sent == ["Bearer t1", "Bearer t2", "Bearer t2"])
        #expect(renewals.withLock { $0 } == 1)
    }

    @Test func credentialsThatStayRefusedAreAnErrorAfterOneRepetition() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 401) }
        let provider = script.makeProvider(OnlineWireTests.v4)
        provider.login = LoginCredentials.custom(authorization: "Key a") { "Key b" }
        let error = #expect(throws: DataServiceError.self) {
            try provider.deleteEntity(item(provider, 1))
        }
        #expect(error?.code == .service)
        #expect(error?.place?.path == "/s/Items")
        #expect(error?.status == 401)
        #expect(script.requests.map { $0.headers["Authorization"] } == ["Key a", "Key b"])
    }

    @Test func anotherHostGetsNeitherCredentialsNorCookiesNorHeaders() throws {
        let script = ScriptedService { request in
            .json(
                #"{"value":[]}"#, status: 200,
                [
                    "Set-Cookie": request.url.hasPrefix("http://h/")
                        ? "sid=1; Path=/" : "sid=evil"
                ])
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        provider.login = LoginCredentials.basic(username: "u", password: "p")
        provider.httpHeaders.setHeader(withName: "X-Api-Key", value: "7")
        provider.httpCookies["own"] = "2"
        let query = DataQuery().from(try items(provider))
        _ = try provider.executeQuery(query)
        // Of its own an app may ask whom it likes.
        query.url = "http://other/s/Items?$skip=1"
        _ = try provider.executeQuery(query)
        let other = try #require(script.requests.last)
        #expect(other.line == "GET http://other/s/Items?$skip=1")
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            #expect(other.headers[name] == nil, "\(name)")
        }
        #expect(script.requests[0].headers["Cookie"] == "own=2")
        try provider.deleteEntity(item(provider, 1))
        #expect(script.requests.last?.headers["Cookie"] == "own=2; sid=1")
    }

    /// A gateway lets the name of the host behind it through: the path tells that the link is the service's own.
    @Test func linksOfAnotherNameOfTheServiceAreFollowedOnItsRoot() throws {
        let script = ScriptedService { request in
            request.url.contains("?")
                ? .json(
                    #"{"value":[{"Id":2}],"@odata.deltaLink":"http://inner:8080/s/Items?$deltatoken=1"}"#
                )
                : .json(
                    #"{"value":[{"Id":1}],"@odata.nextLink":"http://inner:8080/s/Items?$skip=1"}"#)
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        let query = DataQuery().from(try items(provider))
        let result = try provider.executeQuery(query)
        #expect(try result.entityList().length == 2)
        #expect(result.deltaLink() == "Items?$deltatoken=1")
        query.url = result.deltaLink()
        _ = try provider.executeQuery(query)
        #expect(
            script.requests.map(\.line) == [
                "GET http://h/s/Items", "GET http://h/s/Items?$skip=1",
                "GET http://h/s/Items?$deltatoken=1",
            ])
    }

    @Test(arguments: ["http://internal.invalid/other/Items?$skip=1", "//internal.invalid/Items"])
    func linksThatLeadElsewhereAreRefusedByName(link: String) throws {
        let script = ScriptedService { _ in
            .json("{\"value\":[],\"@odata.nextLink\":\"\(link)\"}")
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        let query = DataQuery().from(try items(provider))
        let error = #expect(throws: (any Error).self) { try provider.executeQuery(query) }
        #expect((error as? ErrorBase)?.message?.contains("leads to internal.invalid") == true)
        #expect(script.requests.map(\.line) == ["GET http://h/s/Items"])
    }

    @Test func aSessionThatEndedGetsANewTokenBesideItsNewCookie() throws {
        let session = Mutex(1)
        let script = ScriptedService { request in
            let number = session.withLock { $0 }
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return ResponseMessage(
                    status: 200,
                    headers: ["X-CSRF-Token": "t\(number)", "Set-Cookie": "sid=\(number)"])
            }
            let isKnown =
                request.headers["X-CSRF-Token"] == "t\(number)"
                && request.headers["Cookie"] == "sid=\(number)"
            return isKnown
                ? ResponseMessage(status: 204)
                : ResponseMessage(status: 403, headers: ["X-CSRF-Token": "Required"])
        }
        let provider = script.makeProvider(OnlineWireTests.v2)
        try provider.deleteEntity(item(provider, 1))
        session.withLock { $0 = 2 }
        try provider.deleteEntity(item(provider, 2))
        #expect(
            script.requests.map(\.method) == [
                "DELETE", "GET", "DELETE", "DELETE", "GET", "DELETE",
            ])
        provider.serviceOptions.requiresToken = nil
        session.withLock { $0 = 3 }
        #expect(
            failure { try provider.deleteEntity(item(provider, 3)) }
                == Failure(DataServiceError.self, .service, at: "h/s/Items", status: 403))
        #expect(script.requests.count == 7)
    }

    @Test func retriesWaitAsTheServiceSaysAndConcernReadsOnly() throws {
        let count = Mutex(0)
        let script = ScriptedService { request in
            let isFirst = count.withLock {
                $0 += 1
                return $0 == 1
            }
            let busy = ResponseMessage(
                status: 503, headers: ["Retry-After": "Thu, 01 Jan 2015 00:00:00 GMT"])
            if request.method != "GET" { return busy }
            return isFirst ? busy : .json(#"{"value":[]}"#)
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        let query = DataQuery().from(try items(provider))
        _ = try provider.executeQuery(query)
        #expect(script.requests.count == 2)
        #expect(
            failure { try provider.deleteEntity(item(provider, 1)) }
                == Failure(DataServiceError.self, .service, at: "h/s/Items", status: 503))
        #expect(script.requests.count == 3)
    }

    /// Answers without a network.
    private final class Echo: HTTPHandler, @unchecked Sendable {
        let seen = Mutex<[String]>([])

        override func send(_ request: HTTPHandler.Request) throws -> HTTPHandler.Response {
            let body = try request.content?.readAndClose() ?? Data()
            let text = String(decoding: body, as: UTF8.self)
            seen.withLock { $0.append("\(request.method) \(request.url) \(text)") }
            let headers = HTTPHeaders()
            headers.setHeader(withName: "Content-Type", value: "application/json")
            return HTTPHandler.Response(
                status: request.method == "POST" ? 201 : 200, headers: headers,
                content: ByteStream.fromBinary(data: Data(#"{"Id":4,"Name":"n"}"#.utf8)))
        }
    }

    @Test func aHandlerOfTheAppSendsInPlaceOfTheLibrary() throws {
        let echo = Echo()
        let provider = OnlineODataProvider(
            serviceName: "Script", serviceRoot: "http://nowhere.invalid/s", httpHandler: echo)
        provider.serviceOptions.metadataText = OnlineWireTests.v4.replacing(
            #" HasStream="true""#, with: "")
        let entity = try item(provider, 4)
        try provider.createEntity(entity)
        #expect(entity.entityType.property(withName: "Name").stringValue(from: entity) == "n")
        #expect(echo.seen.withLock { $0 } == [#"POST http://nowhere.invalid/s/Items {"Id":4}"#])
        #expect(provider.networkOptions.httpHandler === echo)
    }
}
