import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Synchronization
import Testing

/// A V2 service over a real connection: where requests go, how often, and who may know what is in them.
@Suite struct OnlineV2SocketTests: EntityMaking {
    private static let orders = #"{"d":{"results":[{"Id":7,"Name":"a"}]}}"#

    private func orders(_ provider: OnlineODataProvider) throws -> DataQuery {
        DataQuery().from(try set(provider, "Orders"))
    }

    private func rename(_ provider: OnlineODataProvider, _ order: EntityValue) throws {
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "b")
        try provider.updateEntity(order)
    }

    // MARK: Redirects

    @Test func readsFollowRedirectsAndWritesNoneThatChangeTheirMethod() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            if request.method != "GET" { return .status(302, ["Location": "/moved/Orders"]) }
            return request.url.hasPrefix("/s/")
                ? .status(307, ["Location": "/moved/Orders"]) : .v2(Self.orders)
        }
        try await LoopbackService.run(answer) { service, provider in
            provider.login = LoginCredentials.basic(username: "u", password: "p")
            let found = try provider.executeQuery(orders(provider)).entityList()
            #expect(found.length == 1)
            #expect(service.requests.map(\.line) == ["GET /s/Orders", "GET /moved/Orders"])
            #expect(service.requests[1].headers["Authorization"] == "Basic dTpw")
            #expect(service.requests[1].headers["MaxDataServiceVersion"] == "2.0")
            let error = #expect(throws: DataServiceError.self) {
                try provider.createEntity(entity(provider, "Orders", 9, isNew: true))
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/s/Orders")
            #expect(error?.status == 302)
            #expect(service.requests.count == 3)
        }
    }

    @Test func anotherHostIsToldNothing() async throws {
        let other = try LoopbackService { _, _ in .v2(Self.orders) }
        let target = other.host + "/x/Orders"
        let answer: LoopbackService.Answer = { _, _ in
            .status(302, ["Location": target, "Set-Cookie": "sid=1; Path=/"])
        }
        try await LoopbackService.run(answer) { service, provider in
            provider.login = LoginCredentials.bearer(token: "t")
            provider.httpCookies["own"] = "2"
            let found = try provider.executeQuery(orders(provider)).entityList()
            #expect(found.length == 1)
            #expect(service.requests[0].headers["Authorization"] == "Bearer t")
            #expect(other.requests.map(\.line) == ["GET /x/Orders"])
            for name in ["Authorization", "Cookie"] {
                #expect(other.requests[0].headers[name] == nil, "\(name)")
            }
        }
    }

    @Test func redirectsInACircleEnd() async throws {
        let answer: LoopbackService.Answer = { _, _ in .status(301, ["Location": "/s/Orders"]) }
        try await LoopbackService.run(answer) { service, provider in
            #expect(
                failure { try provider.executeQuery(orders(provider)) }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/s/Orders"))
            #expect(service.requests.count < 20)
        }
    }

    // MARK: Media

    private static let photo: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test func aDownloadGoesOnWhereTheConnectionBroke() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            guard let range = request.headers["Range"] else {
                return .cut(
                    ResponseMessage(
                        status: 200, headers: ["ETag": "\"m1\"", "Content-Type": "image/png"],
                        body: Self.photo))
            }
            let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            return .answer(
                ResponseMessage(
                    status: 206,
                    headers: [
                        "ETag": "\"m1\"",
                        "Content-Range": "bytes \(start)-299999/300000",
                    ], body: Array(Self.photo[start...])))
        }
        try await LoopbackService.run(answer) { service, provider in
            let content = try provider.downloadMedia(entity: entity(provider, "Photos", 8))
            #expect(content.mediaType == "image/png")
            #expect(try content.readAndClose() == Data(Self.photo))
            #expect(service.lines == ["GET Photos(8)/$value", "GET Photos(8)/$value"])
            let second = service.requests[1].headers
            #expect(second["Range"]?.hasPrefix("bytes=") == true && second["Range"] != "bytes=0-")
            #expect(second["If-Range"] == "\"m1\"")
        }
    }

    @Test func aServiceWithoutRangesIsReadAgainAndTheBeginningSkipped() async throws {
        let answer: LoopbackService.Answer = { request, number in
            let whole = ResponseMessage(
                status: 200, headers: ["ETag": "W/\"m1\""], body: Self.photo)
            return number == 1 ? .cut(whole) : .answer(whole)
        }
        try await LoopbackService.run(answer) { service, provider in
            let content = try provider.downloadMedia(entity: entity(provider, "Photos", 8))
            #expect(try content.readAndClose() == Data(Self.photo))
            #expect(service.requests.count == 2)
            #expect(service.requests[1].headers["If-Range"] == nil)
        }
    }

    @Test func contentThatWasReplacedMeanwhileIsNotMixed() async throws {
        let answer: LoopbackService.Answer = { _, number in
            let whole = ResponseMessage(
                status: 200, headers: ["ETag": "\"m\(number)\""], body: Self.photo)
            return number == 1 ? .cut(whole) : .answer(whole)
        }
        try await LoopbackService.run(answer) { _, provider in
            let content = try provider.downloadMedia(entity: entity(provider, "Photos", 8))
            #expect(
                failure { try content.readAndClose() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/s/Photos/$value"))
        }
    }

    @Test func anUploadThatIsReadOnceAsksForItsTokenBefore() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return .status(200, ["X-CSRF-Token": "t1", "Set-Cookie": "sid=1"])
            }
            return request.headers["X-CSRF-Token"] == "t1" ? .status(204) : .status(403)
        }
        try await LoopbackService.run(answer) { service, provider in
            let parts = Mutex(4)
            let content = ByteStream(source: {
                parts.withLock { left -> [UInt8]? in
                    left -= 1
                    return left < 0 ? nil : Array(repeating: 7, count: 50_000)
                }
            })
            try provider.uploadMedia(entity: entity(provider, "Photos", 8), content: content)
            #expect(service.lines == ["GET /s/", "PUT Photos(8)/$value"])
            #expect(service.requests[1].body.count == 200_000)
        }
    }

    // MARK: Repetition

    @Test(arguments: [429, 503])
    func readsWaitAsTheServiceSaysOnce(status: Int) async throws {
        let answer: LoopbackService.Answer = { request, number in
            if request.url.contains("Items") || request.method != "GET" || number == 1 {
                return .status(status, ["Retry-After": "0"])
            }
            return .v2(Self.orders)
        }
        try await LoopbackService.run(answer) { service, provider in
            let found = try provider.executeQuery(orders(provider)).entityList()
            #expect(found.length == 1)
            #expect(service.requests.count == 2)
            // Once is all: the second refusal is the answer.
            let error = #expect(throws: DataServiceError.self) {
                try provider.executeQuery(DataQuery().from(try set(provider, "Items")))
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/s/Items")
            #expect(error?.status == status)
            #expect(service.requests.count == 4)
            #expect(
                failure { try rename(provider, entity(provider, "Orders", 7)) }
                    == Failure(
                        DataServiceError.self, .service, at: "127.0.0.1/s/Orders", status: status))
            #expect(service.requests.count == 5)
        }
    }

    @Test func aReadIsRepeatedWhenTheConnectionIsLostAndAWriteIsNot() async throws {
        let answer: LoopbackService.Answer = { request, number in
            request.method == "GET" && number > 1 ? .v2(Self.orders) : .hangUp
        }
        try await LoopbackService.run(answer) { service, provider in
            let found = try provider.executeQuery(orders(provider)).entityList()
            #expect(found.length == 1)
            #expect(service.requests.count == 2)
            #expect(
                failure {
                    try provider.createEntity(entity(provider, "Orders", 9, isNew: true))
                } == Failure(DataNetworkError.self, .network, at: "127.0.0.1/s/Orders"))
            #expect(service.requests.count == 3)
        }
    }

    // MARK: Sessions

    @Test func aTokenIsFetchedWhenRequiredAndAgainWhenItsSessionEnded() async throws {
        let session = Mutex(1)
        let answer: LoopbackService.Answer = { request, _ in
            let number = session.withLock { $0 }
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return .status(
                    200, ["X-CSRF-Token": "t\(number)", "Set-Cookie": "SID=\(number); HttpOnly"])
            }
            let isKnown =
                request.headers["X-CSRF-Token"] == "t\(number)"
                && request.headers["Cookie"] == "SID=\(number)"
            return isKnown ? .status(204) : .status(403, ["x-csrf-token": "Required"])
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            try rename(provider, order)
            try provider.deleteLink(
                from: order, property: order.entityType.property(withName: "Items"),
                to: entity(provider, "Items", 1))
            session.withLock { $0 = 2 }
            try provider.deleteEntity(order)
            #expect(
                service.lines == [
                    "MERGE Orders(7)", "GET /s/", "MERGE Orders(7)",
                    "DELETE Orders(7)/$links/Items(1)", "DELETE Orders(7)", "GET /s/",
                    "DELETE Orders(7)",
                ])
        }
    }

    @Test func refusedCredentialsAreRenewedOnce() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            switch request.headers["Authorization"] {
            case "Bearer t2": request.method == "GET" ? .v2(Self.orders) : .status(204)
            default: .status(401, ["WWW-Authenticate": "Bearer"])
            }
        }
        try await LoopbackService.run(answer) { service, provider in
            let renewals = Mutex(0)
            provider.login = LoginCredentials.bearer(token: "t1") {
                renewals.withLock { $0 += 1 }
                return "t2"
            }
            try rename(provider, entity(provider, "Orders", 7))
            _ = try provider.executeQuery(orders(provider))
            #expect(service.lines == ["MERGE Orders(7)", "MERGE Orders(7)", "GET Orders"])
            #expect(service.requests[1].text == #"{"Name":"b"}"#)
            #expect(renewals.withLock { $0 } == 1)
        }
    }

    @Test func credentialsThatStayRefusedAreAnError() async throws {
        let answer: LoopbackService.Answer = { _, _ in .status(401) }
        try await LoopbackService.run(answer) { service, provider in
            provider.login = LoginCredentials.bearer(token: "t1") { "t2" }
            let error = #expect(throws: DataServiceError.self) {
                try provider.executeQuery(orders(provider))
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/s/Orders")
            #expect(error?.status == 401)
            #expect(service.requests.count == 2)
        }
    }
}
