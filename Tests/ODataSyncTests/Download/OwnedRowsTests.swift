import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// A row stays while one source holds it, the default download of its set too, and goes when none does.
@Suite struct OwnedRowsTests {
    private static func add(
        _ place: ServiceWorkplace, _ name: String, _ url: String
    ) throws {
        try place.sync.createDownloadQuery(name: name, query: place.query(url), streams: false)
    }

    private static func ids(_ place: ServiceWorkplace) throws -> [Int] {
        try place.storeRows("SELECT Id FROM WorkOrders ORDER BY Id").map { $0[0] }
    }

    @Test(
        "CSP-124 a deleted query leaves what the default download brings", arguments: [true, false])
    func aDeletedQueryLeavesTheDefault(isFirst: Bool) async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            if isFirst { try place.sync.download() }
            try Self.add(place, "some", "WorkOrders?$filter=Id le 8")
            try place.sync.download()
            try place.sync.deleteDownloadQuery(name: "some")
            #expect(try Self.ids(place) == Array(1...25))
            try place.atService("DELETE FROM WorkOrders WHERE Id = 3")
            try place.sync.download()
            #expect(try Self.ids(place) == Array(1...25).filter { $0 != 3 })
        }
    }

    @Test("CSP-100 a download of one group leaves what another source holds")
    func aGroupLeavesWhatOthersHold() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "low", "WorkOrders?$filter=Id le 6 and Title ne 'gone'")
            try Self.add(place, "tree", "Sites?$expand=WorkOrders")
            for name in ["low", "tree"] { try place.sync.downloadGroup(name).addQuery(name: name) }
            try place.sync.download()
            let all = try Self.ids(place)
            // It leaves the result of one query, and is in that of the other.
            try place.atService("UPDATE WorkOrders SET Title = 'gone' WHERE Id = 2")
            try place.sync.download(["low"])
            #expect(try Self.ids(place) == all)
            try place.sync.deleteDownloadQuery(name: "low")
            #expect(try Self.ids(place) == all)
            try place.sync.deleteDownloadQuery(name: "tree")
            #expect(try Self.ids(place) == [])
        }
    }

    @Test("CSP-114 a default download that is switched off takes its rows with it")
    func aDefaultThatIsSwitchedOffGivesUpItsRows() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try place.sync.download()
            try place.reopen()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try Self.add(place, "some", "WorkOrders?$filter=Id le 8")
            try place.atService("DELETE FROM WorkOrders WHERE Id IN (3, 20)")
            try place.sync.download()
            #expect(try Self.ids(place) == [1, 2, 4, 5, 6, 7, 8])
            #expect(try place.storeCount("Sites") == place.serviceCount("Sites"))
        }
    }

    @Test("CSP-114 rows of a default download wait for a query that takes its place")
    func rowsWaitForWhatTakesTheirPlace() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try place.sync.download()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            place.sync.batchEntityDownloads = false
            try Self.add(place, "some", "WorkOrders?$filter=Id le 8")
            place.observer.setFaults { request, _ in
                request.url.contains("WorkOrders") ? .loseRequest : nil
            }
            #expect(throws: (any Error).self) { try place.sync.download() }
            #expect(try Self.ids(place) == Array(1...25))
            place.observer.setFaults { _, _ in nil }
            try place.sync.download()
            #expect(try Self.ids(place) == Array(1...8))
        }
    }

    @Test("CSP-119 a set may have more queries than an integer has bits")
    func seventyQueriesBringTheirRows() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload()
            for id in 1...70 {
                try Self.add(place, "q\(id)", "WorkOrders?$filter=Id eq \(id % 25 + 1)")
            }
            try place.sync.download()
            #expect(try Self.ids(place) == Array(1...25))
            for id in 1...45 { try place.sync.deleteDownloadQuery(name: "q\(id)") }
            #expect(try Self.ids(place) == Array(1...25))
            try place.atService("UPDATE WorkOrders SET Title = 'later' WHERE Id = 20")
            try place.sync.download()
            #expect(try place.storedTitle(20) == "later")
            for id in 46...69 { try place.sync.deleteDownloadQuery(name: "q\(id)") }
            #expect(try Self.ids(place) == [21])
        }
    }
}
