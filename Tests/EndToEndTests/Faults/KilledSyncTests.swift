import ChildFixture
import Foundation
import GRDB
import ODataCommand
import ODataQuery
import ODataServer
import ODataTesting
import ODataWire
import Synchronization
import Testing

/// `odata sync` is killed by SIGKILL in the middle of its reads, again and again; each run goes on, and the end is
/// what the service has.
@Suite struct KilledSyncTests {
    /// A service whose metadata names no referential constraints, so that all links come with `$expand`; it kills its
    /// client at a request.
    private final class Place: Sendable {
        let folder: TemporaryFolder
        let service: ODataService
        private let victim = Mutex<(process: pid_t, left: Int)>((0, .max))

        init() throws {
            folder = try TemporaryFolder("odata-killed")
            var configuration = ServiceConfiguration(
                databasePath: folder.file("service.sqlite"),
                sample: ServiceConfiguration.Sample(scale: 300))
            configuration.defaultPageSize = 4
            configuration.nestedPageSize = 1
            service = try ODataService(configuration)
            try service.start()
            let metadata = CSDLWriter.xml(service.graph)
                .replacing(#/<ReferentialConstraint [^>]*>/#, with: "")
            service.observer.setFaults { [self] request, _ in
                if request.url.hasSuffix("$metadata") {
                    return .answer(
                        ResponseMessage(
                            status: 200, headers: ["Content-Type": "application/xml"],
                            body: Array(metadata.utf8)))
                }
                return isDue() ? .loseRequest : nil
            }
        }

        var store: String { folder.file("store.sqlite") }

        func close() {
            try? service.close()
            folder.remove()
        }

        private func isDue() -> Bool {
            victim.withLock { victim in
                victim.left -= 1
                if victim.left == 0 { kill(victim.process, SIGKILL) }
                return victim.left <= 0
            }
        }

        /// Runs the command, killed at its n-th request; true when it came to its end.
        func sync(killedAt requests: Int) throws -> Bool {
            victim.withLock { $0 = (0, .max) }
            let process = try ChildProcess(
                Child.command,
                [
                    "sync", service.url ?? "", "--store", store, "--json",
                    "--query", "Tree=Sites?$expand=WorkOrders($expand=TimeEntries)",
                ])
            victim.withLock { $0 = (process.identifier, requests) }
            let end = try process.wait()
            victim.withLock { $0 = (0, .max) }
            return end == .exit(0)
        }

        func rows(_ path: String, _ sql: String) throws -> [String] {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { try String.fetchAll($0, sql: sql) }
        }

        func expectSame() throws {
            let link = """
                SELECT s.Id || '-' || w.Id FROM "_odata_link_Sites_WorkOrders" k
                JOIN Sites s ON s._odata_id = k.source JOIN WorkOrders w ON w._odata_id = k.target
                ORDER BY w.Id
                """
            #expect(
                try rows(store, link)
                    == rows(
                        folder.file("service.sqlite"),
                        "SELECT SiteId || '-' || Id FROM WorkOrders ORDER BY Id"))
            for set in ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"] {
                let count = "SELECT count(*) FROM \"\(set)\""
                #expect(
                    try rows(store, count) == rows(folder.file("service.sqlite"), count), "\(set)")
            }
            #expect(try rows(store, "SELECT query FROM _odata_resume").isEmpty)
            #expect(try rows(store, "SELECT query FROM _odata_stage").isEmpty)
            #expect(try rows(store, "PRAGMA integrity_check") == ["ok"])
        }
    }

    @Test func aKilledSyncGoesOnWhereItsLastPageEnded() async throws {
        try await onOwnThread {
            let place = try Place()
            defer { place.close() }
            var kills = 0
            let isSoak = ProcessInfo.processInfo.environment["ODATA_SOAK"] != nil
            let step = isSoak ? 3 : 8
            // The first load, and then a full read of everything that has no delta link.
            for round in 0..<2 {
                var requests = 12
                while try !place.sync(killedAt: requests), kills < 200 {
                    kills += 1
                    requests += step
                }
                try place.expectSame()
                if round == 0 {
                    let queue = try DatabaseQueue(path: place.folder.file("service.sqlite"))
                    try queue.write {
                        try $0.execute(
                            sql: "UPDATE WorkOrders SET SiteId = SiteId % 5 + 1 WHERE Id % 3 = 0")
                    }
                    try queue.close()
                }
            }
            #expect(kills >= 8 && kills < 200)
        }
    }
}
