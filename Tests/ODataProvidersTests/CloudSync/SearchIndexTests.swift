import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import Testing
import WorkplaceFixture

/// `$search` on a synchronised store goes through its full-text index, whoever changes the rows.
@Suite struct SearchIndexTests {
    private static func found(_ place: ServiceWorkplace, _ word: String) throws -> Int {
        try place.sync.entities(
            place.query("WorkOrders?$search=\(word.replacing(" ", with: "%20"))")
        ).length
    }

    @Test func theIndexAskedForBeforeOpeningFollowsDownloadsWritesAndUndo() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.loadMetadata(headers: .empty, options: .none)
            try place.sync.createSearchIndex(
                place.set("WorkOrders"), place.property("WorkOrders", "Title"))
            try place.prepare()
            #expect(
                try place.storeText(
                    "SELECT count(*) FROM sqlite_master WHERE name = '_odata_search_WorkOrders'")
                    == "1")
            #expect(try Self.found(place, "quokka") == 0)
            // By the service.
            try place.atService("UPDATE WorkOrders SET Title = 'a quokka came' WHERE Id <= 3")
            try place.sync.download()
            let brought = try Self.found(place, "quokka")
            #expect(brought >= 1)
            // By the app, and taken back.
            let order = try #require(
                try place.sync.entities(place.query("WorkOrders?$orderby=Id desc&$top=1")).toArray()
                    .first)
            place.property("WorkOrders", "Title").setOptionalString(in: order, to: "quokka two")
            try place.sync.update(order)
            #expect(try Self.found(place, "quokka") == brought + 1)
            try place.sync.undoPendingChanges(for: EntityValueList.fromArray([order]))
            #expect(try Self.found(place, "quokka") == brought)
        }
    }

    @Test func anOpenStoreGetsTheIndexAtOnceAndEachNewOneAgain() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            #expect(
                failure { _ = try Self.found(place, "repair") }
                    == Failure(
                        DataServiceError.self, .notImplemented, at: "WorkOrders", status: 501))
            try place.sync.createSearchIndex(place.set("WorkOrders"))
            let count = try Self.found(place, "repair OR inspect OR replace OR clean OR install")
            #expect(count > 0)
            try place.reopen()
            #expect(
                try Self.found(place, "repair OR inspect OR replace OR clean OR install") == count)
        }
    }
}
