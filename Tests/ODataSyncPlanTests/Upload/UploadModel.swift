import ErrorFixture
import ODataQuery
import ODataText
import ODataWire

@testable import ODataSyncPlan

/// A store and a service in memory, and between them the real machine and the real rules; it stops wherever something has to
/// be known of the network.
struct UploadModel {
    /// What waits at first.
    struct Scenario: Sendable, CustomStringConvertible {
        var kinds: [ModelService.Kind]
        /// The requests stand in one change set.
        var isChangeSet = false
        /// They write one row, which others write as well: the first waits, the app makes the second while that is open.
        var isShared = false
        /// How many are on their way together.
        var threads = 1

        var description: String {
            kinds.map { "\($0)" }.joined(separator: "+") + (isChangeSet ? " in a set" : "")
                + (isShared ? " of a shared row" : "") + (threads > 1 ? " together" : "")
        }
    }

    /// Where an upload waits for the network.
    enum Point {
        /// - Parameter mayBeNone: nothing need have come to its end yet.
        case exchange([Attempt], mayBeNone: Bool)
        case look
        /// Something is in the store; nobody has to say anything.
        case stored
        case ended(ODataError?)
    }

    var service: ModelService
    var requests: [Int64: QueuedRequest] = [:]
    /// What the store has of a shared row.
    var image: StoredImage?
    var hasWrittenAgain = false
    /// How often others may write a shared row.
    let mostOfOthers: Int
    private(set) var attempts: [Int64: Attempt] = [:]
    private var machine: UploadMachine
    private var actions: [UploadMachine.Action] = []
    private var onTheWay: [Attempt] = []
    private let threads: Int
    private var looked: (attempt: Attempt, isAnswered: Bool)?
    /// Who was turned away in what may be one place.
    private var turnedAway: Attempt?
    /// What was refused as if there were no batches.
    private var batch: Attempt?
    /// Rows that are read for the style of keys.
    private var keyed: (attempt: Attempt, rows: [RowReference])?
    /// As the store knows it.
    private(set) var keys: KeyStyle?
    private var usesBatch: Bool
    private(set) var isBatchRefused = false
    private var keepsRefusedParts = false
    /// Something arrived twice, so that a refusal may be that of the second.
    private(set) var hasDuplicates = false
    let defect: PlantedDefect?
    static let longestUpload = 400

    init(
        _ scenario: Scenario, _ capabilities: ModelService.Capabilities,
        mostOfOthers: Int = 1, defect: PlantedDefect? = nil
    ) {
        service = ModelService(scenario.kinds, capabilities, isShared: scenario.isShared)
        self.mostOfOthers = mostOfOthers
        self.defect = defect
        threads = scenario.threads
        usesBatch = true
        keys = capabilities.keysAreSegments ? nil : .parentheses
        machine = UploadMachine(.init())
        if let row = service.row {
            image = Self.image(row)
            requests[1] = change(1)
            return
        }
        for (index, kind) in scenario.kinds.enumerated() {
            let id = Int64(index + 1)
            var request = QueuedRequest(
                id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: kind.operation,
                target: RowReference(table: "T", id: -id), ifMatch: kind.tag,
                changeSet: scenario.isChangeSet ? "s" : nil)
            if kind == .child { request.principals = [RowReference(table: "T", id: -1)] }
            requests[id] = request
        }
    }

    func kind(_ request: Int64) -> ModelService.Kind { service.kind(request) }

    private var marks: ServiceMarks {
        ServiceMarks(sendsVersion: service.capabilities.sendsVersion)
    }

    // MARK: The shell

    mutating func beginUpload() {
        usesBatch = !isBatchRefused
        let open = attempts.values.sorted { $0.id < $1.id }.map(work)
        machine = UploadMachine(
            .init(
                threads: threads, usesBatch: usesBatch,
                isRepeatable: service.capabilities.isRepeatable,
                marks: marks, keepsRefusedParts: keepsRefusedParts,
                keys: defect == .believesMissingKeys ? .parentheses : keys), unsettled: open)
        actions = []
    }

