import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPCommon
import Synchronization
import Testing

/// Keeps what is logged.
private final class Notes: LogHandler, Sendable {
    private let texts = Mutex<[String]>([])

    func handle(_ entry: LogEntry) { texts.withLock { $0.append(entry.message) } }

    var all: [String] { texts.withLock { $0 } }
}

/// One after the other, because they share a logger.
@Suite(.serialized) struct OnlineTraceTests {
    private func traced(_ configure: (OnlineODataProvider) -> Void) throws -> [String] {
        let script = ScriptedService { _ in
            .json(#"{"value":[{"Id":1,"Name":"secret"}]}"#)
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        provider.login = LoginCredentials.basic(username: "u", password: "p")
        configure(provider)
        let notes = Notes()
        provider.logger.logLevel = .info
        provider.logger.useParentHandlers = false
        provider.logger.add(handler: notes)
        defer { provider.logger.remove(handler: notes) }
        try provider.loadMetadata()
        _ = try provider.executeQuery(
            DataQuery().from(provider.metadata.entitySet(withName: "Items")))
        // Providers of other tests write to the same logger.
        return notes.all.filter { $0.contains("http://h/s/Items") || $0.contains("secret") }
    }

    @Test func nothingIsLoggedUnlessAskedFor() throws {
        #expect(try traced { _ in }.isEmpty)
    }

    @Test func requestsAreLoggedWithoutDataAndWithoutCredentials() throws {
        let notes = try traced { $0.traceRequests = true }
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("GET http://h/s/Items: 200 in ") == true)
        #expect(!notes.joined().contains("secret") && !notes.joined().contains("dTpw"))
    }

    @Test func dataIsLoggedWhereAskedForAndLaidOut() throws {
        let notes = try traced {
            $0.traceRequests = true
            $0.traceWithData = true
            $0.prettyTracing = true
        }
        #expect(notes.last?.contains("      \"Name\": \"secret\"\n") == true)
        #expect(!notes.joined().contains("dTpw"))
    }

    @Test(arguments: [false, true])
    func aV2ServiceOverASocketIsTracedWithoutSecrets(showsData: Bool) async throws {
        let answer: LoopbackService.Answer = { request, _ in
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return .status(200, ["X-CSRF-Token": "token-1", "Set-Cookie": "sid=cookie-1"])
            }
            if request.method == "GET" {
                return .v2(#"{"d":{"results":[{"Id":7,"Name":"private"}]}}"#)
            }
            return request.headers["X-CSRF-Token"] == "token-1"
                ? .status(204) : .status(403, ["X-CSRF-Token": "Required"])
        }
        try await LoopbackService.run(answer) { service, provider in
            provider.login = LoginCredentials.bearer(token: "bearer-1")
            provider.traceRequests = true
            provider.traceWithData = showsData
            let notes = Notes()
            provider.logger.logLevel = .info
            provider.logger.useParentHandlers = false
            provider.logger.add(handler: notes)
            defer { provider.logger.remove(handler: notes) }
            try provider.loadMetadata()
            let orders = provider.metadata.entitySet(withName: "Orders")
            let name = orders.entityType.property(withName: "Name")
            let order = try provider.executeQuery(
                DataQuery().from(orders).filter(name.equal("private"))
            ).requiredEntity()
            name.setStringValue(in: order, to: "changed")
            try provider.updateEntity(order)
            let own = notes.all.filter {
                $0.contains(service.root) || $0.contains("private") || $0.contains("changed")
            }
            let all = own.joined(separator: "\n")
            #expect(all.contains("GET \(service.root)/Orders?"))
            #expect(all.contains("MERGE \(service.root)/Orders(7): 204 in "))
            for secret in ["token-1", "cookie-1", "bearer-1"] {
                #expect(!all.contains(secret), "\(secret)")
            }
            for data in ["private", "changed"] {
                #expect(all.contains(data) == showsData, "\(data)")
            }
        }
    }
}
