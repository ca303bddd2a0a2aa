import Foundation
import GRDB
import OData
import ODataCommand
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTesting
import ODataTransport
import Testing

@Suite(.serialized) struct FaultTests {
    static let sets = ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"]

    /// What service and store hold when the story is over.
    struct Ending: Equatable {
        var service: [String: [[DatabaseValue]]] = [:]
        var store: [String: [[DatabaseValue]]] = [:]
        var differences: [String] = []
        var rowsCompared = 0
        var faults = 0
    }

    @Test func anyFaultyNetworkEndsInTheStateOfAGoodOne() async throws {
        try await onOwnThread {
            let expected = try Self.story(faultsEvery: 1_000_000)
            #expect(expected.faults == 0)
            #expect(expected.differences == [])
            #expect(expected.rowsCompared > 150)
            var total = 0
            for interval in 1...10 {
                var ending = try Self.story(faultsEvery: interval)
                #expect(ending.faults > 0)
                total += ending.faults
                ending.faults = 0
                #expect(ending.differences == [], "every \(interval)")
                for set in Self.sets {
                    #expect(ending.service[set] == expected.service[set], "\(set), \(interval)")
                    #expect(ending.store[set] == expected.store[set], "\(set), \(interval)")
                }
            }
            print("figure: faults \(total) intervals=10 differing_states=0")
        }
    }

    /// First download, offline work of every kind, a competing change, upload, conflict, repair, delta.
    static func story(faultsEvery interval: Int) throws -> Ending {
        var faults: FaultTransport?
        let place = try FaultPlace { base in
            let transport = FaultTransport(base, every: interval)
            faults = transport
            return transport
        }
        let provider = place.provider
        try place.persist { try provider.open() }
        try place.persist { try provider.download() }
        try workOffline(place)
        try place.changeAtService(
            """
            UPDATE WorkOrders SET Title = 'theirs', Priority = 4 WHERE Number = 'WO-00000001';
            UPDATE WorkOrders SET AssignedTo = 'somebody' WHERE Id BETWEEN 20 AND 30;
            DELETE FROM Photos WHERE Id IN (SELECT Id FROM Photos ORDER BY Id DESC LIMIT 2);
            """)
        try place.persist { try provider.upload() }
        try repair(place)
        try place.persist { try provider.download() }
        #expect(try provider.queued().length == 0)
        #expect(try provider.failed().length == 0)
        let ending = try ending(of: place, faults)
        try place.close()
        return ending
    }

    private static func workOffline(_ place: FaultPlace) throws {
        let provider = place.provider
        let orders = try place.entities("WorkOrders", by: "Number")
        for index in 0..<6 {
            place.setTitle("ours \(index)", of: orders[index])
            try provider.update(orders[index])
        }
        for index in 0..<4 {
            let order = place.newOrder("NEW-\(index)", like: orders[index + 6])
            try provider.create(order)
            guard index == 0 else { continue }
            place.setTitle("created, then changed", of: order)
            try provider.update(order)
        }
        for index in 10..<13 {
            let entry = try place.entities("TimeEntries", by: "WorkOrderId")[index]
            try provider.delete(entry)
        }
        let sites = try place.entities("Sites", by: "Id")
        let site = orders[0].entityType.property(withName: "Site")
        try provider.updateLink(
            from: orders[8], property: site, to: sites[3], headers: HTTPHeaders(),
            options: RequestOptions())
    }

    /// The refused update gets the state of the service below it, is corrected in its place and sent again.
    private static func repair(_ place: FaultPlace) throws {
        let provider = place.provider
        let failed = try provider.failed()
        #expect(failed.map(\.httpStatus) == [412])
        try place.persist { try provider.download() }
        let request = try #require(Array(try provider.failed()).first)
        let order = try #require(try request.affectedEntity(fixRequest: true))
        place.setTitle("ours after theirs", of: order)
        try provider.update(order)
        try place.persist { try provider.upload() }
        let merged = try place.serviceRows(
            "SELECT Title, Priority FROM WorkOrders WHERE Number = 'WO-00000001'")
        #expect(merged == [["ours after theirs".databaseValue, 4.databaseValue]])
    }

    private static func ending(of place: FaultPlace, _ faults: FaultTransport?) throws -> Ending {
        var ending = Ending()
        for set in sets {
            // New rows get their ids in the order of arrival, so they are compared without them.
            let columns =
                set == "WorkOrders"
                ? "SiteId, EquipmentSerialNumber, Number, Title, Priority, Status, AssignedTo" : "*"
            let order = set == "WorkOrders" ? "Number" : "1, 2"
            let view = "\"_odata_view_\(set)\""
            ending.service[set] = try place.serviceRows(
                "SELECT \(columns) FROM \"\(set)\" ORDER BY \(order)")
            ending.store[set] = try place.storeRows(
                "SELECT \(columns) FROM \(view) ORDER BY \(order)")
        }
        let comparison = try place.comparison()
        ending.differences = comparison.differences
        ending.rowsCompared = comparison.rowsCompared
        ending.faults = faults?.faultCount ?? 0
        return ending
    }
}