    /// The process ends where it is; what it has begun to send arrives nevertheless, or does not.
    mutating func die(arriving: Bool) {
        if arriving { for attempt in onTheWay { _ = service.serve(attempt) } }
        onTheWay = []
        (looked, turnedAway, batch, keyed) = (nil, nil, nil, nil)
        machine = UploadMachine(.init())
        actions = []
    }

    /// Something is on its way to the service.
    var isSending: Bool { !onTheWay.isEmpty }

    /// Goes on until something has to be known of the network, or the upload has ended.
    ///
    /// - Throws: `limitExceeded` for an upload that does not end.
    mutating func advance() throws -> Point {
        for _ in 0..<Self.longestUpload {
            if actions.isEmpty { actions = machine.next() }
            let action = actions.removeFirst()
            switch action {
            case .end(let failure):
                replace(Requeueing.putBack(queue))
                return .ended(failure)
            case .await:
                if !onTheWay.isEmpty { return .exchange(onTheWay, mayBeNone: false) }
            case .poll: return .exchange(onTheWay, mayBeNone: true)
            case .look(let attempt, let isAnswered):
                looked = (attempt, isAnswered)
                return .look
            case .askService(let attempt):
                turnedAway = attempt
                return .look
            case .askBatches(let attempt):
                batch = attempt
                return .look
            case .meetKeys(let attempt, let rows):
                keyed = (attempt, rows)
                return .look
            default:
                if let event = perform(action) { actions = machine.step(event) + actions }
                if action.isStored { return .stored }
            }
        }
        throw ODataError(.limitExceeded, "Expected the upload to end.")
    }

    private func work(_ attempt: Attempt) -> UploadMachine.Work {
        .init(attempt: attempt, requests: attempt.members.compactMap { requests[$0.request] })
    }

    private var queue: [QueuedRequest] {
        requests.values.sorted(by: QueuedRequest.comesBefore)
    }

    private mutating func replace(_ changed: [QueuedRequest]) {
        for request in changed { requests[request.id] = request }
    }

    private mutating func perform(_ action: UploadMachine.Action) -> UploadMachine.Event? {
        switch action {
        case .select: select()
        case .plan(let deferred):
            let selected = UploadSelection.all.ids(in: queue).subtracting(deferred)
            return .planned(
                UploadPlanner(usesBatch: usesBatch).wave(of: queue, selected: selected))
        case .commit(let commit): return .committed(self.commit(commit))
        case .freeze(let piece):
            guard let work = freeze(piece) else { return .frozen(nil) }
            leave(work.attempt)
            return .frozen(work)
        case .send(let attempt): leave(attempt)
        case .record(let attempt, let answers):
            record(answers, attempt.id)
            return .recorded(tagsWanted: [])
        case .takeBack(let attempt, let thaw): takeBack(attempt.id, thaw)
        case .settleEarlier(let attempt):
            attempts[attempt.id]?.sendCount = 0
            replace(AttemptEdits.settled(work(attempt).requests))
        case .giveUpBatches: usesBatch = false
        case .remember(.takesNoBatches): isBatchRefused = true
        case .remember(.keepsRefusedParts): keepsRefusedParts = true
        case .refuse(let ids, let error):
            record(
                ids.map {
                    .init(
                        request: $0,
                        outcome: .unwritten(code: error.code.description, reason: error.message))
                }, nil)
        case .remember(.updates), .update, .pause, .tunnel, .await, .poll, .note, .look,
            .askService,
            .takeUp, .askBatches, .meetKeys, .fetchTags, .end:
            break
        }
        return nil
    }

    // MARK: The store

    private mutating func select() {
        let unknown = Set(queue.filter(\.state.isUnknown).map(\.id))
        replace(AttemptEdits.blocked(by: unknown, in: queue))
        let held =
            unknown.isEmpty || defect == .resendsUnknown
            ? [] : RequestDependencies(queue).closure(of: unknown)
        replace(Requeueing(queue, without: held).unchanged)
        guard defect == .resendsUnknown else { return }
        for id in unknown { requests[id]?.state = .waiting }
    }

    /// Notes a sending, and begins it.
    private mutating func leave(_ attempt: Attempt) {
        if defect != .forgetsSendings { attempts[attempt.id]?.sendCount += 1 }
        onTheWay.append(attempt)
    }

