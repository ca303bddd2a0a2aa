import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

@testable import ODataSyncPlan

/// A service gives the key of a row that was deleted to another one, and answers are lost: nothing that stands under the key
/// is taken for what stood there before.
@Suite struct KeyGivenAgainTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/><Property Name="Place" Type="Edm.String"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="S.Order"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let graph: MetadataGraph
    private static let row = RowReference(table: "Orders", id: 5)

    init() throws { graph = try CSDLReader.read(Array(Self.metadata.utf8)) }

    private static func deletion(ifMatch: String?) -> QueuedRequest {
        QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "d", firstSent: 1), operation: .delete,
            target: row, ifMatch: ifMatch)
    }

    @Test(
        arguments: [
            ("W/\"1\"", "W/\"1\"", nil, ResendPolicy.Finding.notCarriedOut),
            ("W/\"1\"", nil, "W/\\\"1\\\"", .notCarriedOut),
            ("W/\"1\"", "W/\"2\"", nil, .repeatable), ("W/\"1\"", nil, "W/\\\"2\\\"", .repeatable),
            ("W/\"1\"", nil, nil, .repeatable), ("*", "W/\"2\"", nil, .notCarriedOut),
            (nil, "W/\"2\"", nil, .notCarriedOut),
        ] as [(String?, String?, String?, ResendPolicy.Finding)])
    func aRowIsTheOneThatWasToGoByItsTag(
        sent: String?, header: String?, inBody: String?, expected: ResendPolicy.Finding
    ) throws {
        let tag = inBody.map { #","@odata.etag":"\#($0)""# } ?? ""
        var answer = ResponseMessage(
            status: 200, headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":5,"Title":"t"\#(tag)}"#.utf8))
        answer.headers["ETag"] = header
        let probe = EffectProbe(graph: graph, dialect: Dialect.of(.v4))
        #expect(try probe.finding(of: answer, about: Self.deletion(ifMatch: sent)) == expected)
    }

    private static func work(isWhole: Bool, changeSet: String? = nil) -> UploadMachine.Work {
        var creation = QueuedRequest(
            id: 2, identity: RepeatabilityIdentity(id: "c", firstSent: 1), operation: .create,
            target: RowReference(table: "Orders", id: -1), changeSet: changeSet)
        creation.state = .frozen(attempt: 9)
        return UploadMachine.Work(
            attempt: Attempt(
                id: 9, message: RequestMessage(method: "POST", url: isWhole ? "$batch" : ""),
                members: [Attempt.Member(request: 2, contentID: "2", part: 1)], frozenAt: 1,
                sendCount: 1),
            requests: [creation])
    }

    /// The rest of a batch cannot be sent again as it was, but each part of it can.
    @Test(
        arguments: [
            (true, nil, AttemptAnswers.Outcome.repeatable),
            (
                false, nil,
                .undecided("No answer came, and the service cannot tell whether it acted.")
            ),
            (
                true, "set",
                .undecided("No answer came, and the service cannot tell whether it acted.")
            ),
        ] as [(Bool, String?, AttemptAnswers.Outcome)])
    func whatIsLeftOfABatchGoesAgainWhereRepetitionsAreRecognised(
        isRepeatable: Bool, changeSet: String?, expected: AttemptAnswers.Outcome
    ) {
        var machine = UploadMachine(
            .init(isRepeatable: isRepeatable),
            unsettled: [Self.work(isWhole: false, changeSet: changeSet)])
        guard case .look(let attempt, isAnswered: false)? = machine.next().first else {
            Issue.record("expected a look at what is left")
            return
        }
        let outcomes = machine.step(.looked(attempt.id, .success([2: .undecided])))
            .compactMap { action -> [AttemptAnswers.Outcome]? in
                guard case .record(_, let answers) = action else { return nil }
                return answers.map(\.outcome)
            }
        #expect(outcomes == [[expected]])
    }

    /// Nobody saw it come, so that it proves nothing, but may be it.
    @Test(arguments: [("new", "here", true), ("new", "there", true), ("old", "there", false)])
    func aRowInThePlaceOfADeletedOneKeepsACreationFromBeingSentAgain(
        title: String, place: String, isClose: Bool
    ) throws {
        let type = try #require(graph.structure(named: "S.Order"))
        func order(_ values: [String: String]) -> StructureValue {
            var order = StructureValue(type: type, in: graph)
            for (name, text) in values {
                graph[type].slot(named: name).map { order.slots[$0] = .scalar(.string(text)) }
            }
            return order
        }
        var matching = CreationMatching(
            [.init(request: 2, sent: order(["Title": "new", "Place": "here"]))], graph: graph)
        let found = order(["Title": title, "Place": place])
        matching.suspect(5, found) { _ in false }
        #expect(matching.decisions() == [2: .notHappened])
        matching.suspect(5, found) { _ in true }
        #expect(matching.decisions() == [2: isClose ? .close([5]) : .notHappened])
    }
}
