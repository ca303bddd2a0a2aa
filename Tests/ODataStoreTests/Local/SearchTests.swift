import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import ODataWire
import Testing

@Suite struct SearchTests {
    private func names(_ fixture: StoreFixture, _ search: String) throws -> [String] {
        var query = try URLParser.parse(
            "Customers?$search=\(search.replacing(" ", with: "%20"))&$orderby=Name",
            graph: try fixture.graph(), dialect: .v401)
        try QueryChecker.check(&query, graph: try fixture.graph())
        return try fixture.store.execute(query).values.map { value in
            guard case .string(let name)? = value.slots[1]?.scalar else { return "" }
            return name
        }
    }

    @Test func theIndexIsKeptInStep() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Anna Blue")
        let second = try fixture.downloadCustomer(2, "Ben Blue-Green")
        let error = #expect(throws: ODataError.self) { _ = try names(fixture, "blue") }
        #expect(error?.location == .path("Customers"))
        #expect(error?.code == .notImplemented)
        try fixture.store.createSearchIndex(on: "Customers", paths: ["Name"])
        try fixture.store.createSearchIndex(on: "Customers", paths: ["Name"])
        #expect(try names(fixture, "blue") == ["Anna Blue", "Ben Blue-Green"])
        #expect(try names(fixture, "blue NOT green") == ["Anna Blue"])
        #expect(try names(fixture, "anna OR green") == ["Anna Blue", "Ben Blue-Green"])
        #expect(try names(fixture, "\"anna blue\"") == ["Anna Blue"])
        #expect(try names(fixture, "\"blue anna\"") == [])
        // Local changes, downloads and deletions.
        try fixture.update(second, ["Name": .text("Ben Red")])
        #expect(try names(fixture, "blue") == ["Anna Blue"])
        try fixture.downloadCustomer(3, "Carl Blue")
        #expect(try names(fixture, "blue") == ["Anna Blue", "Carl Blue"])
        try fixture.store.perform(.delete(try fixture.row("Customers", 3)))
        #expect(try names(fixture, "blue") == ["Anna Blue"])
        _ = try fixture.create("Customers", ["ID": .number(9), "Name": .text("blue \"one\"")])
        try fixture.reopen()
        #expect(try names(fixture, "blue").count == 2)
    }

    @Test func theIndexGoesOnBehindOtherMetadata() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Anna Blue")
        try fixture.store.createSearchIndex(on: "Customers", paths: ["Name"])
        let text = StoreFixture.metadata.replacing(
            "<Property Name=\"Street\" Type=\"Edm.String\"/>",
            with: "<Property Name=\"Street\" Type=\"Edm.Int32\"/>")
        #expect(text != StoreFixture.metadata)
        try fixture.store.adopt(metadata: text, graph: try CSDLReader.read(Array(text.utf8)))
        #expect(try names(fixture, "blue") == ["Anna Blue"])
        try fixture.downloadCustomer(3, "Carl Blue")
        #expect(try names(fixture, "blue") == ["Anna Blue", "Carl Blue"])
    }

    @Test func aSearchIsOneStepAmongOthers() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Anna Blue")
        try fixture.downloadCustomer(2, "Ben Green")
        try fixture.store.createSearchIndex(on: "Customers", paths: ["Name"])
        let graph = try fixture.graph()
        var query = try URLParser.parse(
            "Customers?$apply=filter(ID%20eq%201)/search(blue%20OR%20green)", graph: graph,
            dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        #expect(try fixture.store.execute(query).rowCount == 1)
    }

    @Test func onlyTextIsSearched() throws {
        let fixture = try StoreFixture()
        let error = #expect(throws: ODataError.self) {
            try fixture.store.createSearchIndex(on: "Orders", paths: ["Amount"])
        }
        #expect(error?.location == .path("Orders"))
        #expect(error?.code == .invalidQuery)
        let unknown = #expect(throws: ODataError.self) {
            try fixture.store.createSearchIndex(on: "Orders", paths: ["Nowhere"])
        }
        #expect(unknown?.location == .path("Orders/Nowhere"))
        #expect(unknown?.code == .unknownName)
    }
}
