import Dispatch
import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataQuery
import ODataSQLite
import ODataTesting
import Synchronization
import Testing

/// Several processes over one store: what the others see, and what they leave alone.
@Suite struct CommandNeighbourTests {
    @Test func commandsThatReadLeaveTheFileAsItIs() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let before = try Data(contentsOf: URL(fileURLWithPath: place.store))
            for arguments in [["query", "Sites/$count"], ["queue"], ["errors"], ["events"]] {
                let result = try place.odata(arguments)
                #expect(result.status == 0, "\(result.errors)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == before)
            }
        }
    }

    /// As a process leaves them that was killed while it made the store.
    @Test(arguments: [nil, String(repeating: "c3", count: 32)])
    func aStoreThatWasNeverFinishedIsMadeAnew(key: String?) async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            var arguments: [String] = []
            if let key {
                try key.write(
                    toFile: place.folder.file("key"), atomically: true, encoding: .utf8)
                arguments = ["--key-file", place.folder.file("key")]
            }
            let sync = ["sync", place.url, "--store", place.store] + arguments
            let queue = try StoreFile(path: place.store, key: try key.map { try StoreKey($0) })
                .queue()
            try queue.writeWithoutTransaction {
                try $0.execute(
                    sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (x); DROP TABLE t")
            }
            try queue.close()
            let first = try Child.run(Child.command, sync)
            #expect(first.status == 0, "\(first.errors)")
            try Data().write(to: URL(fileURLWithPath: place.store))
            let second = try Child.run(Child.command, sync)
            #expect(second.status == 0, "\(second.errors)")
            #expect(try place.odata(["query", "Sites/$count"] + arguments).output != "0\n")
            // Another program's database is left alone.
            try FileManager.default.removeItem(atPath: place.store)
            let other = try DatabaseQueue(path: place.store)
            try other.write { try $0.execute(sql: "CREATE TABLE t (x)") }
            try other.close()
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 2)
        }
    }

    @Test func observedQueriesFollowOtherProcessesByThemselves() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            #expect(try Child.odata("sync", place.url, "--store", place.store).status == 0)
            let provider = SQLDatabaseProvider(
                serviceName: "FieldService", databaseURL: "sqlite:" + place.store)
            try provider.open()
            defer { try? provider.close() }
            let query = DataQuery()
                .from(provider.metadata.entitySet(withName: "Sites"))
            query.url = "Sites?$filter=startswith(Name,'neighbour')"
            let names = Mutex<[String]>([])
            let arrived = DispatchSemaphore(value: 0)
            let token = try provider.observe(query) { update in
                names.withLock { names in
                    names += update.inserted.map {
                        $0.entity.optionalValue(
                            for: $0.entity.entityType.property(withName: "Name"))?.toString() ?? ""
                    }
                }
                arrived.signal()
            }
            // What another process changes before the first result is in it, and no difference.
            #expect(arrived.wait(timeout: .now() + 300) == .success)
            for number in 1...3 {
                let change = try place.odata(
                    "update", "Sites(\(number))", #"{"Name":"neighbour \#(number)"}"#)
                #expect(change.status == 0, "\(change.errors)")
                #expect(arrived.wait(timeout: .now() + 300) == .success)
            }
            token.cancel()
            #expect(names.withLock { $0 } == ["neighbour 1", "neighbour 2", "neighbour 3"])
        }
    }
}
