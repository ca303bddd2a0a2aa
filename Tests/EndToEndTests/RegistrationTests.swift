import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// The identity of a client over processes.
@Suite struct RegistrationTests {
    // REG-008
    @Test func theNextProcessNamesTheSameClient() async throws {
        try await onOwnThread {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("odata-clients-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("service.db").path
            let queue = try DatabaseQueue(path: path)
            try queue.write {
                try $0.execute(
                    sql: """
                        CREATE TABLE Items (Id INTEGER PRIMARY KEY, Name TEXT);
                        INSERT INTO Items VALUES (1, 'a');
                        CREATE TABLE ClientRegistrationSet (
                            ClientID INTEGER NOT NULL PRIMARY KEY, ClientGUID UUID NOT NULL);
                        """)
            }
            let service = try ODataService(ServiceConfiguration(databasePath: path))
            try service.start()
            defer { try? service.close() }
            let child = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("KillChild").path
            for start in 1...2 {
                service.observer.forget()
                let result = try Child.run(child, ["register", folder.path, service.url ?? ""])
                #expect(result.status == 0, "\(result.errors)")
                let clients = try queue.read {
                    try String.fetchAll($0, sql: "SELECT ClientGUID FROM ClientRegistrationSet")
                }
                #expect(clients.count == 1)
                let reads = service.observer.requests.filter {
                    !$0.isInBatch && ($0.url.contains("Items") || $0.url.contains("$batch"))
                }
                #expect(!reads.isEmpty)
                #expect(
                    reads.allSatisfy { $0.headers["Client-Instance-ID"] == clients.first },
                    "start \(start)")
            }
            try queue.close()
        }
    }
}
