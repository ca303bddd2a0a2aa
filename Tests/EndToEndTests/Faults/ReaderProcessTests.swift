import ChildFixture
import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataTesting
import ODataWire
import ODataWorld
import Testing

/// Other processes read a store, plain and encrypted, while this one writes it, brings its log in, and loses them.
@Suite struct ReaderProcessTests {
    private static let key = String(repeating: "d4", count: 32)

    /// A child that reads the store, goes on at each line and ends with its input.
    private static func reader(
        _ work: String, _ path: String, _ key: String?
    ) throws -> ChildProcess {
        try ChildProcess(
            Child.killChild, [work, path, key ?? "-"], input: .pipe, output: .pipe)
    }

    private static func end(_ reader: ChildProcess) throws -> ChildProcess.End {
        try reader.endInput()
        return try reader.wait()
    }

    /// A store with customers and as many orders.
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-readers-" + UUID().uuidString)
        let store: LocalStore
        let path: String
        private(set) var count: Int64 = 0

        init(_ key: String?) throws {
            path = folder.appendingPathComponent("store.db").path
            var configuration = LocalStore.Configuration()
            configuration.key = try key.map { try StoreKey($0) }
            configuration.logBytes = 64 << 10
            store = try LocalStore(path: path, world: LiveWorld(), configuration: configuration)
            let metadata = """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
                <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="S.T"/>
                <EntitySet Name="Orders" EntityType="S.T"/></EntityContainer></Schema>
                </edmx:DataServices></edmx:Edmx>
                """
            try store.adopt(
                metadata: metadata, graph: try CSDLReader.read(Array(metadata.utf8)))
        }

        deinit {
            try? store.close()
            try? FileManager.default.removeItem(at: folder)
        }

        /// One transaction with `rows` rows in each set.
        func write(_ rows: Int) throws {
            try store.write(.normal) { database in
                for id in count..<count + Int64(rows) {
                    for table in ["Customers", "Orders"] {
                        try database.execute(
                            sql: "INSERT INTO \(table) (_odata_id, ID, Text) VALUES (?, ?, ?)",
                            arguments: [id + 1, id + 1, String(repeating: "x", count: 400)])
                    }
                }
            }
            count += Int64(rows)
        }

        func rows() throws -> Int64? {
            try store.read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM Orders") }
        }
    }

    @Test(arguments: [nil, key])
    func aReaderKeepsItsSnapshotAcrossCheckpointsAndMakesNobodyWait(key: String?) async throws {
        try await onOwnThread {
            let desk = try Desk(key)
            try desk.write(10)
            let reader = try Self.reader("hold", desk.path, key)
            #expect(try reader.line() == "10")
            // The reader lets go only when it is told to, so a writer that waited for it would never come through here.
            for _ in 0..<20 {
                try desk.write(30)
                desk.store.checkpointIfLarge()
            }
            #expect(try desk.rows() == 610)
            try reader.send(line: "")
            #expect(try reader.line() == "10")
            #expect(try reader.line() == "610")
            #expect(try Self.end(reader) == .exit(0))
            try desk.store.checkpoint()
            #expect(try desk.store.check().isIntact)
        }
    }

    @Test(arguments: [nil, key])
    func aKilledReaderLeavesNothingBehind(key: String?) async throws {
        try await onOwnThread {
            let desk = try Desk(key)
            try desk.write(10)
            for round in 1...3 {
                let reader = try Self.reader("hold", desk.path, key)
                #expect(try reader.line() == "\(desk.count)")
                try desk.write(50)
                reader.send(signal: SIGKILL)
                #expect(try reader.wait() == .signal(SIGKILL))
                // Its lock went with it: the whole log can be brought in.
                try desk.store.checkpoint()
                let log = try FileManager.default.attributesOfItem(atPath: desk.path + "-wal")
                #expect(log[.size] as? Int == 0, "round \(round)")
                #expect(try desk.store.check().isIntact)
            }
            let later = try Self.reader("hold", desk.path, key)
            #expect(try later.line() == "160")
            #expect(try Self.end(later) == .exit(0))
        }
    }

    @Test(arguments: [nil, key])
    func severalReadersSeeWholeTransactionsOnly(key: String?) async throws {
        try await onOwnThread {
            let desk = try Desk(key)
            try desk.write(5)
            let readers = try (0..<3).map { _ in try Self.reader("compare", desk.path, key) }
            for reader in readers { #expect(try reader.line() == "0") }
            for round in 0..<60 {
                try desk.write(7)
                desk.store.checkpointIfLarge()
                if round % 20 == 19 { usleep(20_000) }
            }
            for reader in readers {
                try reader.send(line: "")
                let numbers = try reader.line().split(separator: " ").compactMap { Int($0) }
                #expect(numbers.count == 2 && numbers[0] > 3 && numbers[1] > 1, "\(numbers)")
                #expect(try Self.end(reader) == .exit(0))
            }
            #expect(try desk.rows() == 425)
        }
    }
}
