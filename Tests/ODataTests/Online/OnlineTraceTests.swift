import OData
import ODataModel
import ODataQuery
import SAPCommon
import Synchronization
import Testing

/// Keeps what is logged.
private final class Notes: LogHandler {
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
}
