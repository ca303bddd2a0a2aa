import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataTesting
import Synchronization
import Testing

/// How a download goes on when a service refuses what it is asked, or does not answer as itself.
@Suite struct ReadLadderTests {
    private static let head = StubDesk.Said.json(
        #"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)

    private static func whole(_ asked: StubDesk.Asked) -> StubDesk.Said {
        switch asked.resource.prefix(while: { $0 != "?" }) {
        case "Customers": .page(#"{"ID":1,"Name":"a"},{"ID":2,"Name":"b"}"#)
        case "Orders": .page(#"{"ID":1,"Title":"x"},{"ID":2,"Title":"y"}"#)
        case "Head": head
        default: .status(404)
        }
    }

    @Test func aServiceThatTakesPlainJSONOnlyIsAskedForItFromThenOn() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.accept == "application/json" ? Self.whole(asked) : .status(406)
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Name FROM Customers") == ["1 a", "2 b"])
            #expect(try desk.rows("SELECT ID, Title FROM Orders") == ["1 x", "2 y"])
            let before = desk.asked.count
            try desk.sync.download()
            #expect(
                desk.asked.dropFirst(before).map(\.accept)
                    == Array(
                        repeating: "application/json", count: 3))
            let events = try desk.rows("SELECT details FROM _odata_event WHERE type = 'profile'")
            #expect(events == ["learned: refuses format parameters (406)"])
        }
    }

