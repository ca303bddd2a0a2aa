import Foundation
import OData
import ODataQuery
import ODataServer
import ODataTesting
import Testing

@Suite("The Swift face: values of all types")
struct ValueTests {
    @Test(
        "SWI-015 Values come from the service, pass through the file and go back as they were; unknown members too"
    )
    func roundTrip() async throws {
        let folder = try TestFolder.makeFast("odata-face-")
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try await onOwnThread { try LoopbackService { Self.answer($0, $1) } }
        let url = try #require(URL(string: service.root))
        let store = try await OfflineStore(
            service: url, at: .file(folder.appendingPathComponent("things")),
            download: .set(Thing.self) { $0.where { $0.state.in([.on, .future]) } })
        try await store.sync()
        #expect(
            service.lines.contains {
                $0.removingPercentEncoding?.contains("$filter=State in ('On','Later')") == true
                    || $0.removingPercentEncoding?.contains("Later") == true
            })
        let thing = try #require(try await store.fetch(Thing.all).first)
        #expect(thing.state == .future && thing.rights.rawValue == "Read,Write")
        #expect(thing.level == 2 && thing.tags == ["a", "b"] && thing.blob == Data([1, 2, 255]))
        #expect(thing.place?.point?.latitude == 49.25 && thing.place?.point?.longitude == 8.5)
        #expect(thing.due == ClockTime(hour: 8, minute: 30))
        #expect(thing.length == .seconds(90_000) + .milliseconds(250))
        #expect(thing.at.description == "2026-03-01T10:15:00+02:00")
        #expect(thing.at.offsetMinutes == 120)
        #expect(thing.at.date == Date(timeIntervalSince1970: 1_772_352_900))
        #expect(thing.big == ExactDecimal("12345678901234567890.50"))
        #expect(thing.big.description.hasPrefix("12345678901234567890.5"))
        #expect(thing.home?.city == "Ulm" && thing.home?.kind == .on)
        #expect(thing.others.map(\.city) == [nil, "Bonn"] && thing.others.last?.kind == .future)
        let inUlm = Thing.all.where { $0.home.city == "Ulm" }.order(by: \.home.city)
        #expect(try await store.fetch(inUlm).count == 1)
        #expect(try await store.fetch(Thing.all.where { $0.home.city != "Ulm" }).isEmpty)
        #expect(try await store.fetch(Thing.all.where { $0.state == .future }).count == 1)
        #expect(try await store.fetch(Thing.all.where { $0.state == .on }).isEmpty)
        #expect(try await store.fetch(Thing.all.where { $0.at < thing.at }).isEmpty)
        #expect(try await store.fetch(Thing.all.where { $0.length >= thing.length }).count == 1)

