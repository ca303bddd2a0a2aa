import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// What rows contain that came through an expansion themselves: unknown where no read brings it, never none
/// (docs/design.md, decision 11).
@Suite struct NestedContainedTests {
    /// Orders have items, either contained or of a set of their own, and items contain notes.
    private static func schema(ownSet: Bool) -> String {
        let items =
            ownSet
            ? #"<EntitySet Name="Items" EntityType="D.Item"/>"# : ""
        let binding =
            ownSet ? #"<NavigationPropertyBinding Path="Items" Target="Items"/>"# : ""
        return """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Items" Type="Collection(D.Item)" ContainsTarget="\(!ownSet)"/>
            </EntityType>
            <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Name" Type="Edm.String"/>
                <NavigationProperty Name="Notes" Type="Collection(D.Note)" ContainsTarget="true"/>
            </EntityType>
            <EntityType Name="Note"><Key><PropertyRef Name="Line"/></Key>
                <Property Name="Line" Type="Edm.Int32" Nullable="false"/></EntityType>
            <EntityContainer Name="C">
                <EntitySet Name="Orders" EntityType="D.Order">\(binding)</EntitySet>\(items)
            </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static func order(_ notes: String, id: Int = 1) -> String {
        "{\"ID\":\(id),\"Items\":[{\"ID\":7,\"Name\":\"n\"\(notes)}]}"
    }

    private static let bare = StubDesk.Said.page(order(""))
    private static let empty = StubDesk.Said.page(order(#","Notes":[]"#))
    private static let filled = StubDesk.Said.page(order(#","Notes":[{"Line":3}]"#))

    private static func sync(_ desk: StubDesk) throws -> DownloadProgress {
        try desk.sync.downloadReporting(groups: [], SyncOptions(), loadsLinks: true)
    }

    /// Downloads nothing but these queries.
    private static func prepare(_ desk: StubDesk, _ queries: String...) throws {
        desk.sync.noDefaultEntityDownload()
        for (number, url) in queries.enumerated() {
            let query = DataQuery()
            query.url = url
            try desk.sync.createDownloadQuery(name: "q\(number)", query: query, streams: false)
        }
    }

    private static func entities(_ desk: StubDesk, _ url: String) throws -> EntityValueList {
        let query = DataQuery()
        query.url = url
        return try desk.sync.executeQuery(query, headers: .empty, options: .none).entityList()
    }

    private static func count(_ desk: StubDesk, _ url: String) throws -> Int {
        try entities(desk, url).length
    }

    private static func expectUnknown(_ desk: StubDesk, ownSet: Bool = false) throws {
        let name = ownSet ? "Items/Notes" : "Orders/Items/Notes"
        let unknown = Failure(UndefinedError.self, .notLoaded, at: name)
        var urls = ["Orders(1)/Items(7)/Notes"]
        if ownSet { urls += ["Items(7)/Notes"] }
        for url in urls { #expect(failure { try count(desk, url) } == unknown, "\(url)") }
        // What is expanded on the way is there, and the notes are not set.
        let order = try entities(desk, "Orders?$expand=Items($expand=Notes)").single()
        let item = order.entityType.property(withName: "Items").entityList(from: order).single()
        let notes = item.entityType.property(withName: "Notes")
        #expect(!item.hasDataValue(for: notes) && notes.optionalValue(from: item) == nil)
        if ownSet {
            #expect(try !entities(desk, "Items?$expand=Notes").single().hasDataValue(for: notes))
        }
        #expect(try count(desk, "Orders(1)/Items") == 1)
        #expect(try count(desk, "Orders?$expand=Items") == 1)
    }

    private static func expectKnown(_ desk: StubDesk, _ count: Int = 0) throws {
        #expect(try Self.count(desk, "Orders(1)/Items(7)/Notes") == count)
        let order = try entities(desk, "Orders?$expand=Items($expand=Notes)").single()
        let item = order.entityType.property(withName: "Items").entityList(from: order).single()
        #expect(item.hasDataValue(for: item.entityType.property(withName: "Notes")))
    }

    private static func marks(_ desk: StubDesk) throws -> [String] {
        try desk.rows(
            "SELECT \"table\", navigation FROM _odata_loaded WHERE navigation LIKE '%Notes'")
    }

    @Test(arguments: [true, false]) func whatAQueryDoesNotAskForIsUnknown(
        ownSet: Bool
    ) async throws {
        try await StubDesk.run(Self.schema(ownSet: ownSet)) { _ in
            Self.bare
        } _: { (desk: StubDesk) throws in
            try Self.prepare(desk, "Orders?$expand=Items")
            // The second read finds the rows there.
            for _ in 0..<2 {
                let name = ownSet ? "Items/Notes" : "Orders/Items/Notes"
                #expect(
                    try Self.sync(desk).unknownLinks == [name: "no download has brought them"])
                try Self.expectUnknown(desk, ownSet: ownSet)
            }
        }
    }

    @Test(arguments: [true, false]) func whatAQueryAsksForIsKnownToBeEmpty(
        ownSet: Bool
    ) async throws {
        try await StubDesk.run(Self.schema(ownSet: ownSet)) { _ in
            Self.empty
        } _: { (desk: StubDesk) throws in
            try Self.prepare(desk, "Orders?$expand=Items($expand=Notes)")
            for _ in 0..<2 {
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                try Self.expectKnown(desk)
            }
        }
    }

    @Test func whatTheServiceLeavesOutIsUnknownUntilItComes() async throws {
        let answer = Mutex(Self.bare)
        try await StubDesk.run(Self.schema(ownSet: false)) { _ in
            answer.withLock { $0 }
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                _ = try Self.sync(desk)
                try Self.expectUnknown(desk)
            }
            #expect(
                desk.asked.contains {
                    $0.resource.hasPrefix("Orders?$expand=Items($expand=Notes)")
                })
            answer.withLock { $0 = Self.filled }
            _ = try Self.sync(desk)
            try Self.expectKnown(desk, 1)
            // A read that tells nothing takes nothing away from an earlier one.
            for said in [Self.empty, Self.bare] {
                answer.withLock { $0 = said }
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                try Self.expectKnown(desk)
                #expect(try Self.marks(desk) == ["Orders/Items Notes"])
            }
        }
    }

    /// The first query says nothing of what the second asks for, though that brings no rows yet.
    @Test(arguments: [true, false]) func whatAnotherQueryAsksForIsLeftToIt(
        bringsRows: Bool
    ) async throws {
        try await StubDesk.run(Self.schema(ownSet: false)) { asked in
            guard asked.resource.contains("Notes") else { return Self.bare }
            return .page(bringsRows ? Self.order(#","Notes":[]"#, id: 2) : "")
        } _: { (desk: StubDesk) throws in
            try Self.prepare(
                desk, "Orders?$filter=ID eq 1&$expand=Items",
                "Orders?$filter=ID eq 2&$expand=Items($expand=Notes)")
            for _ in 0..<2 {
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                #expect(try Self.marks(desk) == (bringsRows ? ["Orders/Items Notes"] : []))
                try #require(try Self.count(desk, "Orders(1)/Items(7)/Notes") == 0)
            }
        }
    }

    /// Items without any rows say nothing of notes.
    @Test func withoutRowsNothingIsSaid() async throws {
        try await StubDesk.run(Self.schema(ownSet: false)) { _ in
            .page(#"{"ID":1,"Items":[]}"#)
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                #expect(try Self.marks(desk) == [])
            }
        }
    }

    /// The items, or their notes, come on pages of their own.
    @Test(arguments: [true, false]) func whatComesOnPagesOfItsOwnIsKnown(
        items: Bool
    ) async throws {
        try await StubDesk.run(Self.schema(ownSet: false)) { asked in
            switch asked.resource {
            case "Orders(1)/Items?skip=0": .page(#"{"ID":7,"Name":"n","Notes":[]}"#)
            case "Orders(1)/Items(7)/Notes?skip=0": .page("")
            default:
                items
                    ? .page(#"{"ID":1,"Items@odata.nextLink":"Orders(1)/Items?skip=0"}"#)
                    : .page(
                        Self.order(#","Notes@odata.nextLink":"Orders(1)/Items(7)/Notes?skip=0""#))
            }
        } _: { (desk: StubDesk) throws in
            for _ in 0..<2 {
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                try Self.expectKnown(desk)
                #expect(try Self.marks(desk) == ["Orders/Items Notes"])
            }
        }
    }

    /// The rest of an interrupted read has no rows: what the page before has said counts.
    @Test(arguments: [true, false]) func whatCameBeforeAnInterruptionCounts(
        isBare: Bool
    ) async throws {
        let isStopped = Mutex(true)
        try await StubDesk.run(Self.schema(ownSet: false)) { asked in
            if asked.resource.contains("skip=1") {
                return isStopped.withLock { $0 } ? .status(403) : .page("")
            }
            let row = Self.order(isBare ? "" : #","Notes":[]"#)
            return .page(row, #","@odata.nextLink":"Orders?skip=1""#)
        } _: { (desk: StubDesk) throws in
            #expect(try Self.sync(desk).refused.count == 1)
            isStopped.withLock { $0 = false }
            _ = try Self.sync(desk)
            if isBare { try Self.expectUnknown(desk) } else { try Self.expectKnown(desk) }
        }
    }

    /// What was made here is known here.
    @Test func anItemMadeHereKnowsWhatItContains() async throws {
        try await StubDesk.run(Self.schema(ownSet: false)) { _ in
            Self.bare
        } _: { (desk: StubDesk) throws in
            _ = try Self.sync(desk)
            let query = DataQuery()
            query.url = "Orders(1)"
            let order = try desk.sync.executeQuery(query, headers: .empty, options: .none)
                .requiredEntity()
            let property = order.entityType.property(withName: "Items")
            let item = EntityValue.ofType(property.itemEntityType)
            property.itemEntityType.property(withName: "ID").setIntValue(in: item, to: 9)
            (item.parentEntity, item.parentProperty) = (order, property)
            try desk.sync.createEntity(item, headers: .empty, options: .none)
            #expect(try Self.count(desk, "Orders(1)/Items(9)/Notes") == 0)
            let unknown = Failure(UndefinedError.self, .notLoaded, at: "Orders/Items/Notes")
            #expect(failure { try Self.count(desk, "Orders(1)/Items(7)/Notes") } == unknown)
        }
    }
}