    @Test func aSetWhoseChangesAreNotTrackedIsReadWithoutAsking() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.prefer.contains("track-changes") && asked.resource.hasPrefix("Orders")
                ? .status(501) : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            #expect(try desk.rows("SELECT count(*) FROM Orders") == ["2"])
            let before = desk.asked.count
            try desk.sync.download()
            #expect(desk.asked.count == before + 3)
            #expect(
                desk.asked.dropFirst(before).filter { $0.resource == "Orders" }.map(\.prefer)
                    == [""])
        }
    }

    @Test(arguments: [404, 500, 501]) func oneBrokenSetIsNamedAndTheOthersGoOn(
        status: Int
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource.hasPrefix("Customers") ? .status(status) : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            let error = #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(error?.code == .service && error?.status == status)
            #expect(error?.place?.path == "Customers")
            #expect(try desk.rows("SELECT ID, Title FROM Orders") == ["1 x", "2 y"])
            #expect(try !desk.sync.hasInitialData())
            #expect(try desk.sync.lastDownloadTime() == nil)
            #expect(
                try desk.rows("SELECT query FROM _odata_delta ORDER BY query")
                    == ["set:Head", "set:Orders"])
            let events = try desk.rows("SELECT details FROM _odata_event WHERE type = 'download'")
            #expect(events.count == 1 && events[0].contains("refused Customers: said no"))
        }
    }

    @Test func whoMayNotReadAsksOnce() async throws {
        try await StubDesk.run(StubDesk.schema) { _ in
            .status(401)
        } _: { (desk: StubDesk) throws in
            #expect(
                failure { try desk.sync.download() }
                    == Failure(DataServiceError.self, .service, at: "Customers", status: 401))
            #expect(Set(desk.asked.map(\.resource)).count <= 3)
            #expect(try desk.rows("SELECT count(*) FROM _odata_delta") == ["0"])
        }
    }

    private final class Switch: Sendable {
        private let state = Mutex(false)
        var isOn: Bool { state.withLock { $0 } }
        func turn(on: Bool) { state.withLock { $0 = on } }
    }

    /// Answers that are no complete collection.
    private static let impostors: [(said: StubDesk.Said, refused: Failure)] = [
        (
            StubDesk.Said(status: 204),
            Failure(DataServiceError.self, .service, at: "Customers", status: 204)
        ),
        (StubDesk.Said(), Failure(DataServiceError.self, .service, at: "Customers")),
        (
            StubDesk.Said(type: "text/html", body: "<html>"),
            Failure(DataNetworkError.self, .network, at: "127.0.0.1/s/Customers")
        ),
        (
            StubDesk.Said(type: "application/json", body: "{}"),
            Failure(DataServiceError.self, .service, at: "Customers")
        ),
        (
            StubDesk.Said(body: #"{"value":[{"ID":1,"Name":"a"}"#),
            Failure(DataServiceError.self, .service, at: "Customers")
        ),
    ]

    @Test(arguments: 0..<5) func whatIsNoCollectionRemovesNoRow(
        index: Int
    ) async throws {
        let isWrong = Switch()
        try await StubDesk.run(StubDesk.schema) { asked in
            isWrong.isOn ? Self.impostors[index].said : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            isWrong.turn(on: true)
            #expect(failure { try desk.sync.download() } == Self.impostors[index].refused)
            #expect(try desk.rows("SELECT ID FROM Customers") == ["1", "2"])
            #expect(try desk.rows("SELECT ID FROM Orders") == ["1", "2"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
            isWrong.turn(on: false)
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID FROM Customers") == ["1", "2"])
        }
    }

    /// The rows come, and what the service keeps back of the expansion does not.
    @Test(arguments: [404, 500, 501]) func whatIsExpandedAndCannotBeReadToItsEndIsLeftOut(
        status: Int
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            if asked.resource.hasPrefix("Customers(1)/Orders") { return .status(status) }
            guard asked.resource.hasPrefix("Customers?$expand=") else { return Self.whole(asked) }
            return .page(
                #"{"ID":1,"Name":"a","Orders":[{"ID":1}],"#
                    + #""Orders@odata.nextLink":"Customers(1)/Orders?$skiptoken=1"}"#)
        } _: { (desk: StubDesk) throws in
            let progress = try desk.sync.downloadReporting(
                groups: [], SyncOptions(), loadsLinks: true)
            #expect(progress.refused.isEmpty)
            #expect(try desk.rows("SELECT ID, Name FROM Customers") == ["1 a", "2 b"])
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["1", "2"])
            #expect(progress.unknownLinks.keys.contains("Customers/Orders"))
            #expect(desk.asked.filter { $0.resource.hasPrefix("Customers(1)") }.count == 1)
            // Only what speaks of the expansion is kept in mind.
            #expect(progress.lessons.isEmpty == (status != 501))
        }
    }

    @Test func aSetWithAPageForPeopleKeepsNoOther() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource.hasPrefix("Customers")
                ? StubDesk.Said(type: "text/html", body: "<html>") : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            #expect(
                failure { try desk.sync.download() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/s/Customers"))
            #expect(try desk.rows("SELECT ID FROM Orders ORDER BY ID") == ["1", "2"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
            #expect(try !desk.sync.hasInitialData())
        }
    }

    @Test func aSetThatWantsToKnowWhoAsksKeepsNoOther() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource.hasPrefix("Orders") ? .status(401) : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            #expect(
                failure { try desk.sync.download() }
                    == Failure(DataServiceError.self, .service, at: "Orders", status: 401))
            #expect(try desk.rows("SELECT count(*) FROM Customers") == ["2"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
        }
    }

    @Test func aSingletonSurvivesRefreshes() async throws {
        try await StubDesk.run(StubDesk.schema) {
            Self.whole($0)
        } _: { (desk: StubDesk) throws in
            for _ in 0..<3 {
                try desk.sync.download()
                #expect(try desk.rows("SELECT ID, Title FROM Head") == ["1 head"])
            }
        }
    }

    @Test func linksOfTheHostBehindAGatewayAreFollowedThere() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Orders":
                .page(
                    #"{"ID":1,"Title":"x"}"#,
                    #","@odata.nextLink":"https://back.invalid:8443/s/Orders?$skiptoken=1""#)
            case "Orders?$skiptoken=1":
                .page(
                    #"{"ID":2,"Title":"y"}"#,
                    #","@odata.deltaLink":"https://back.invalid:8443/s/Orders?$deltatoken=1""#)
            case "Orders?$deltatoken=1":
                .page(#"{"ID":2,"Title":"z"}"#, #","@odata.deltaLink":"Orders?$deltatoken=2""#)
            default: Self.whole(asked)
            }
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Title FROM Orders") == ["1 x", "2 y"])
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Title FROM Orders") == ["1 x", "2 z"])
            #expect(
                desk.asked.last { $0.resource.hasPrefix("Orders") }?.resource
                    == "Orders?$deltatoken=1")
        }
    }

    @Test func linksToOtherServicesAreRefusedByName() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource == "Orders"
                ? .page(
                    #"{"ID":1,"Title":"x"}"#,
                    #","@odata.nextLink":"https://else.invalid/Orders?$skiptoken=1""#)
                : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            let error = #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(error?.message?.contains("else.invalid") == true)
            #expect(error?.code == .service && error?.place?.path == "Orders")
            #expect(try desk.rows("SELECT count(*) FROM Customers") == ["2"])
        }
    }

    @Test func pagesThatLeadToThemselvesEndWithAnErrorOfTheSet() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource.hasPrefix("Orders")
                ? .page(#"{"ID":1,"Title":"x"}"#, #","@odata.nextLink":"Orders?$skiptoken=1""#)
                : Self.whole(asked)
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                let error = #expect(throws: DataServiceError.self) { try desk.sync.download() }
                #expect(error?.message?.contains("leads to an earlier page") == true)
                #expect(error?.code == .service && error?.place?.path == "Orders")
                #expect(try desk.rows("SELECT count(*) FROM Customers") == ["2"])
            }
            #expect(desk.asked.filter { $0.resource.hasPrefix("Orders") }.count <= 12)
        }
    }
}
