import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// What a correction and a retry change in the queue.
@Suite struct RequestRetryTests {
    private static let refusal = RequestState.failed(RequestFailure(status: 412))

    private static func request(
        _ id: Int64, _ operation: QueuedRequest.Operation = .update(.merge),
        _ state: RequestState = refusal, ifMatch: String? = "old",
        flags: QueuedRequest.Flags = []
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i\(id)", firstSent: 5),
            operation: operation, target: QueueFixture.row(id),
            body: RequestBody(values: QueueFixture.values(nil, 1, 2)), ifMatch: ifMatch,
            flags: flags, state: state)
    }

    private static func fix(
        _ request: QueuedRequest?, _ values: StructureValue = QueueFixture.values(nil, 7),
        _ binds: [RequestBody.Bind] = []
    ) throws -> QueuedRequest {
        try RequestFix(of: request, changes: values, binds: binds, graph: QueueFixture.graph)
            .request
    }

    // MARK: Retry

    @Test(arguments: [refusal, .blocked(by: 9)])
    func itWaitsAgainUnderANewIdentity(state: RequestState) {
        let failed = Self.request(1, .update(.merge), state)
        var expected = Self.renewed(failed)
        // No tag of the row that is there is known: what the app sends again goes over it.
        if state == Self.refusal { expected.flags = .goesOver }
        #expect(Self.retried(failed) == expected)
        #expect(Self.retried(failed, asNew: true) == Self.renewed(failed))
    }

    /// The service may have carried it out: only what it is known by keeps it from being carried out again.
    @Test(arguments: [
        (refusal, QueuedRequest.Flags.open), (.blocked(by: 9), .open),
        (.unknown(reason: nil), QueuedRequest.Flags()),
    ])
    func itStaysTheSameWhileASendingIsOpen(state: RequestState, flags: QueuedRequest.Flags) {
        let failed = Self.request(1, .create, state, flags: flags)
        var expected = failed
        expected.state = .waiting
        expected.flags = .open
        #expect(Self.retried(failed) == expected)
        // What had no effect, or has another content now, is a new one.
        #expect(Self.retried(failed, asNew: true) == Self.renewed(failed))
    }

    /// Under the identity that it had it could never be sent again.
    @Test func anIdentityThatTheServiceRejectedIsGivenUp() throws {
        let sent = Self.request(1, .create, .frozen(attempt: 3), flags: .open)
        func retried(_ result: String?) throws -> QueuedRequest? {
            var refusal = ResponseMessage(status: 412)
            refusal.headers["Repeatability-Result"] = result
            let listed = try #require(
                AnswerRule.of(.answered(refusal), for: sent, isOpen: true).applied(to: sent))
            #expect(listed.state.isUnknown && listed.identity.id == sent.identity.id)
            return Self.retried(listed)
        }
        #expect(try retried(nil)?.identity == sent.identity)
        #expect(try retried("rejected") == Self.renewed(sent))
    }

    private static func retried(_ failed: QueuedRequest, asNew: Bool = false) -> QueuedRequest? {
        let edits = RequestRetry.edits([failed], in: [failed], tags: [:], asNew: asNew)
        guard edits.count == 1, case .replace(let request) = edits[0] else { return nil }
        return request
    }

    private static func renewed(_ failed: QueuedRequest) -> QueuedRequest {
        var expected = failed
        expected.state = .waiting
        expected.identity = RepeatabilityIdentity(id: "")
        expected.flags = []
        return expected
    }

    @Test(arguments: [
        (QueuedRequest.Operation.update(.merge), "new"), (.update(.replace), "new"),
        (.delete, "new"), (.putStream, "new"), (.deleteStream, "new"), (.create, "old"),
        (.createLink, "old"), (.updateLink, "old"), (.deleteLink, "old"),
    ])
    func itIsMadeForTheNewestTag(operation: QueuedRequest.Operation, tag: String) {
        let failed = Self.request(1, operation)
        #expect(Self.tags([failed], [1: "new"]) == [tag])
        #expect(RequestRetry.takesTag(failed) == (tag == "new"))
        // What is not known of the service changes nothing.
        #expect(Self.tags([failed], [2: "new"]) == ["old"])
    }

    @Test func aRequestWithoutATagTakesOne() {
        #expect(Self.tags([Self.request(1, ifMatch: nil)], [1: "new"]) == ["new"])
    }

    private static func tags(_ failed: [QueuedRequest], _ tags: [Int64: String]) -> [String?] {
        RequestRetry.edits(failed, in: failed, tags: tags).map { edit in
            if case .replace(let request) = edit { request.ifMatch } else { nil }
        }
    }

    @Test func whatTheyHeldBackIsFreedUnlessItFailedItself() {
        let queue = [
            Self.request(1), Self.request(2, .delete, .blocked(by: 1)),
            Self.request(3, .create, .blocked(by: 8)), Self.request(4, .delete, Self.refusal),
            Self.request(5, .delete, .waiting), Self.request(6, .delete, .blocked(by: 1)),
        ]
        var freed = queue[1]
        freed.state = .waiting
        var also = queue[5]
        also.state = .waiting
        let edits = RequestRetry.edits([queue[0]], in: queue, tags: [:])
        #expect(edits.dropFirst() == [.replace(freed), .replace(also)])
        // One that is sent again itself is changed once.
        let both = RequestRetry.edits([queue[0], queue[1]], in: queue, tags: [2: "new"])
        #expect(both.count == 3 && both.last == .replace(also))
        guard case .replace(let second) = both[1] else {
            Issue.record("Expected the request that was named.")
            return
        }
        #expect(second.id == 2 && second.ifMatch == "new" && second.identity.id.isEmpty)
    }

    // MARK: Fix

    @Test func aCorrectionLiesOverWhatWasSent() throws {
        var failed = Self.request(1, flags: .open)
        failed.misfit = "gone"
        var expected = failed
        expected.body?.values = QueueFixture.values(nil, 7, 2)
        expected.misfit = nil
        expected.flags = [.open, .fixed]
        // It waits again by a retry.
        #expect(try Self.fix(failed) == expected)
    }

    @Test func bindsTakeThePlaceOfThoseOfTheirNavigationProperty() throws {
        func bind(_ navigation: String, _ row: Int64) -> RequestBody.Bind {
            RequestBody.Bind(navigation: navigation, targets: [QueueFixture.row(row)])
        }
        var failed = Self.request(1)
        failed.body?.binds = [bind("N", 4), bind("M", 5)]
        let fixed = try Self.fix(failed, QueueFixture.values(nil, nil), [bind("N", 6)])
        #expect(fixed.body?.binds == [bind("M", 5), bind("N", 6)])
        #expect(fixed.body?.values == failed.body?.values)
    }

    @Test func relationsAndControlInformationAreNoValues() throws {
        var graph = QueueFixture.graph
        graph.structures[0].properties[2].navigation = NavigationDefinition()
        var changes = QueueFixture.values(nil, 7, 8)
        changes.control.etag = "theirs"
        let fix = try RequestFix(of: Self.request(1), changes: changes, graph: graph)
        #expect(fix.values == QueueFixture.values(nil, 7))
        #expect(fix.request.body?.values == QueueFixture.values(nil, 7, 2))
    }

    @Test func onlyWhatFailedCanBeCorrected() {
        var bodiless = Self.request(1, .delete)
        bodiless.body = nil
        let others = [
            Self.request(1, .update(.merge), .waiting),
            Self.request(1, .create, .frozen(attempt: 2)), bodiless,
        ]
        for other in others {
            let error = #expect(throws: ODataError.self) { try Self.fix(other) }
            #expect(error?.code == .conflict)
        }
        let missing = #expect(throws: ODataError.self) { try Self.fix(nil) }
        #expect(missing?.code == .notFound)
    }
}
