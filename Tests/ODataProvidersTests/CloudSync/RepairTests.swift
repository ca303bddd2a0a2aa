import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import Testing
import WorkplaceFixture

/// A damaged store is repaired through the provider, and the service brings back what was lost.
@Suite struct RepairTests {
    /// Overwrites the first leaf of a table.
    private static func damage(_ table: String, _ path: String) throws {
        var page = try #require(
            try DatabaseQueue(path: path).read {
                try Int.fetchOne(
                    $0, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table]
                )
            })
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func number(_ offset: Int, _ length: Int) -> Int {
            let start = (page - 1) * 4096 + offset
            return bytes[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
        }
        while number(0, 1) == 5 { page = number(number(12, 2), 4) }
        for place in (page - 1) * 4096..<page * 4096 { bytes[place] = 0xE7 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func theServiceBringsBackWhatADamagedPageHeld() async throws {
        try await ServiceWorkplace.run(scale: 800) { place in
            try place.prepare()
            let before = try place.storeRows(
                "SELECT Id || coalesce(Title, '') FROM WorkOrders ORDER BY Id"
            ).map(\.description)
            #expect(before.count > 100)
            let order = try #require(
                try place.sync.entities(place.query("WorkOrders?$top=1")).toArray().first)
            place.property("WorkOrders", "Title").setOptionalString(in: order, to: "mine")
            try place.sync.update(order)
            #expect(try place.sync.checkStore().isIntact)
            try place.sync.close()
            try Self.damage("WorkOrders", place.storePath)
            try place.reopen()
            #expect(try !place.sync.checkStore().isIntact)
            let report = try place.sync.repairStore()
            #expect(report.wasDamaged && !report.onlyIndexes && report.keptRequests == 1)
            #expect(report.incompleteEntitySets == ["WorkOrders"], "\(report)")
            #expect(try place.sync.checkStore().isIntact)
            // The entity with the unsent change is there even now, and the rest after a download.
            let mine = "SELECT count(*) FROM WorkOrders WHERE Title = 'mine'"
            #expect(try place.storeText(mine) == "1")
            #expect(
                try place.storeRows("SELECT 1 FROM WorkOrders").count < before.count)
            try place.sync.download()
            try place.sync.upload()
            #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
            let after = try place.storeRows(
                "SELECT Id || coalesce(Title, '') FROM WorkOrders ORDER BY Id"
            ).map(\.description)
            #expect(after.count == before.count)
            #expect(zip(after, before).filter { $0 != $1 }.count == 1)
            #expect(
                try place.serviceText("SELECT count(*) FROM WorkOrders WHERE Title = 'mine'") == "1"
            )
        }
    }
}
