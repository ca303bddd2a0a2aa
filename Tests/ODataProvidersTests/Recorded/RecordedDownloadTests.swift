import ConformanceData
import Foundation
import GRDB
import ODataQuery
import ODataTesting
import SAPOData
import Testing

/// What services of others answered, downloaded into a store; its file is read beside the product.
@Suite(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
struct RecordedDownloadTests {
    private static let v2 = "http://srv.example:80/olingo-ref/ReferenceScenario.svc/"
    private static let v4 = "http://srv.example:80/olingo-server-tecsvc/odata.svc/"

    /// A store of one set of a recorded service.
    private struct Place {
        let replay: Replay
        let sync: CloudSyncProvider
        let file: String

        init(_ replay: Replay, _ name: String, in folder: String) throws {
            self.replay = replay
            file = folder + "/store.db"
            let online = replay.makeProvider(folder: folder)
            online.serviceOptions.supportsBatch = false
            sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Recorded", databaseURL: "sqlite:" + file))
            sync.batchEntityDownloads = false
            try sync.open()
            let set = sync.metadata.entitySet(withName: name)
            sync.downloadInGroup("one", set)
            sync.noDefaultStreamDownload(set)
        }

        func download() throws {
            try sync.download(groups: StringList.fromArray(["one"]), options: SyncOptions())
        }

        func rows(_ sql: String) throws -> [[String]] {
            var configuration = Configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: file, configuration: configuration).read {
                try Row.fetchAll($0, sql: sql).map { row in
                    row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }
                }
            }
        }

        /// The recorded members of each row, as text.
        func recorded(_ index: Int, _ names: [String]) throws -> [[String]] {
            try RecordedValues.rows(replay.exchanges[index].json()).map { row in
                names.map { row[$0].map { $0 is NSNull ? "NULL" : "\($0)" } ?? "NULL" }
            }
        }
    }

    private func run(
        _ file: String, _ root: String, _ url: String,
        _ body: @escaping @Sendable (Place) throws -> Void
    ) async throws {
        try await onOwnThread {
            let folder = try TestFolder.makeFast("recorded")
            defer { try? FileManager.default.removeItem(at: folder) }
            let place = try Place(Replay(file, root: root), url, in: folder.path)
            defer { try? place.sync.close() }
            try body(place)
        }
    }

    @Test func theEmployeesOfAV2ServiceAreInTheStoreFile() async throws {
        try await run("v2-olingo-basic.json", Self.v2, "Employees") { place in
            try place.download()
            let names = ["EmployeeId", "EmployeeName", "ManagerId", "RoomId", "TeamId", "Age"]
            let sql = "SELECT \(names.joined(separator: ", ")) FROM Employees ORDER BY EmployeeId"
            let rows = try place.rows(sql)
            let recorded = try place.recorded(3, names)
            #expect(rows == recorded)
            #expect(rows.count == 6)
            let dates = try place.rows("SELECT EntryDate FROM Employees ORDER BY EmployeeId")
            #expect(dates.first == ["1999-01-01T00:00:00"])
            #expect(place.replay.unrecorded == [])
            // The delta link is followed; that nobody recorded its answer costs no row.
            #expect(throws: DataNetworkError.self) { try place.download() }
            #expect(
                place.replay.unrecorded.contains { $0.hasSuffix("Employees?!deltatoken='1001'") })
            let after = try place.rows(sql)
            #expect(after == rows)
        }
    }

    @Test func thePrimitiveValuesOfAV4ServiceAreInTheStoreFile() async throws {
        try await run("v4-olingo-basic.json", Self.v4, "ESAllPrim") { place in
            try place.download()
            let names = [
                "PropertyInt16", "PropertyString", "PropertyByte", "PropertySByte", "PropertyInt32",
                "PropertyInt64", "PropertyDate", "PropertyGuid",
            ]
            let columns = names.map { $0 == "PropertyGuid" ? "\($0)" : $0 }.joined(separator: ", ")
            let rows = try place.rows(
                "SELECT \(columns) FROM ESAllPrim ORDER BY PropertyInt16 DESC")
            let recorded = try place.recorded(2, names).sorted {
                (Int($0[0]) ?? 0) > (Int($1[0]) ?? 0)
            }
            #expect(rows.map { Array($0.dropLast()) } == recorded.map { Array($0.dropLast()) })
            #expect(rows.count == recorded.count)
            #expect(place.replay.unrecorded == [])
            let set = place.sync.metadata.entitySet(withName: "ESAllPrim")
            let query = DataQuery().from(set).orderBy(
                set.entityType.property(withName: "PropertyInt16"))
            let list = try place.sync.executeQuery(query, headers: .empty, options: .none)
                .entityList()
            var values = RecordedValues()
            let order = try RecordedValues.rows(place.replay.exchanges[2].json()).sorted {
                ($0["PropertyInt16"] as? Int ?? 0) < ($1["PropertyInt16"] as? Int ?? 0)
            }
            try values.compare(list, order)
            #expect(values.count >= 40)
        }
    }

    /// The second page of a set was not recorded: the download says so, and there is no half of a set that counts as whole.
    @Test func aSetWhoseSecondPageIsMissingIsNotComplete() async throws {
        try await run("v4-olingo-basic.json", Self.v4, "ESServerSidePaging") { place in
            #expect(throws: DataNetworkError.self) { try place.download() }
            #expect(place.replay.unrecorded.contains { $0.hasSuffix("?%24skiptoken=1%2A10") })
            let isComplete = try place.sync.hasInitialData()
            #expect(!isComplete)
        }
    }
}