        let (_, done) = try await store.write { tx in
            try tx.update(thing) {
                $0.state = .on
                $0.place = Geography(latitude: 1, longitude: -2)
                $0.length = .milliseconds(-1_500)
                $0.tags.append("c")
                $0.due = nil
                $0.home?.city = "Kiel"
                $0.others.removeFirst()
            }
        }
        try await store.sync()
        try await done.settled()
        let sent = try #require(service.requests.first { $0.method == "PATCH" })
        let body = try #require(
            try JSONSerialization.jsonObject(with: Data(sent.body)) as? [String: Any])
        #expect(Set(body.keys) == ["State", "Place", "Length", "Tags", "Due", "Home", "Others"])
        #expect(body["Home"] as? [String: String] == ["City": "Kiel", "Kind": "On"])
        #expect(body["Others"] as? [[String: String]] == [["City": "Bonn", "Kind": "Later"]])
        #expect(body["State"] as? String == "On" && body["Length"] as? String == "-PT1.5S")
        #expect(body["Tags"] as? [String] == ["a", "b", "c"] && body["Due"] is NSNull)
        let place = body["Place"] as? [String: Any]
        #expect(place?["coordinates"] as? [Double] == [-2, 1])
    }

    @Test("SWI-016 Texts that are no values make none, and nothing traps at the ends")
    func ends() {
        #expect(ExactDecimal("1,5") == nil && ExactDecimal(Decimal.nan) == nil)
        #expect(OffsetDateTime("yesterday") == nil && CalendarDate("2026-02-30") == nil)
        #expect(OffsetDateTime(.distantFuture)?.date == .distantFuture)
        #expect(OffsetDateTime(Date(timeIntervalSince1970: 1e300)) == nil)
        #expect(OffsetDateTime(Date(), offsetMinutes: 100_000) == nil)
        #expect(ClockTime(hour: 25, minute: 0) == nil && Geography("POINT(") == nil)
        #expect((Duration.seconds(Int64.min).storedValue) != .null)
        #expect(ExactDecimal(1.5 as Decimal)?.decimalValue == 1.5)
        #expect(
            ExactDecimal(floatLiteral: .nan) == 0 && (12.5 as ExactDecimal).description == "12.5")
    }

    private static func answer(_ request: RequestMessage, _ number: Int) -> HTTPEdge.Outcome {
        func answer(_ status: Int, _ type: String, _ text: String) -> HTTPEdge.Outcome {
            var headers = HeaderFields()
            headers["Content-Type"] = type
            headers["OData-Version"] = "4.0"
            return .answer(
                ResponseMessage(status: status, headers: headers, body: Array(text.utf8)))
        }
        if request.url.hasSuffix("$metadata") { return answer(200, "application/xml", metadata) }
        if request.method == "PATCH" { return answer(204, "application/json", "") }
        if request.url.contains("Things(") { return answer(200, "application/json", thing) }
        if request.url.contains("Things") {
            return answer(200, "application/json", #"{"value": [\#(thing)]}"#)
        }
        return answer(404, "application/json", #"{"error": {"code": "x", "message": "Not here."}}"#)
    }

    private static let thing = """
        {"Id": 1, "State": "Later", "Rights": "Read,Write", "Level": 2, "Tags": ["a", "b"],
        "Blob": "AQL_", "Place": {"type": "Point", "coordinates": [8.5, 49.25]},
        "Due": "08:30:00", "Length": "P1DT1H0.25S", "At": "2026-03-01T10:15:00+02:00",
        "Big": 12345678901234567890.50, "Home": {"City": "Ulm", "Kind": "On"},
        "Others": [{"City": null, "Kind": "Off"}, {"City": "Bonn", "Kind": "Later"}]}
        """

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="T" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="State"><Member Name="Off" Value="0"/><Member Name="On" Value="1"/>
        <Member Name="Later" Value="2"/></EnumType>
        <EnumType Name="Rights" IsFlags="true"><Member Name="Read" Value="1"/>
        <Member Name="Write" Value="2"/></EnumType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
        <Property Name="Kind" Type="T.State" Nullable="false"/></ComplexType>
        <EntityType Name="Thing"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="State" Type="T.State" Nullable="false"/>
        <Property Name="Rights" Type="T.Rights" Nullable="false"/>
        <Property Name="Level" Type="T.State" Nullable="false"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <Property Name="Blob" Type="Edm.Binary" Nullable="false"/>
        <Property Name="Place" Type="Edm.GeographyPoint"/>
        <Property Name="Due" Type="Edm.TimeOfDay"/>
        <Property Name="Length" Type="Edm.Duration" Nullable="false"/>
        <Property Name="At" Type="Edm.DateTimeOffset" Nullable="false"/>
        <Property Name="Big" Type="Edm.Decimal" Precision="30" Scale="2" Nullable="false"/>
        <Property Name="Home" Type="T.Address"/>
        <Property Name="Others" Type="Collection(T.Address)" Nullable="false"/>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Things" EntityType="T.Thing"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
}

/// An enumeration of which the app knows one member only.
private struct State: OpenEnum {
    let rawValue: String
    static let on = State(rawValue: "On")
    static let future = State(rawValue: "Later")
}

private struct Rights: OpenEnum {
    let rawValue: String
}

private struct Thing: Entity {
    static let entitySet = "Things"
    let ref: Ref<Thing>
    var state: State
    var rights: Rights
    var level: Int
    var tags: [String]
    var blob: Data
    var place: Geography?
    var due: ClockTime?
    var length: Duration
    var at: OffsetDateTime
    var big: ExactDecimal
    var home: Address?
    var others: [Address]

    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        state = try row.value("State")
        rights = try row.value("Rights")
        level = try row.value("Level")
        tags = try row.value("Tags")
        blob = try row.value("Blob")
        place = try row.value("Place")
        due = try row.value("Due")
        length = try row.value("Length")
        at = try row.value("At")
        big = try row.value("Big")
        home = try row.value("Home")
        others = try row.value("Others")
    }

    func write(to values: inout Values) {
        values.set("State", state)
        values.set("Rights", rights)
        values.set("Level", level)
        values.set("Tags", tags)
        values.set("Blob", blob)
        values.set("Place", place)
        values.set("Due", due)
        values.set("Length", length)
        values.set("At", at)
        values.set("Big", big)
        values.set("Home", home)
        values.set("Others", others)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var state: Field<State> { path.field("State") }
        var length: Field<Duration> { path.field("Length") }
        var at: Field<OffsetDateTime> { path.field("At") }
        var home: Address.Fields { path.complex("Home") }
    }
}

private struct Address: ComplexValue {
    var city: String?
    var kind: State

    init(_ row: Row) throws(ODataError) {
        city = try row.value("City")
        kind = try row.value("Kind")
    }

    func write(to values: inout Values) {
        values.set("City", city)
        values.set("Kind", kind)
    }

    struct Fields: FieldSet {
        private let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var city: Field<String?> { path.field("City") }
    }
}
