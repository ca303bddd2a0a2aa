import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// Where answers say the entity tag of a row.
@Suite struct EntityTagTests {
    private static func tag(
        _ body: String, _ version: ODataVersion = .v4, type: String = "application/json",
        header: String? = nil
    ) throws -> String? {
        var graph = QueueFixture.graph
        graph.version = version
        var headers: HeaderFields = ["Content-Type": type]
        headers["ETag"] = header
        return try AnswerReader(graph: graph).entity(
            ResponseMessage(status: 200, headers: headers, body: Array(body.utf8)),
            of: StructureID(0), in: nil
        ).control.etag
    }

    @Test(arguments: [
        (#"{"@odata.etag":"W/\"7\"","K":1}"#, ODataVersion.v4),
        (#"{"@odata.context":"c","K":1,"@odata.etag":"W/\"7\""}"#, .v4),
        (#"{"@etag":"W/\"7\"","K":1}"#, .v401),
        (#"{"d":{"__metadata":{"uri":"T(1)","etag":"W/\"7\""},"K":"1"}}"#, .v2),
        (#"{"d":{"K":"1","__metadata":{"etag":"W/\"7\"","type":"S.T"}}}"#, .v2),
    ])
    func eachVersionSaysItInAPlaceOfItsOwn(body: String, version: ODataVersion) throws {
        #expect(try Self.tag(body, version) == "W/\"7\"")
    }

    @Test func theHeaderSaysItWhereTheBodyDoesNot() throws {
        #expect(try Self.tag(#"{"K":1}"#, header: "\"3\"") == "\"3\"")
        #expect(try Self.tag(#"{"d":{"K":"1"}}"#, .v2, header: "\"3\"") == "\"3\"")
        #expect(try Self.tag(#"{"K":1}"#) == nil)
    }

    @Test(arguments: ["", "{", "[]", "<html/>"])
    func whatCannotBeReadSaysNothing(body: String) {
        #expect(throws: ODataError.self) { try Self.tag(body, header: "\"3\"") }
    }
}
