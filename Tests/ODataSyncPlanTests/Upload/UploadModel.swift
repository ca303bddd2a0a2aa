import ErrorFixture
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

/// A store and a service in memory that know the truth: what the service did, and what the store believes. The upload
/// between them is the real machine.
struct UploadModel {
    enum Kind: Int64, CaseIterable, Sendable {
        /// The service chooses the key.
        case create = 1
        case keyedCreate, taggedUpdate, update, delete
    }

    /// What happens to one sending of writes.
    enum Fault: CaseIterable, Sendable {
        case none, notSent, dropBefore, dropAfter, portal, bare204, login, gateway400, gateway500
        case gateway500After, service400, service500, noBatch, tooLarge, throttled, firstPartOnly

        /// The ones that differ most, for long sequences.
        static let deep: [Fault] = [
            .none, .notSent, .dropBefore, .dropAfter, .portal, .login, .gateway400,
            .gateway500After, .service400, .noBatch,
        ]
    }

    struct Capabilities: Sendable {
        var isRepeatable = false
        var batches = true
    }

    let capabilities: Capabilities
    var faults: ArraySlice<Fault>
    /// The truth: how often each request had its effect.
    var effects: [Int64: Int] = [:]
    private var identities: Set<Int64> = []
    var requests: [Int64: QueuedRequest] = [:]
    private var attempts: [Int64: Attempt] = [:]
    private var onTheWay: [(Attempt, Result<ResponseMessage, ODataError>)] = []
    private var lastAttempt: Int64 = 0
    private var isSomebodyElseThere = false
    private var usesBatch = true
    private static let version: HeaderFields = ["OData-Version": "4.0"]
    private static let html: HeaderFields = ["Content-Type": "text/html"]

    init(_ kinds: [Kind], _ capabilities: Capabilities, faults: [Fault]) {
        self.capabilities = capabilities
        self.faults = faults[...]
        for (index, kind) in kinds.enumerated() {
            let id = Int64(index + 1)
            let operation: QueuedRequest.Operation =
                switch kind {
                case .create, .keyedCreate: .create
                case .taggedUpdate, .update: .update(.merge)
                case .delete: .delete
                }
            requests[id] = QueuedRequest(
                id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: operation,
                target: RowReference(table: "T", id: -id),
                ifMatch: kind == .taggedUpdate ? "\"1\"" : nil, customTag: "\(kind.rawValue)")
        }
    }

    static func kind(_ request: QueuedRequest) -> Kind {
        request.customTag.flatMap { Int64($0) }.flatMap(Kind.init(rawValue:)) ?? .create
    }

    // MARK: The shell

    /// One upload; returns its error.
    mutating func upload() throws -> ODataError? {
        usesBatch = capabilities.batches
        let open = attempts.values.sorted { $0.id < $1.id }.map(work)
        var machine = UploadMachine(
            .init(
                usesBatch: usesBatch, isRepeatable: capabilities.isRepeatable,
                marks: ServiceMarks(sendsVersion: true)), unsettled: open)
        var actions = machine.next()[...]
        for _ in 0..<500 {
            guard let action = actions.popFirst() else {
                actions = machine.next()[...]
                continue
            }
            if case .end(let failure) = action { return failure }
            if let event = try perform(action) { actions = (machine.step(event) + actions)[...] }
        }
        throw ODataError(.limitExceeded, "Expected the upload to end.")
    }

    private func work(_ attempt: Attempt) -> UploadMachine.Work {
        .init(attempt: attempt, requests: attempt.members.compactMap { requests[$0.request] })
    }

    private mutating func perform(
        _ action: UploadMachine.Action
    ) throws -> UploadMachine.Event? {
        switch action {
        case .select:
            let plan = Requeueing(Array(requests.values), without: [])
            for request in plan.unchanged { requests[request.id] = request }
        case .plan(let deferred):
            let waiting = Array(requests.values)
            let planner = UploadPlanner(usesBatch: usesBatch)
            return .planned(
                planner.wave(
                    of: waiting, selected: Set(requests.keys).subtracting(deferred)))
        case .freeze(let piece): return .frozen(freeze(piece))
        case .send(let attempt):
            attempts[attempt.id]?.sendCount += 1
            onTheWay.append((attempt, exchange(attempt)))
        case .look(let attempt, let isAnswered):
            return .looked(attempt.id, look(attempt, isAnswered))
        case .record(let attempt, let answers): record(answers, attempt.id)
        case .takeBack(let attempt, let thaw): takeBack(attempt.id, thaw)
        case .settleEarlier(let attempt): attempts[attempt.id]?.sendCount = 0
        case .useBatch(let isUsed): usesBatch = isUsed
        case .await:
            let (attempt, result) = onTheWay.removeFirst()
            return .came(
                attempt.id,
                SendingOutcome.of(
                    result, to: attempt,
                    asking: attempt.question(work(attempt).requests),
                    marks: ServiceMarks(sendsVersion: true), root: "http://service/"))
        case .pause, .tunnel, .end: break
        }
        return nil
    }

    // MARK: The store

    private mutating func freeze(_ piece: UploadMachine.Piece) -> UploadMachine.Work {
        lastAttempt += 1
        let ids = piece.flatMap(\.ids)
        let isSingle = ids.count == 1
        let attempt = Attempt(
            id: lastAttempt,
            message: RequestMessage(
                method: isSingle ? "PATCH" : "POST", url: isSingle ? "T(\(ids[0]))" : "$batch"),
            members: ids.enumerated().map { place, id in
                .init(request: id, contentID: isSingle ? nil : "\(id)", part: place)
            }, frozenAt: 0)
        for id in ids {
            requests[id]?.state = .frozen(attempt: lastAttempt)
            requests[id]?.identity.firstSent = 1
        }
        attempts[lastAttempt] = attempt
        return work(attempt)
    }

