import APIErrorFixture
import ErrorFixture
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import SAPCommon
import Testing
import WorkplaceFixture

/// Download queries: what they bring, how they are kept, and what goes with them.
@Suite struct DownloadQueryTests {
    private static func add(
        _ place: ServiceWorkplace, _ name: String, _ filter: String
    ) throws {
        try place.sync.createDownloadQuery(
            name: name, query: place.query("WorkOrders?$filter=\(filter)"), streams: false)
    }

    private static func ids(_ place: ServiceWorkplace) throws -> [Int] {
        try place.storeRows("SELECT Id FROM WorkOrders ORDER BY Id").map { $0[0] }
    }

    /// How many rows other sets have.
    private static func others(_ place: ServiceWorkplace) throws -> [Int] {
        try ["Sites", "Equipment", "TimeEntries"].map { try place.storeCount($0) }
    }

    // CSP-114
    @Test func aSetWithoutDefaultDownloadIsReadByQueriesOnly() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"), place.set("Photos"))
            try Self.add(place, "some", "Id le 5")
            try place.sync.download()
            #expect(try Self.ids(place) == [1, 2, 3, 4, 5])
            #expect(place.requests("GET WorkOrders") == ["GET WorkOrders?$filter=Id le 5"])
            #expect(place.requests("GET Photos").isEmpty)
            #expect(place.requests("GET Sites").count == 1)
        }
    }

    // CSP-115
    @Test func withoutArgumentsNoSetIsReadByDefault() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload()
            try Self.add(place, "some", "Id le 5")
            try place.sync.download()
            #expect(place.setsRead() == ["WorkOrders"])
        }
    }

    // CSP-118, CSP-122
    @Test func aQueryIsKeptOverARestartAndLimitsTheRows() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try Self.add(place, "some", "Id gt 20")
            #expect(try place.sync.downloadQuery(name: "other") == nil)
            try place.reopen()
            let kept = try #require(try place.sync.downloadQuery(name: "some"))
            #expect(kept.name == "some")
            #expect(kept.query.entitySet?.localName == "WorkOrders")
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try place.sync.download()
            #expect(try Self.ids(place) == [21, 22, 23, 24, 25])
        }
    }

    // CSP-119
    @Test func severalQueriesOfASetBringTheUnionOfTheirRows() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "low", "Id le 3")
            try Self.add(place, "middle", "Id gt 2 and Id le 6")
            try place.sync.download()
            #expect(try Self.ids(place) == [1, 2, 3, 4, 5, 6])
        }
    }

    // CSP-120
    @Test func aNameIsGivenOnce() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try Self.add(place, "some", "Id le 3")
            #expect(
                failure { try Self.add(place, "some", "Id le 9") }
                    == Failure(DataServiceError.self, .conflict, at: "some", status: 409))
            #expect(try place.storeRows("SELECT 1 FROM _odata_download_query").count == 1)
        }
    }

    // CSP-118
    @Test func aQueryIsCreatedAgainWithoutEffect() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "some", "Id le 3")
            try place.sync.download()
            try Self.add(place, "some", "Id le 3")
            #expect(try place.storeRows("SELECT 1 FROM _odata_download_query").count == 1)
            place.observer.forget()
            try place.sync.download()
            // It goes on where the first one was: there is nothing to read from the start.
            #expect(!place.requests("GET WorkOrders").contains { $0.contains("$filter") })
            #expect(try Self.ids(place) == [1, 2, 3])
        }
    }

    // CSP-123
    @Test func theQueriesOfOneSetOrOfAllAreListed() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try Self.add(place, "a", "Id le 3")
            try Self.add(place, "b", "Id gt 3")
            try place.sync.createDownloadQuery(
                name: "c", query: place.query("Sites"), streams: false)
            #expect(
                try place.sync.downloadQueries(from: place.set("WorkOrders")).map(\.name)
                    == ["a", "b"])
            #expect(try place.sync.downloadQueries().map(\.name) == ["a", "b", "c"])
            #expect(try place.sync.downloadQueries(from: place.set("Photos")).isEmpty)
        }
    }

    @Test("CSP-124 a deleted query takes its rows with it and no others")
    func aDeletedQueryTakesItsRowsWithItAndNoOthers() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "low", "Id le 3")
            try Self.add(place, "high", "Id gt 20")
            try place.sync.download()
            let others = try Self.others(place)
            // What a row says now need not be what the query asks for.
            try place.retitle(2, "sent")
            try place.sync.upload()
            try place.sync.deleteDownloadQuery(name: "low")
            #expect(try Self.ids(place) == [21, 22, 23, 24, 25])
            #expect(try Self.others(place) == others)
            #expect(try place.sync.downloadQueries().map(\.name) == ["high"])
            #expect(try place.sync.downloadQuery(name: "low") == nil)
            // Nobody asks for its changes any more, neither now nor after a restart.
            try place.reopen { $0.noDefaultEntityDownload() }
            place.observer.forget()
            try place.atService("UPDATE WorkOrders SET Title = 'later' WHERE Id IN (2, 22)")
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").count == 1)
            #expect(try Self.ids(place) == [21, 22, 23, 24, 25])
            #expect(try place.storedTitle(22) == "later")
        }
    }

    /// In whatever order they go, and whether the app has said that they overlap or not: no row is ever lost that a query holds.
    @Test(
        "CSP-125 a shared row stays until its last query is deleted", arguments: [true, false],
        [true, false])
    func aSharedRowStaysUntilItsLastQueryIsDeleted(isSaid: Bool, isFirst: Bool) async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            let log = LogRecorder()
            Logger.shared(named: "OData.Sync").add(handler: log)
            defer { Logger.shared(named: "OData.Sync").remove(handler: log) }
            if isSaid {
                place.sync.downloadQueriesCanOverlap(place.set("WorkOrders"), place.set("Sites"))
                #expect(place.set("WorkOrders").downloadQueriesCanOverlap)
                #expect(place.set("Sites").downloadQueriesCanOverlap)
                #expect(!place.set("Equipment").downloadQueriesCanOverlap)
            }
            // Other tests log there, too.
            let isLogged = log.entries.all.contains {
                $0.hasPrefix("The setting downloadQueriesCanOverlap has no effect")
            }
            #expect(isLogged || !isSaid)
            try Self.add(place, "low", "Id le 4")
            try Self.add(place, "middle", "Id ge 3 and Id le 6")
            try place.sync.download()
            // A delta of one of them changes nothing in that.
            try place.atService("UPDATE WorkOrders SET Title = 'later' WHERE Id = 4")
            try place.sync.download()
            try place.sync.deleteDownloadQuery(name: isFirst ? "low" : "middle")
            #expect(try Self.ids(place) == (isFirst ? [3, 4, 5, 6] : [1, 2, 3, 4]))
            try place.sync.download()
            #expect(try Self.ids(place) == (isFirst ? [3, 4, 5, 6] : [1, 2, 3, 4]))
            try place.sync.deleteDownloadQuery(name: isFirst ? "middle" : "low")
            #expect(try Self.ids(place).isEmpty)
        }
    }

    @Test("CSP-126 without arguments overlap holds for all sets")
    func withoutArgumentsOverlapHoldsForAllSets() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload()
            let sets = {
                place.sync.metadata.entitySets.entries().map(\.value.downloadQueriesCanOverlap)
            }
            #expect(sets().count > 3 && !sets().contains(true))
            place.sync.downloadQueriesCanOverlap()
            #expect(sets().count > 3 && !sets().contains(false))
            for (set, key) in [("Sites", "Id"), ("WorkOrders", "Id")] {
                for (name, filter) in [("a", "le 4"), ("b", "ge 3 and \(key) le 6")] {
                    let query = place.query("\(set)?$filter=\(key) \(filter)")
                    try place.sync.createDownloadQuery(
                        name: set + name, query: query, streams: false)
                }
            }
            try place.sync.download()
            for set in ["Sites", "WorkOrders"] {
                #expect(try place.storeCount(set) == 6)
                try place.sync.deleteDownloadQuery(name: set + "a")
                #expect(try place.storeCount(set) == 4)
                try place.sync.deleteDownloadQuery(name: set + "b")
                #expect(try place.storeCount(set) == 0)
            }
        }
    }

    @Test func rowsWithUnsentChangesKeepTheirQuery() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "low", "Id le 3")
            try place.sync.download()
            try place.retitle(2, "unsent")
            #expect(
                failure { try place.sync.deleteDownloadQuery(name: "low") }
                    == Failure(DataServiceError.self, .conflict, at: "WorkOrders", status: 409))
            #expect(try Self.ids(place) == [1, 2, 3])
        }
    }

    @Test func aRowThatLeavesTheFilterLeavesTheStore() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "open", "Status eq 'Open'")
            try place.sync.download()
            let open = try Self.ids(place)
            let leaving = try #require(open.first)
            let coming = try #require((1...25).first { !open.contains($0) })
            try place.atService("UPDATE WorkOrders SET Status = 'Done' WHERE Id = \(leaving)")
            try place.atService("UPDATE WorkOrders SET Status = 'Open' WHERE Id = \(coming)")
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").allSatisfy { $0.contains("$deltatoken") })
            #expect(try Self.ids(place) == (open.filter { $0 != leaving } + [coming]).sorted())
        }
    }
}
