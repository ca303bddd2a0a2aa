import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// About 28,000 real airports, from a plain SQLite file through service and store and back.
@Suite struct AirportTests {
    /// CSP-127, CSP-128
    @Test(.enabled(if: AirportTable.isThere, "no airports in .build (Scripts/fetch-airports)"))
    func airportsAreSyncedQueriedChangedAndComparedRowByRow() async throws {
        try await onOwnThread {
            let table = try AirportTable()
            let place = try AirportPlace(table)
            defer { place.close() }
            try place.sync.open()
            try place.sync.download()
            #expect(try place.difference() == 0)
            #expect(table.airports.count > 25_000)

            place.service.stop()
            try place.checkQueries(table)
            let changed = try place.changeOffline(every: 140, count: 200, table)
            try place.service.start()
            try place.sync.upload()
            #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
            let arrived = try place.serviceCount("Name LIKE '% (changed)' AND Elevation = 12.5")
            #expect(arrived == changed)

            try place.changeAtService(table)
            let before = place.service.observer.requests.count
            try place.sync.download()
            let urls = place.service.observer.requests.dropFirst(before).map(\.url)
            #expect(urls.contains { $0.contains("deltatoken") })
            #expect(urls.count <= 4)
            #expect(try place.difference() == 0)
            #expect(
                try place.serviceCount("Timezone = 'Etc/UTC' AND Name LIKE 'New field%'") == 100)
            print("figure: airports=\(table.airports.count) changed=\(changed) deltas=500")
        }
    }
}

/// The airports behind a service over loopback HTTP, on the same port after each start, and a store.
private final class AirportPlace {
    let folder: TemporaryFolder
    let service: ODataService
    let sync: CloudSyncProvider

    init(_ table: AirportTable) throws {
        folder = try TemporaryFolder("odata-airports")
        try table.write(to: folder.file("airports.sqlite"))
        let free = try LoopbackPort.find()
        var configuration = ServiceConfiguration(databasePath: folder.file("airports.sqlite"))
        configuration.port = free
        configuration.defaultPageSize = 5_000
        service = try ODataService(configuration)
        try service.start()
        let online = OnlineODataProvider(
            serviceName: "Airports", serviceRoot: "http://127.0.0.1:\(free)/")
        let store = SQLDatabaseProvider(
            serviceName: "Airports", databaseURL: "sqlite:" + folder.file("store.sqlite"))
        sync = CloudSyncProvider(onlineProvider: online, offlineStore: store)
    }

    func close() {
        try? sync.close()
        try? service.close()
        folder.remove()
    }

    /// Rows that differ, and a failure that lists some of them.
    func difference() throws -> Int {
        let comparison = try RowComparison(
            service: folder.file("airports.sqlite"), store: folder.file("store.sqlite"))
        #expect(comparison.tables == ["Airports"])
        #expect(comparison.differences.isEmpty)
        #expect(try comparison.rowsCompared == serviceCount("1"))
        return comparison.differenceCount
    }

    func serviceCount(_ condition: String) throws -> Int {
        let queue = try DatabaseQueue(path: folder.file("airports.sqlite"))
        return try queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM Airports WHERE \(condition)") ?? -1
        }
    }

    func count(_ filter: String) throws -> Int {
        let query = DataQuery().from(sync.metadata.entitySet(withName: "Airports"))
        query.url = "Airports/$count?$filter=" + filter.replacing(" ", with: "%20")
        let result = try sync.executeQuery(query, headers: HTTPHeaders(), options: RequestOptions())
        return Int(try result.count())
    }

    /// Answers of the store against the CSV, and against what everybody knows.
    func checkQueries(_ table: AirportTable) throws {
        let airports = table.airports
        #expect(try count("Country eq 'US'") == airports.count { $0.country == "US" })
        #expect(try count("Iata eq null") == airports.count { $0.iata.isEmpty })
        #expect(try count("Latitude gt 70") == airports.count { $0.latitude > 70 })
        #expect(
            try count("contains(Name,'International') and Elevation lt 0")
                == airports.count { $0.name.contains("International") && $0.elevation < 0 })
        #expect(
            try count("startswith(Icao,'EG') or startswith(Icao,'LF')")
                == airports.count { $0.icao.hasPrefix("EG") || $0.icao.hasPrefix("LF") })
        let set = sync.metadata.entitySet(withName: "Airports")
        let type = set.entityType
        let name = type.property(withName: "Name")
        let heathrow = try sync.entities(
            DataQuery().from(set).filter(type.property(withName: "Iata") == "LHR"))
        #expect(heathrow.length == 1)
        #expect(heathrow.toArray().first?.canonicalURL == "Airports('EGLL')")
        #expect(name.stringValue(from: heathrow[0]).contains("Heathrow"))
        let elevation = type.property(withName: "Elevation")
        let highest = try sync.entities(
            DataQuery().from(set).orderBy(elevation, .descending).top(3))
        let expected = airports.map(\.elevation).sorted(by: >).prefix(3)
        #expect(highest.toArray().map { elevation.doubleValue(from: $0) } == Array(expected))
    }

    /// Changes rows without the service; returns how many.
    func changeOffline(every step: Int, count: Int, _ table: AirportTable) throws -> Int {
        let set = sync.metadata.entitySet(withName: "Airports")
        let type = set.entityType
        let name = type.property(withName: "Name")
        let elevation = type.property(withName: "Elevation")
        for index in 0..<count {
            let key = EntityKey().with(
                name: "Icao", value: StringValue.of(table.airports[index * step].icao))
            let airport = try sync.executeQuery(
                DataQuery().from(set).withKey(key), headers: HTTPHeaders(),
                options: RequestOptions()
            ).requiredEntity()
            name.setStringValue(in: airport, to: name.stringValue(from: airport) + " (changed)")
            elevation.setDoubleValue(in: airport, to: 12.5)
            try sync.update(airport)
        }
        #expect(try sync.queued().length == count)
        return count
    }

    /// 300 updates, 100 deletions and 100 new rows, by SQL on the service's file.
    func changeAtService(_ table: AirportTable) throws {
        let queue = try DatabaseQueue(path: folder.file("airports.sqlite"))
        try queue.write { database in
            for index in 0..<300 {
                try database.execute(
                    sql: "UPDATE Airports SET City = 'City ' || ?, Elevation = NULL WHERE Icao = ?",
                    arguments: [index, table.airports[index * 90 + 1].icao])
            }
            for index in 0..<100 {
                try database.execute(
                    sql: "DELETE FROM Airports WHERE Icao = ?",
                    arguments: [table.airports[index * 270 + 2].icao])
                try database.execute(
                    sql: """
                        INSERT INTO Airports VALUES (?, NULL, ?, '', '', 'XX', 1.5, 2.25, -3.125,
                        'Etc/UTC')
                        """,
                    arguments: ["ZZ-\(index)", "New field \(index) – “é”"])
            }
        }
        try queue.close()
    }
}
