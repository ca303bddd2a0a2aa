import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWire
import Testing

@Suite struct VerificationPlanTests {
    private static func graph() throws -> MetadataGraph {
        try CSDLReader.read(
            Array(
                """
                <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
                <Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
                <EntityType Name="Line"><Key><PropertyRef Name="Order"/><PropertyRef Name="No"/></Key>
                <Property Name="Order" Type="Edm.Int32" Nullable="false"/>
                <Property Name="No" Type="Edm.Int32" Nullable="false"/>
                <Property Name="Text" Type="Edm.String"/></EntityType>
                <EntityContainer Name="C"><EntitySet Name="Lines" EntityType="D.Line"/></EntityContainer>
                </Schema></edmx:DataServices></edmx:Edmx>
                """.utf8))
    }

    static let sources: [(url: String, count: String?, keys: String)] = [
        ("Lines", "Lines/$count", "Lines?$select=Order,No"),
        (
            "Lines?$filter=No%20gt%202&$orderby=Text&$select=Text",
            "Lines/$count?$filter=No%20gt%202", "Lines?$filter=No%20gt%202&$select=Order,No"
        ),
        ("Lines?$top=5", nil, "Lines?$top=5&$select=Order,No"),
    ]

    @Test(arguments: sources) func aSourceIsComparedWithoutWhatItOnlyShows(
        url: String, count: String?, keys: String
    ) throws {
        let plan = try VerificationPlan(
            DownloadSource(entitySet: "Lines", url: url, bit: 0), graph: try Self.graph(),
            dialect: .v4)
        #expect(plan.countURL == count)
        #expect(plan.keysURL == keys)
        #expect(!plan.rowsURL.contains("select"))
    }

    static let answers: [(status: Int, body: String, count: Int?)] = [
        (200, "84", 84), (200, "\u{FEFF}0\r\n", 0), (200, " 7 ", 7), (200, "", nil),
        (200, "<html>", nil), (200, "-1", nil), (200, "1.5", nil), (404, "84", nil),
        (204, "", nil), (200, "99999999999999999999", nil),
    ]

    @Test(arguments: answers) func aNumberIsANumber(status: Int, body: String, count: Int?) {
        let answer = ResponseMessage(status: status, body: Array(body.utf8))
        #expect(VerificationPlan.count(in: answer) == count)
    }

    @Test func aComparisonIsDueAfterItsInterval() {
        #expect(!VerificationPlan.isDue(last: nil, now: 9_000_000, interval: 1))
        #expect(!VerificationPlan.isDue(last: 0, now: 999, interval: 1))
        #expect(VerificationPlan.isDue(last: 0, now: 1_000, interval: 1))
        #expect(!VerificationPlan.isDue(last: 0, now: 9_000_000, interval: 0))
        // A clock that was set back.
        #expect(VerificationPlan.isDue(last: 5_000, now: 1_000, interval: 60))
    }
}