    private mutating func commit(_ commit: UploadMachine.Commit) -> UploadMachine.Committed {
        for recording in commit.recordings where defect != .forgetsHeldAnswers {
            record(recording.answers, recording.attempt.id)
        }
        var committed = UploadMachine.Committed()
        for piece in commit.pieces {
            // What is held back is listed by itself.
            guard !isHeldBack(piece.flatMap(\.ids)), let work = freeze(piece) else {
                committed.left.append(piece)
                continue
            }
            leave(work.attempt)
            committed.begun.append(work)
        }
        return committed
    }

    private mutating func freeze(_ piece: UploadMachine.Piece) -> UploadMachine.Work? {
        let ids = piece.flatMap(\.ids)
        if isHeldBack(ids) {
            let failure = RequestFailure(status: 0, code: "RowChanged", message: "Changed.")
            replace(AttemptEdits.refused(Set(ids), with: failure, in: queue))
            return nil
        }
        let id = (1...).first { attempts[$0] == nil } ?? 1
        guard let frozen = try? AttemptEdits.frozen(ids, of: queue, in: id, at: 1) else {
            return nil
        }
        replace(frozen)
        var members: [Attempt.Member] = []
        var isSingle = false
        if piece.count == 1, case .request(let id) = piece[0] {
            isSingle = true
            members = [.init(request: id)]
        } else {
            for (place, part) in piece.enumerated() {
                var set: Int?
                if case .changeSet = part { set = place }
                members += part.ids.map {
                    .init(request: $0, contentID: "\($0)", changeSet: set, part: place)
                }
            }
        }
        var attempt = Attempt(
            id: id,
            message: RequestMessage(
                method: isSingle ? kind(ids[0]).method : "POST", url: isSingle ? "T" : "$batch",
                body: Array((keys ?? .parentheses).rawValue.utf8)),
            members: members, frozenAt: 1)
        if isSingle { attempt.message.headers["If-Match"] = requests[ids[0]]?.ifMatch }
        attempts[id] = attempt
        return work(attempt)
    }

    private mutating func takeBack(_ id: Int64, _ thaw: Bool) {
        guard let attempt = attempts[id] else { return }
        guard thaw || defect == .thawsWhatIsOpen else {
            attempts[id]?.sendCount -= 1
            return
        }
        replace(AttemptEdits.thawed(attempt, work(attempt).requests))
        attempts[id] = nil
    }

    private mutating func record(_ answers: [AttemptAnswers.Answer], _ id: Int64?) {
        let attempt = id.flatMap { attempts[$0] }
        var staying: Set<Int64> = []
        var failed: Set<Int64> = []
        for answer in answers {
            guard let request = requests[answer.request] else { continue }
            let isOpen = defect != .forgetsWhatIsOpen && (attempt?.sendCount ?? 0) > 1
            let rule = AnswerRule.of(answer.outcome, for: request, isOpen: isOpen)
            switch rule {
            case .accept(let message):
                requests[request.id] = nil
                if service.row != nil { accept(request, message, isLook: answer.isLook) }
            case .stay: staying.insert(request.id)
            default:
                requests[request.id] = rule.applied(to: request)
                if requests[request.id]?.state.isFailure == true { failed.insert(request.id) }
                if defect == .dropsRefusals, case .become(.failed) = rule {
                    requests[request.id] = nil
                }
            }
        }
        replace(AttemptEdits.blocked(by: failed, in: queue))
        guard let attempt else { return }
        if defect == .forgetsMissingMembers { for id in staying { requests[id] = nil } }
        attempts[attempt.id] = AttemptEdits.rest(of: attempt, staying: staying)
    }

    // MARK: The network

    /// What a refused set left behind is believed to be nothing where nobody shows it.
    var mayRefuseLooks: Bool { service.capabilities.takesSetsBack }

