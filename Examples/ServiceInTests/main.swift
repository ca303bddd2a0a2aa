import Foundation
import ODataServer
import ODataTesting
import SAPOData

// A service over a database of its own, in this process: what a test of an app does.
let service = try TestService(
    schema: """
        CREATE TABLE Notes (Id INTEGER PRIMARY KEY, Text TEXT NOT NULL);
        INSERT INTO Notes VALUES (1, 'Bring the ladder');
        """)
defer { service.close() }

// The code under test: an app with a local store.
let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("service-in-tests-" + UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let app = OfflineDataService(
    provider: CloudSyncProvider(
        onlineProvider: OnlineODataProvider(
            serviceName: "Notes", serviceRoot: service.url.absoluteString),
        offlineStore: SQLDatabaseProvider(
            serviceName: "Notes", databaseURL: "sqlite:\(folder.path)/store.db")))
try app.open()
try app.download()
let notes = app.entitySet(withName: "Notes")
let text = notes.entityType.property(withName: "Text")
let note = EntityValue.ofType(notes.entityType)
text.setStringValue(in: note, to: "Call Mia")
try app.createEntity(note)

// The first write takes effect, and its answer never arrives.
try service.play(FaultScript("lose-answer write"))
try? app.upload()
service.play(nil)
try app.upload()

// What the service saw, and what it holds: two sendings, one effect.
let writes = service.requests.filter { $0.method == "POST" && !$0.isInBatch }
print("sent \(writes.count) times")
let count = try service.text("SELECT count(*) FROM Notes WHERE Text = 'Call Mia'") ?? "no"
print("made \(count) times")