    private mutating func takeBack(_ id: Int64, _ thaw: Bool) {
        guard thaw, let attempt = attempts[id] else {
            attempts[id]?.sendCount -= 1
            return
        }
        for member in attempt.members { requests[member.request]?.state = .waiting }
        attempts[id] = nil
    }

    private mutating func record(_ answers: [AttemptAnswers.Answer], _ id: Int64) {
        guard let attempt = attempts[id] else { return }
        var staying: Set<Int64> = []
        for answer in answers {
            guard let request = requests[answer.request] else { continue }
            switch AnswerRule.of(answer.outcome, for: request, isOpen: attempt.sendCount > 1) {
            case .accept: requests[request.id] = nil
            case .become(let state): requests[request.id]?.state = state
            case .wait:
                requests[request.id]?.state = .waiting
                requests[request.id]?.flags.remove(.open)
            case .waitOpen:
                requests[request.id]?.state = .waiting
                requests[request.id]?.flags.insert(.open)
            case .stay: staying.insert(request.id)
            }
        }
        if staying.isEmpty {
            attempts[id] = nil
        } else if staying.count < attempt.members.count {
            attempts[id]?.members.removeAll { !staying.contains($0.request) }
            attempts[id]?.message.url = ""
        }
    }

    // MARK: The service

    private static func answer(
        _ status: Int, _ headers: HeaderFields = version, _ body: String = ""
    ) -> ResponseMessage {
        ResponseMessage(status: status, headers: headers, body: Array(body.utf8))
    }

    private static func cut(_ phase: NetworkFailure.Phase) -> ODataError {
        ODataError(
            .network, "cut",
            underlying: NetworkFailure(phase: phase, method: "POST", host: "service"))
    }

    private mutating func exchange(_ attempt: Attempt) -> Result<ResponseMessage, ODataError> {
        let fault = faults.popFirst() ?? .none
        switch fault {
        case .none, .firstPartOnly: return .success(serve(attempt, fault))
        case .notSent: return .failure(Self.cut(.connect))
        case .dropBefore: return .failure(Self.cut(.wait))
        case .dropAfter:
            _ = serve(attempt, .none)
            return .failure(Self.cut(.wait))
        case .portal: return .success(Self.answer(200, Self.html, "<html></html>"))
        case .bare204: return .success(Self.answer(204, HeaderFields()))
        case .login: return .success(Self.answer(401, Self.html))
        case .gateway400: return .success(Self.answer(400, Self.html, "<html></html>"))
        case .gateway500: return .success(Self.answer(500, Self.html, "<html></html>"))
        case .gateway500After:
            _ = serve(attempt, .none)
            return .success(Self.answer(500, Self.html, "<html></html>"))
        case .service400: return .success(Self.answer(400))
        case .service500: return .success(Self.answer(500))
        case .noBatch: return .success(Self.answer(attempt.isBatch ? 404 : 400))
        case .tooLarge: return .success(Self.answer(413, Self.html))
        case .throttled: return .success(Self.answer(429, ["Retry-After": "1"]))
        }
    }

    private mutating func serve(_ attempt: Attempt, _ fault: Fault) -> ResponseMessage {
        guard attempt.isBatch else { return act(attempt.members[0].request) }
        var parts: [BatchResponsePart] = attempt.members.map { member in
            .response(BatchResponse(contentID: member.contentID, act(member.request)))
        }
        if fault == .firstPartOnly { parts.removeLast(parts.count - 1) }
        return (try? BatchWriter.response(parts, boundary: "b", headers: Self.version))
            ?? Self.answer(500)
    }

    private mutating func act(_ id: Int64) -> ResponseMessage {
        guard let request = requests[id] else { return Self.answer(404) }
        let done = effects[id, default: 0] > 0
        let kind = Self.kind(request)
        if capabilities.isRepeatable, identities.contains(id) {
            return Self.answer(
                kind == .create ? 201 : 204,
                ["OData-Version": "4.0", "Repeatability-Result": "accepted"])
        }
        switch kind {
        case .keyedCreate where done: return Self.answer(409)
        case .taggedUpdate where done: return Self.answer(412)
        case .delete where done: return Self.answer(404)
        default: break
        }
        effects[id, default: 0] += 1
        identities.insert(id)
        return Self.answer(kind == .create || kind == .keyedCreate ? 201 : 204)
    }

    private func look(
        _ attempt: Attempt, _ isAnswered: Bool
    ) -> Result<[Int64: ResendPolicy.Finding], ODataError> {
        var findings: [Int64: ResendPolicy.Finding] = [:]
        for id in attempt.members.map(\.request) {
            guard let request = requests[id] else { continue }
            let done = effects[id, default: 0] > 0
            let shown = ResendPolicy.Finding.carriedOut(Self.answer(200))
            findings[id] =
                switch Self.kind(request) {
                case .create: .undecided
                case .keyedCreate, .taggedUpdate: done ? shown : .notCarriedOut
                case .update: isAnswered && done ? shown : .repeatable
                case .delete: isAnswered ? (done ? shown : .notCarriedOut) : .repeatable
                }
        }
        return .success(findings)
    }
}