    /// What the exchange or the look that the upload waits for comes to.
    ///
    /// - Parameter attempt: the one of those on their way that comes to its end; nil where only one can.
    mutating func meet(_ event: NetworkEvent, _ attempt: Attempt? = nil) {
        if event == .noneCame {
            actions = machine.step(.noneCame)
        } else if let attempt = attempt ?? onTheWay.first {
            onTheWay.removeAll { $0.id == attempt.id }
            let result = exchange(attempt, event)
            var marks = marks
            if case .success(let answer) = result { marks.learn(from: answer.headers) }
            machine.learn(marks, keys: defect == .believesMissingKeys ? nil : keys)
            var outcome = SendingOutcome.of(
                result, to: attempt, asking: attempt.question(work(attempt).requests),
                marks: marks, root: "http://service/")
            if let defect { outcome = defect.altered(outcome, of: attempt, result) }
            actions = machine.step(.came(attempt.id, outcome))
        } else if let (attempt, isAnswered) = looked {
            looked = nil
            let findings = look(attempt, isAnswered, event)
            machine.learn(marks, keys: keys)
            actions = machine.step(.looked(attempt.id, findings))
        } else if let attempt = turnedAway {
            turnedAway = nil
            actions = machine.step(.asked(attempt.id, isThere: event == .passes))
        } else if let attempt = batch {
            batch = nil
            actions = machine.step(.askedBatches(attempt.id, takesBatches(event)))
        } else if let (attempt, rows) = keyed {
            keyed = nil
            if event == .passes { read(rows.map { -$0.id }) }
            machine.learn(marks, keys: keys)
            actions = machine.step(
                .metKeys(
                    attempt.id,
                    failure: event == .passes ? nil : ODataError(.network, "cut"),
                    isOfOnePlace: event == .refusedLook))
        }
    }

    /// A refusal of another kind does not say that there are no batches.
    private func takesBatches(_ event: NetworkEvent) -> Result<Bool, ODataError> {
        switch event {
        case .passes: .success(service.capabilities.takesBatches)
        case .refusedLook: .success(true)
        default: .failure(ODataError(.network, "cut"))
        }
    }

    /// A read by key meets the style where there is something to show.
    private mutating func read(_ ids: [Int64]) {
        guard keys == nil, ids.contains(where: { service.shows($0) }) else { return }
        keys = .segments
    }

    private mutating func look(
        _ attempt: Attempt, _ isAnswered: Bool, _ event: NetworkEvent
    ) -> Result<[Int64: ResendPolicy.Finding], ODataError> {
        let ids = attempt.members.map(\.request)
        if event == .refusedLook {
            return .success(Dictionary(uniqueKeysWithValues: ids.map { ($0, .undecided) }))
        }
        guard event == .passes else { return .failure(ODataError(.network, "cut")) }
        read(
            ids.filter {
                ![.repeatable, .undecided].contains(service.finding($0, isAnswered: isAnswered))
            })
        let findings = ids.map { id -> (Int64, ResendPolicy.Finding) in
            if defect == .believesRepetitionHarmless { return (id, .repeatable) }
            if let row = service.row { return (id, look(at: id, row, isAnswered: isAnswered)) }
            return (id, service.finding(id, isAnswered: isAnswered))
        }
        return .success(Dictionary(uniqueKeysWithValues: findings))
    }

    private static func cut(_ phase: NetworkFailure.Phase) -> ODataError {
        ODataError(
            .network, "cut",
            underlying: NetworkFailure(phase: phase, method: "POST", host: "service"))
    }

    private func foreign(_ status: Int) -> Result<ResponseMessage, ODataError> {
        .success(
            ResponseMessage(
                status: status, headers: ModelService.html, body: ModelService.page))
    }

