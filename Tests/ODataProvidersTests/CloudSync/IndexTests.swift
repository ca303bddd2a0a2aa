import GRDB
import SAPOData
import ODataQuery
import ODataTesting
import SAPCommon
import Testing
import WorkplaceFixture

/// Indexes that the app asks for, seen in the file's schema.
@Suite struct IndexTests {
    /// The columns of each index of a table.
    private static func indexes(_ place: ServiceWorkplace, _ table: String) throws -> [[String]] {
        try place.storeRows("SELECT name FROM pragma_index_list('\(table)') ORDER BY name").map {
            let name: String = $0[0]
            return try place.storeRows(
                "SELECT name FROM pragma_index_info('\(name)') ORDER BY seqno"
            ).compactMap { $0[0] }
        }
    }

    // CSP-042
    @Test func anIndexOfOnePropertyIsInTheSchemaAfterOpening() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.loadMetadata(headers: .empty, options: .none)
            place.sync.createIndex(
                place.set("WorkOrders"), place.property("WorkOrders", "AssignedTo"))
            try place.sync.open()
            #expect(
                try Self.indexes(place, "WorkOrders").contains { $0.starts(with: ["AssignedTo"]) })
        }
    }

    // CSP-043
    @Test func aCompositeIndexHasItsColumnsInTheGivenOrder() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.loadMetadata(headers: .empty, options: .none)
            place.sync.createIndex(
                place.set("WorkOrders"), place.property("WorkOrders", "Status"),
                place.property("WorkOrders", "AssignedTo"), place.property("WorkOrders", "Priority")
            )
            try place.sync.open()
            #expect(
                try Self.indexes(place, "WorkOrders").contains {
                    $0.starts(with: ["Status", "AssignedTo", "Priority"])
                }
            )
        }
    }

    // CSP-045
    @Test func anIndexByNamesIsMadeWhenTheStoreIsOpened() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.createDynamicIndex("Sites", "City", "Country")
            #expect(!place.sync.hasMetadata)
            try place.sync.open()
            #expect(
                try Self.indexes(place, "Sites").contains { $0.starts(with: ["City", "Country"]) })
        }
    }

    // CSP-047
    @Test func anIndexAskedForTooLateIsLoggedAndNotMade() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let log = LogRecorder()
            let logger = Logger.shared(named: "OData.Sync")
            logger.add(handler: log)
            defer { logger.remove(handler: log) }
            let before = try Self.indexes(place, "WorkOrders")
            #expect(!before.isEmpty && !before.contains { $0.contains("Title") })
            place.sync.createDynamicIndex("WorkOrders", "Title")
            #expect(
                log.errors.all.contains { $0.contains("WorkOrders") && $0.contains("after") })
            try place.sync.download()
            #expect(try Self.indexes(place, "WorkOrders") == before)
            try place.sync.close()
            try place.sync.open()
            #expect(try Self.indexes(place, "WorkOrders") == before)
        }
    }
}
