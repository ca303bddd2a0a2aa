import Foundation
import ODataServer
import ODataTesting
import SAPOData
import Testing

/// A session that asks the system's own to send.
@Suite struct SystemSessionTests {
    @Test func aProviderReadsAndWritesThroughTheSessionOfTheSystem() async throws {
        let service = try TestService(
            schema: """
                CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT NOT NULL);
                INSERT INTO Notes VALUES (1, 'Bring the ladder');
                """)
        defer { service.close() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Extra": "2"]
        let online = OnlineODataProvider(
            serviceName: "Notes", serviceRoot: service.url,
            sapURLSession: SAPURLSession(systemSession: configuration))
        let app = DataService(provider: online)
        try await app.loadMetadata()
        let notes = app.entitySet(withName: "Notes")
        let text = notes.entityType.property(withName: "Text")
        let note = EntityValue.ofType(notes.entityType)
        text.setStringValue(in: note, to: "Call Mia")
        try await app.createEntity(note)
        let found = try await app.executeQuery(DataQuery().from(notes).orderBy(text)).entityList()
        #expect(
            found.toArray().map { text.stringValue(from: $0) } == ["Bring the ladder", "Call Mia"])
        #expect(try service.text("SELECT count(*) FROM Notes WHERE Text = 'Call Mia'") == "1")
        #expect(
            service.requests.contains {
                $0.method == "POST"
                    && $0.headers.contains { $0.name == "X-Extra" && $0.value == "2" }
            })
    }
}