    private mutating func exchange(
        _ attempt: Attempt, _ event: NetworkEvent
    ) -> Result<ResponseMessage, ODataError> {
        switch event {
        case .passes: return .success(service.serve(attempt))
        case .firstPartOnly: return .success(service.serve(attempt, firstPartOnly: true))
        case .duplicate:
            hasDuplicates = true
            _ = service.serve(attempt)
            return .success(service.serve(attempt))
        case .notSent: return .failure(Self.cut(.connect))
        case .lostBefore: return .failure(Self.cut(.wait))
        case .lostAfter, .cutBody, .gateway502After, .gateway500After, .json504After,
            .gateway404After:
            _ = service.serve(attempt)
            if event == .json504After { return .success(ModelService.error(504)) }
            if event == .gateway404After { return foreign(404) }
            if event == .gateway502After { return foreign(502) }
            if event == .gateway500After { return foreign(500) }
            return .failure(Self.cut(event == .cutBody ? .body : .wait))
        case .portal: return foreign(200)
        case .bare204: return .success(ResponseMessage(status: 204))
        case .empty200: return .success(ResponseMessage(status: 200))
        case .login401: return foreign(401)
        case .redirect307:
            return .success(
                ResponseMessage(status: 307, headers: ["Location": "http://login.test/"]))
        case .gateway400: return foreign(400)
        case .gateway404: return foreign(404)
        case .gateway502: return foreign(502)
        case .gateway503: return foreign(503)
        case .csrf403: return .success(service.refusal(403, ["X-CSRF-Token": "Required"]))
        case .throttled429: return .success(service.refusal(429, ["Retry-After": "1"]))
        case .unavailable503: return .success(service.refusal(503, ["Retry-After": "1"]))
        case .tooLarge413: return foreign(413)
        case .service400: return .success(service.refusal(400))
        case .service412: return .success(service.refusal(412))
        case .service500: return .success(service.refusal(500))
        case .noBatch404: return .success(service.refusal(404))
        case .noBatch405: return .success(service.refusal(405))
        case .noBatch501: return .success(service.refusal(501))
        case .refusedLook, .noneCame, .killed, .killedAfter, .othersUpdate, .othersUpdateElsewhere,
            .othersDelete, .appWrites:
            return .failure(Self.cut(.wait))
        }
    }
}

// MARK: States

extension UploadModel {
    /// Tells this state from others; how it was reached does not count.
    var key: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    private func hash(into hasher: inout Hasher) {
        hasher.combine(service)
        hasher.combine(requests)
        hasher.combine(image)
        hasher.combine(hasWrittenAgain)
        hasher.combine(attempts)
        hasher.combine(onTheWay)
        hasher.combine(looked?.attempt)
        hasher.combine(looked?.isAnswered)
        hasher.combine(turnedAway)
        hasher.combine(batch)
        hasher.combine(keyed?.attempt)
        hasher.combine(keyed?.rows)
        hasher.combine(keys)
        hasher.combine(usesBatch)
        hasher.combine(isBatchRefused)
        hasher.combine(keepsRefusedParts)
        hasher.combine(hasDuplicates)
        hasher.combine(actions.count)
        machine.hash(into: &hasher)
    }
}

extension UploadMachine.Action {
    /// The store is another one behind it, for good.
    fileprivate var isStored: Bool {
        switch self {
        case .select, .commit, .freeze, .send, .record, .takeBack, .settleEarlier, .refuse: true
        default: false
        }
    }
}

extension UploadMachine {
    func hash(into hasher: inout Hasher) {
        hasher.combine(knowledge.usesBatch)
        hasher.combine(knowledge.keepsRefusedParts)
        for work in unsettled + works.values.sorted(by: { $0.attempt.id < $1.attempt.id }) {
            hasher.combine(work.attempt)
            hasher.combine(work.requests)
        }
        hasher.combine(unsettled.count)
        hasher.combine(ready)
        hasher.combine([mayPlan, hasSelected])
        hasher.combine(inFlight)
        hasher.combine([failure?.code, complaint?.code])
        hasher.combine(deferred)
        hasher.combine(lookedAt)
        hasher.combine(doubts.mapValues(\.answer))
        hasher.combine(batchDoubts)
        hasher.combine(hasTakenBatch)
        hasher.combine(resumed)
        hasher.combine(pausedFor)
        hasher.combine(turnedAway.mapValues(\.status))
        hasher.combine(divided)
        hasher.combine(setRefusals)
        hasher.combine(refusedBatch)
        hasher.combine(knowledge.keys)
        hasher.combine(heldForKeys)
        hasher.combine(hasAskedForKeys)
        hasher.combine(outdated)
        hasher.combine(apart)
        hasher.combine(held)
        hasher.combine(hasPolled)
    }
}
