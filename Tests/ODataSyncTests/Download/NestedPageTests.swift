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
import Synchronization
import Testing
import WorkplaceFixture

/// Expanded collections of which a page holds only the beginning, over HTTP, down to the rows and links in the file.
@Suite struct NestedPageTests {
    private static let query = "Sites?$expand=WorkOrders($expand=TimeEntries)"
    private static let ordersOfSites = "SELECT SiteId, Id FROM WorkOrders"

    /// Everything comes through one query, and nothing but `$expand` tells the links.
    private static func prepare(_ place: ServiceWorkplace) throws {
        try place.sync.open()
        place.sync.noDefaultEntityDownload()
        try place.sync.createDownloadQuery(
            name: "tree", query: place.query(query), streams: false)
    }

    private static func expectSame(_ place: ServiceWorkplace) throws {
        #expect(
            try place.storedLinks("Sites_WorkOrders", "Id", "Id")
                == place.servedLinks(ordersOfSites))
        let stored = try place.storeRows(
            """
            SELECT e.WorkOrderId || '/' || e.Position || '/' || w.Id
            FROM "_odata_link_TimeEntries_WorkOrder" k
            JOIN TimeEntries e ON e._odata_id = k.source
            JOIN WorkOrders w ON w._odata_id = k.target ORDER BY w.Id, e.Position
            """
        ).map { $0[0] as String }
        let served = try place.serviceRows(
            "SELECT WorkOrderId || '/' || Position || '/' || WorkOrderId FROM TimeEntries"
                + " ORDER BY WorkOrderId, Position"
        ).map { $0[0] as String }
        #expect(stored == served)
    }

    @Test func theRestsOfExpandedCollectionsAreReadToTheLastRow() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 4, adjust: { $0.nestedPageSize = 1 }) {
            place in
            place.serveWithoutConstraints()
            try Self.prepare(place)
            place.observer.forget()
            try place.sync.download()
            try Self.expectSame(place)
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
            #expect(try place.storeCount("TimeEntries") == place.serviceCount("TimeEntries"))
            let nested = place.requests("GET Sites(").filter { $0.contains("/WorkOrders?") }
            let deeper = place.requests("GET WorkOrders(").filter { $0.contains("/TimeEntries?") }
            #expect(!nested.isEmpty && !deeper.isEmpty)
            // Nothing is asked for twice.
            #expect(Set(place.requests()).count == place.requests().count)
            // And what a page left for later is known now.
            place.cutNetwork()
            let sites = try place.entities("Sites?$expand=WorkOrders&$filter=Id eq 1")
            let orders = place.property("Sites", "WorkOrders").entityList(from: sites[0])
            #expect(orders.length == (try place.serviceCount("WorkOrders", "SiteId = 1")))
        }
    }

    @Test func aFullReadMovesAndRemovesLinksOverAllPages() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 4, adjust: { $0.nestedPageSize = 2 }) {
            place in
            place.serveWithoutConstraints()
            try Self.prepare(place)
            try place.sync.download()
            try place.atService(
                """
                UPDATE WorkOrders SET SiteId = SiteId % 5 + 1 WHERE Id % 3 = 0;
                DELETE FROM WorkOrders WHERE Id % 7 = 0;
                """)
            try place.sync.download()
            #expect(
                try place.storedLinks("Sites_WorkOrders", "Id", "Id")
                    == place.servedLinks(Self.ordersOfSites))
            #expect(try place.storeCount("_odata_stage") == 0)
        }
    }

    /// Cut after ever more requests: each start of the app goes on at a page, and the end is the same.
    @Test func aCutInTheMiddleOfTheRestsRepeatsOnlyThePage() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 3, adjust: { $0.nestedPageSize = 1 }) {
            place in
            let left = Mutex(Int.max)
            place.serveWithoutConstraints({ $0 }) { _, _ in
                left.withLock { left in
                    left -= 1
                    return left < 0 ? .loseRequest : nil
                }
            }
            try Self.prepare(place)
            var rounds = 0
            while try !place.sync.hasInitialData(), rounds < 200 {
                rounds += 1
                place.observer.forget()
                left.withLock { $0 = 8 + rounds }
                try? place.sync.download()
                left.withLock { $0 = .max }
                try place.reopen { $0.noDefaultEntityDownload() }
            }
            #expect(rounds > 3 && rounds < 200)
            try Self.expectSame(place)
        }
    }

    // MARK: A delta, written by hand

    private static let orders = """
        {"Id":11,"Number":"A"},{"Id":12,"Number":"B"}
        """
    private static let answers: [String: String] = [
        "/Sites?$expand=WorkOrders":
            #"{"value":[{"Id":1,"Name":"one","WorkOrders":[\#(orders)]},"#
            + #"{"Id":2,"Name":"two","WorkOrders":[]}],"@odata.deltaLink":"Sites?$deltatoken=1"}"#,
        "/Sites?$deltatoken=1":
            #"{"value":[{"Id":2,"Name":"TWO","WorkOrders":[{"Id":12,"Number":"B"}],"#
            + #""WorkOrders@odata.nextLink":"Sites(2)/WorkOrders?$skiptoken=1"}],"#
            + #""@odata.nextLink":"Sites?$deltatoken=1&$skiptoken=2"}"#,
        "/Sites(2)/WorkOrders?$skiptoken=1":
            #"{"value":[{"Id":13,"Number":"C"}],"#
            + #""@odata.nextLink":"Sites(2)/WorkOrders?$skiptoken=2"}"#,
        "/Sites(2)/WorkOrders?$skiptoken=2": #"{"value":[{"Id":14,"Number":"D"}]}"#,
        "/Sites?$deltatoken=1&$skiptoken=2":
            #"{"value":[{"WorkOrders":[{"Id":14,"Number":"D"}],"Id":1,"Name":"ONE","#
            + #""WorkOrders@odata.nextLink":"Sites(1)/WorkOrders?$skiptoken=9"}],"#
            + #""@odata.deltaLink":"Sites?$deltatoken=2"}"#,
        "/Sites(1)/WorkOrders?$skiptoken=9": #"{"value":[{"Id":11,"Number":"AA"}]}"#,
        "/Sites?$deltatoken=2": #"{"value":[],"@odata.deltaLink":"Sites?$deltatoken=2"}"#,
    ]

    private static func script(_ place: ServiceWorkplace, losing lost: String?) {
        place.serveWithoutConstraints({ $0 }) { request, _ in
            let url = request.url.removingPercentEncoding ?? request.url
            if let lost, url == lost { return .loseRequest }
            return answers[url].map { ServiceWorkplace.page($0) }
        }
    }

    @Test(arguments: [
        "/Sites(2)/WorkOrders?$skiptoken=2", "/Sites?$deltatoken=1&$skiptoken=2",
        "/Sites(1)/WorkOrders?$skiptoken=9",
    ]) func aDeltaWithRestsIsAppliedWholeAndGoesOnAfterARestart(lost: String) async throws {
        try await ServiceWorkplace.run { place in
            Self.script(place, losing: nil)
            try place.sync.open()
            place.sync.noDefaultEntityDownload()
            try place.sync.createDownloadQuery(
                name: "tree", query: place.query("Sites?$expand=WorkOrders"), streams: false)
            try place.sync.download()
            let links = { try place.storedLinks("Sites_WorkOrders", "Id", "Id") }
            #expect(try links() == ["1-11", "1-12"])
            Self.script(place, losing: lost)
            let asked = lost.contains("/WorkOrders") ? "/Sites/WorkOrders" : "/Sites"
            #expect(
                failure { try place.sync.download() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1" + asked))
            #expect(try links() == ["1-11", "1-12"])
            #expect(try place.storeText("SELECT Name FROM Sites WHERE Id = 2") == "two")
            try place.reopen { $0.noDefaultEntityDownload() }
            place.observer.forget()
            Self.script(place, losing: nil)
            try place.sync.download()
            // A work order has one site, and the later page has the last word.
            #expect(try links() == ["1-11", "1-14", "2-12", "2-13"])
            #expect(
                try place.storeRows("SELECT Number FROM WorkOrders ORDER BY Id")
                    .map { $0[0] as String } == ["AA", "B", "C", "D"])
            #expect(try place.storeText("SELECT Name FROM Sites WHERE Id = 2") == "TWO")
            #expect(try place.storeCount("_odata_stage") == 0)
            // What had come whole before the cut is not asked for again.
            let isFirstPageStaged = lost != "/Sites(2)/WorkOrders?$skiptoken=2"
            #expect(
                place.requests().contains("GET Sites?$deltatoken=1") != isFirstPageStaged)
            // What has changed since it came is.
            #expect(place.requests().contains("GET Sites?$deltatoken=2") == isFirstPageStaged)
            #expect(try place.storeText("SELECT link FROM _odata_delta") == "Sites?$deltatoken=2")
        }
    }
}
