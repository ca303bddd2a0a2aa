import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Contained entities come by `$expand` alone: where no read brings them they are unknown, never none (docs/design.md,
/// decision 11).
@Suite struct ContainedDownloadTests {
    private static let restricted =
        "<Annotation Term=\"Org.OData.Capabilities.V1.ExpandRestrictions\"><Record>"
        + "<PropertyValue Property=\"Expandable\" Bool=\"false\"/></Record></Annotation>"

    private static func schema(_ annotation: String = "") -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Notes" Type="Collection(D.Note)" ContainsTarget="true"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="Line"/></Key>
            <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C">
            <EntitySet Name="Customers" EntityType="D.Customer">\(annotation)</EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private static let bare = StubDesk.Said.page(#"{"ID":1,"Name":"a"},{"ID":2,"Name":"b"}"#)
    private static let whole = StubDesk.Said.page(
        #"{"ID":1,"Name":"a","Notes":[{"Line":7,"Text":"n"}]},{"ID":2,"Name":"b","Notes":[]}"#)

    private static func sync(_ desk: StubDesk) throws -> DownloadProgress {
        try desk.sync.downloadReporting(groups: [], SyncOptions(), loadsLinks: true)
    }

    private static func query(_ desk: StubDesk, _ url: String) throws -> QueryResult {
        let query = DataQuery()
        query.url = url
        return try desk.sync.executeQuery(query, headers: .empty, options: .none)
    }

    private static func count(_ desk: StubDesk, _ url: String) throws -> Int {
        try query(desk, url).entityList().length
    }

    private static let unknown = Failure(UndefinedError.self, .notLoaded, at: "Customers/Notes")

    private static func expectUnknown(_ desk: StubDesk) throws {
        let urls = [
            "Customers(1)/Notes", "Customers(1)/Notes/$count",
        ]
        for url in urls { #expect(failure { try query(desk, url) } == unknown, "\(url)") }
        let customer = try query(desk, "Customers(1)").requiredEntity()
        let notes = customer.entityType.property(withName: "Notes")
        let error = #expect(throws: UndefinedError.self) {
            try DataService(provider: desk.sync).loadProperty(notes, into: customer)
        }
        #expect(error?.code == .notLoaded)
        #expect(try count(desk, "Customers") == 2)
        for url in ["Customers?$expand=Notes", "Customers?$expand=Notes($filter=Line eq 7)"] {
            let found = try query(desk, url).entityList()
            #expect(found.length == 2 && found.allSatisfy { !$0.hasDataValue(for: notes) })
        }
        let one = try query(desk, "Customers(1)?$expand=Notes").requiredEntity()
        #expect(!one.hasDataValue(for: notes))
    }

    @Test(arguments: [true, false]) func whatNoReadBringsIsUnknown(ignores: Bool) async throws {
        try await StubDesk.run(Self.schema()) { asked in
            let isRefused = !ignores && asked.resource.hasPrefix("Customers?$expand=")
            return isRefused ? .status(501) : Self.bare
        } _: { (desk: StubDesk) throws in
            // The second read of a service that refuses does not ask for them.
            for _ in 0..<2 {
                let result = try Self.sync(desk)
                #expect(result.skipped.isEmpty)
                #expect(result.unknownLinks.keys.sorted() == ["Customers/Notes"])
                #expect(
                    result.unknownLinks["Customers/Notes"]?.contains(
                        ignores ? "no download has brought them" : "refuses $expand") == true)
                try Self.expectUnknown(desk)
            }
        }
    }

    @Test func whatTheServiceSaysItCannotExpandIsUnknown() async throws {
        try await StubDesk.run(Self.schema(Self.restricted)) { _ in
            Self.bare
        } _: { (desk: StubDesk) throws in
            let result = try Self.sync(desk)
            #expect(desk.asked.allSatisfy { !$0.resource.contains("expand") })
            #expect(
                result.unknownLinks == [
                    "Customers/Notes": "the service says that it cannot be expanded"
                ])
            try Self.expectUnknown(desk)
        }
    }

    @Test func whatALaterReadBringsIsKnownFromThenOn() async throws {
        let isIgnored = Mutex(true)
        try await StubDesk.run(Self.schema()) { _ in
            isIgnored.withLock { $0 } ? Self.bare : Self.whole
        } _: { (desk: StubDesk) throws in
            _ = try Self.sync(desk)
            try Self.expectUnknown(desk)
            #expect(try desk.rows("SELECT navigation FROM _odata_loaded") == ["!Notes"])
            // A read that tells nothing takes nothing away from an earlier one.
            for ignores in [false, true] {
                isIgnored.withLock { $0 = ignores }
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                #expect(try desk.rows("SELECT navigation FROM _odata_loaded") == ["Notes"])
                #expect(try Self.count(desk, "Customers(1)/Notes") == 1)
                #expect(try Self.count(desk, "Customers(2)/Notes") == 0)
                #expect(try Self.count(desk, "Customers?$expand=Notes") == 2)
            }
        }
    }

    @Test func whatComesOnPagesOfItsOwnIsKnown() async throws {
        try await StubDesk.run(Self.schema()) { asked in
            switch asked.resource {
            case "Customers(1)/Notes?$skiptoken=0": .page(#"{"Line":7,"Text":"n"}"#)
            case "Customers(2)/Notes?$skiptoken=0": .page("")
            default:
                .page(
                    [1, 2].map {
                        "{\"ID\":\($0),\"Notes@odata.nextLink\":\"Customers(\($0))/Notes?$skiptoken=0\"}"
                    }.joined(separator: ","))
            }
        } _: { (desk: StubDesk) throws in
            // The second read finds the rows there.
            for _ in 0..<2 {
                #expect(try Self.sync(desk).unknownLinks.isEmpty)
                #expect(try Self.count(desk, "Customers(1)/Notes") == 1)
                #expect(try Self.count(desk, "Customers(2)/Notes") == 0)
            }
        }
    }

    @Test func aStoreFromBeforeTheMarkReadsAsItDid() async throws {
        try await StubDesk.run(Self.schema()) { _ in
            Self.bare
        } _: { (desk: StubDesk) throws in
            _ = try Self.sync(desk)
            try desk.changeStore("DELETE FROM _odata_loaded")
            #expect(try Self.count(desk, "Customers(1)/Notes") == 0)
            #expect(try Self.count(desk, "Customers?$expand=Notes") == 2)
        }
    }

    /// What was made here is known here.
    @Test func anEntityMadeHereKnowsWhatItContains() async throws {
        try await StubDesk.run(Self.schema()) { _ in
            Self.bare
        } _: { (desk: StubDesk) throws in
            _ = try Self.sync(desk)
            let set = desk.sync.metadata.entitySet(withName: "Customers")
            let made = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "ID").setIntValue(in: made, to: 5)
            try desk.sync.createEntity(made, headers: .empty, options: .none)
            #expect(try Self.count(desk, "Customers(5)/Notes") == 0)
            #expect(try Self.count(desk, "Customers?$expand=Notes&$filter=ID eq 5") == 1)
            // A row that is there is read, and tells nothing of its parent's neighbours.
            let parent = try Self.query(desk, "Customers(1)").requiredEntity()
            let property = set.entityType.property(withName: "Notes")
            let note = EntityValue.ofType(property.itemEntityType)
            property.itemEntityType.property(withName: "Line").setIntValue(in: note, to: 9)
            (note.parentEntity, note.parentProperty) = (parent, property)
            try desk.sync.createEntity(note, headers: .empty, options: .none)
            #expect(try Self.count(desk, "Customers(1)/Notes") == 1)
            #expect(try Self.count(desk, "Customers?$expand=Notes&$filter=ID eq 1") == 1)
            #expect(failure { try Self.query(desk, "Customers(2)/Notes") } == Self.unknown)
            let all = try Self.query(desk, "Customers?$expand=Notes").entityList()
            // Those that were made here, or beneath whom one was, are known; the other customer's are not.
            #expect(all.filter { $0.hasDataValue(for: property) }.count == all.length - 1)
        }
    }
}
