import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import Testing
import WorkplaceFixture

/// Dynamic properties of open types: downloaded, queried, written, sent, and what they become when they are declared.
@Suite struct OpenTypeTests {
    private static func schema(_ declared: String = "") -> String {
        """
        <EntityType Name="Item" OpenType="true"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>\(declared)</EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="Demo.Item"/></EntityContainer>
        """
    }

    private static let page = """
        {"Id":1,"Name":"a","Color":"red","Weight":2.5,"New":true,"Count":7},
        {"Id":2,"Name":"b","Color":"blue","Since@odata.type":"#Date","Since":"2026-03-01","Count":70},
        {"Id":3,"Name":"c"},{"Id":4,"Name":"d","Color":null,"Weight":10}
        """

    private static func run(
        _ body: @escaping @Sendable (ServiceWorkplace, WrittenService) throws -> Void
    ) async throws {
        try await WrittenService.run(schema(), pages: ["Items": page], body)
    }

    private static func ids(_ place: ServiceWorkplace, _ url: String) throws -> String {
        try place.entities(url).map { $0.shown("Id") }.joined()
    }

    private static func dynamic(_ place: ServiceWorkplace, _ id: Int) throws -> String? {
        try place.storeText("SELECT _odata_dynamic FROM Items WHERE Id = \(id)")
    }

    @Test func dynamicPropertiesAreKeptAndAskedFor() async throws {
        try await Self.run { place, _ in
            let rows = try place.storeRows(
                "SELECT json_extract(_odata_dynamic, '$.Color') FROM Items ORDER BY Id")
            #expect(rows.map { $0[0] as String? ?? "-" } == ["red", "blue", "-", "-"])
            let questions = [
                ("Items?$filter=Color eq 'red'", "1"),
                ("Items?$filter=Color ne 'red'", "2"),
                ("Items?$filter=Color eq null&$orderby=Id", "34"),
                ("Items?$filter=startswith(Color,'b')", "2"),
                ("Items?$filter=Weight gt 2&$orderby=Weight desc", "41"),
                ("Items?$filter=New eq true", "1"), ("Items?$filter=Count gt 9", "2"),
                ("Items?$orderby=Color,Id desc", "4321"),
                ("Items?$filter=Color in ('red','blue')&$orderby=Id", "12"),
            ]
            for (url, ids) in questions { #expect(try Self.ids(place, url) == ids, "\(url)") }
            let two = try #require(
                try place.entities("Items?$filter=Id eq 2&$select=Id,Color,Since").first)
            #expect(two.shown("Color") == "blue" && two.shown("Since") == "2026-03-01")
            let whole = try #require(try place.entities("Items?$filter=Id eq 1").first)
            #expect(whole.shown("Weight") == "2.5" && whole.shown("New") == "true")
        }
    }

    @Test func dynamicPropertiesAreWrittenSentAndUndone() async throws {
        try await Self.run { place, service in
            let one = try #require(try place.entities("Items?$filter=Id eq 1").first)
            one.setDynamicValue("Color", StringValue.of("gr\u{FC}n"))
            one.setDynamicValue("Size", IntValue.of(5))
            try place.sync.update(one)
            let new = EntityValue.ofType(place.set("Items").entityType).inSet(place.set("Items"))
            new.entityType.property(withName: "Id").setIntValue(in: new, to: 9)
            new.setDynamicValue("Color", StringValue.of("white"))
            try place.sync.create(new)
            #expect(
                try Self.ids(place, "Items?$filter=Size eq 5 or Color eq 'white'&$orderby=Id")
                    == "19")
            let stored = try Self.dynamic(place, 1) ?? ""
            #expect(stored.contains("gr\u{FC}n") && stored.contains("Weight"), "\(stored)")
            try place.sync.undoPendingChanges(for: EntityValueList.fromArray([one]))
            #expect(try Self.ids(place, "Items?$filter=Color eq 'red' and Size eq null") == "1")
            let again = try #require(try place.entities("Items?$filter=Id eq 1").first)
            again.setDynamicValue("Size", IntValue.of(6))
            try place.sync.update(again)
            try place.sync.upload()
            let changes = service.changes
            #expect(changes.count == 2, "\(changes)")
            #expect(
                changes.contains {
                    $0.hasPrefix("POST Items ") && $0.contains(#""Color":"white""#)
                }, "\(changes)")
            #expect(
                changes.contains { $0.hasPrefix("PATCH Items(1) ") && $0.contains(#""Size":6"#) },
                "\(changes)")
        }
    }

    /// What others wrote into the dynamic properties that nobody changed here must stay.
    @Test func anUpdateSendsTheDynamicPropertiesThatChanged() async throws {
        try await Self.run { place, service in
            let one = try #require(try place.entities("Items?$filter=Id eq 1").first)
            one.entityType.property(withName: "Name").setStringValue(in: one, to: "z")
            try place.sync.update(one)
            let stored = try Self.dynamic(place, 1) ?? ""
            #expect(stored.contains("red") && stored.contains("Weight"), "\(stored)")
            try place.sync.upload()
            #expect(service.changes.last?.contains(#"{"Name":"z"}"#) == true, "\(service.changes)")

            let two = try #require(try place.entities("Items?$filter=Id eq 2").first)
            for color in ["green", "blue"] {
                two.setDynamicValue("Color", StringValue.of(color))
                try place.sync.update(two)
                try place.sync.upload()
                #expect(
                    service.changes.last?.contains(#"{"Color":"\#(color)"}"#) == true,
                    "\(service.changes)")
            }
            two.setDynamicValue("Count", nil)
            try place.sync.update(two)
            #expect(try Self.ids(place, "Items?$filter=Count eq 70") == "")
            try place.sync.upload()
            #expect(
                service.changes.last?.contains(#"{"Count":null}"#) == true, "\(service.changes)")
        }
    }

    /// A dynamic property gets declared: what is queued goes up under its name, and the next download fills its column.
    @Test func aDynamicPropertyThatIsDeclaredIsSentAndReadAnew() async throws {
        try await Self.run { place, service in
            let one = try #require(try place.entities("Items?$filter=Id eq 1").first)
            one.setDynamicValue("Color", StringValue.of("green"))
            try place.sync.update(one)
            service.put(Self.schema("<Property Name=\"Color\" Type=\"Edm.String\"/>"))
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            try place.sync.download()
            #expect(try place.sync.queued().count == 1)
            try place.sync.upload()
            #expect(
                service.changes.first?.contains(#""Color":"green""#) == true, "\(service.changes)")
            service.put("Items", Self.page.replacing("red", with: "green"))
            try place.sync.download()
            #expect(try Self.ids(place, "Items?$filter=Color eq 'green'") == "1")
            #expect(try Self.ids(place, "Items?$filter=Color eq 'blue'") == "2")
            #expect(
                try place.storeRows("SELECT Color FROM Items ORDER BY Id").map {
                    $0[0] as String? ?? "-"
                }
                    == ["green", "blue", "-", "-"])
        }
    }
}
