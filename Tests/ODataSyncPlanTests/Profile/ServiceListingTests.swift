import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// What service documents say of sets that are not found.
@Suite struct ServiceListingTests {
    private static let root = "https://h.example/odata/s/"

    private func listing(_ body: String, status: Int = 200) -> ServiceListing? {
        ServiceListing(
            ResponseMessage(status: status, body: Array(body.utf8)), root: Self.root)
    }

    private func remark(_ set: String, _ body: String, asked: String? = nil) throws -> String? {
        try #require(listing(body)).remark(onSet: set, askedAs: asked ?? set)
    }

    private static func v4(_ url: String) -> String {
        #"{"@odata.context":"$metadata","value":[{"name":"Orders","kind":"EntitySet","url":"\#(url)"},"#
            + #"{"name":"Top","kind":"FunctionImport","url":"Top"},"#
            + #"{"name":"Me","kind":"Singleton","url":"Me","title":"Persons"}]}"#
    }

    private static let atom = """
        <service xml:base="https://h.example/odata/s/" xmlns="http://www.w3.org/2007/app"
            xmlns:atom="http://www.w3.org/2005/Atom"><workspace><atom:title>Default</atom:title>
        <collection href="OrderSet"><atom:title>Orders</atom:title></collection>
        <collection href="Tags"><atom:title>Tags</atom:title></collection>
        <collection href="Other.Notes"><atom:title>Notes</atom:title></collection>
        </workspace></service>
        """

    @Test func aSetThatIsNotListedIsNamed() throws {
        let unlisted = "not in the service document"
        #expect(try remark("Tools", Self.v4("Orders")) == unlisted)
        #expect(try remark("Tools", #"{"d":{"EntitySets":["Orders"]}}"#) == unlisted)
        #expect(try remark("Tools", Self.atom) == unlisted)
        // What is called may have any name, and titles in JSON are for people.
        #expect(try remark("Top", Self.v4("Orders")) == unlisted)
        #expect(try remark("Persons", Self.v4("Orders")) == unlisted)
    }

    @Test(arguments: [
        "Orders", "./Orders", "Orders/", "/odata/s/Orders", "https://h.example/odata/s/Orders",
        "http://inside:8080/odata/s/Orders",
    ])
    func aSetUnderItsNameNeedsNoWord(url: String) throws {
        #expect(try remark("Orders", Self.v4(url)) == nil)
    }

    @Test(arguments: [
        ("sales/Orders", "sales/Orders"),
        ("https://h.example/odata/s/sales/Orders?a=b", "sales/Orders"),
        ("/other/Orders", "https://h.example/other/Orders"),
        ("https://u:p@far.example/Orders", "https://far.example/Orders"),
    ])
    func anotherAddressIsTold(url: String, told: String) throws {
        #expect(
            try remark("Orders", Self.v4(url)) == "the service document lists it at \(told)")
    }

    @Test func v2ListsNamesInJSONAndAddressesInAtom() throws {
        #expect(try remark("Orders", #"{"d":{"EntitySets":["Orders"]}}"#) == nil)
        #expect(
            try remark("Orders", Self.atom) == "the service document lists it at OrderSet")
        #expect(try remark("Tags", Self.atom) == nil)
        #expect(try remark("Notes", Self.atom, asked: "Other.Notes") == nil)
        let qualified = #"{"d":{"EntitySets":["Other.Notes"]}}"#
        #expect(try remark("Notes", qualified, asked: "Other.Notes") == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"value":[]}"#, #"{"value":[{"ID":1}]}"#,
        "<!DOCTYPE html><html><title>Log on</title></html>", "<html/>", "<service/>",
    ])
    func whatIsNoServiceDocumentSaysNothing(body: String) {
        #expect(listing(body) == nil)
    }

    @Test func aRefusalSaysNothing() {
        #expect(listing(Self.v4("Orders"), status: 403) == nil)
    }

    @Test func onlyWhatMaySpeakOfTheAddressIsLookedInto() {
        #expect(
            [400, 401, 403, 404, 406, 410, 429, 500, 501, 503]
                .filter(ServiceListing.isAsked(afterRefusal:)) == [400, 404, 410])
    }
}
