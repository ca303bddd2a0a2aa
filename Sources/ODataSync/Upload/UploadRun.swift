import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One upload from snapshot to drained queue: carries out what an ``UploadMachine`` decides.
///
/// Used by one thread, which alone writes to the store; workers only send. No two requests that depend on each other
/// are ever on their way together, because a wave holds none that waits for another. A failure of the network ends it
/// when the others on their way have answered; what has no answer stays frozen, and the next upload looks at the service
/// before it sends it again, byte for byte.
package struct UploadRun {
    let store: LocalStore
    let connection: ServiceConnection
    let world: any World
    let settings: SyncSettings
    var builder: AttemptBuilder
    let cancellation: CancellationFlag
    let report: (UploadProgress) -> Void
    /// Told of what goes over the other side's row because the app has decided so.
    var overwritten: (Overwrite) -> Void = { _ in }
    /// What the attempts have to do with the system's transfers; nil where there are none.
    var background: BackgroundRun?
    private var planner: UploadPlanner
    var marks = ServiceMarks()
    /// Read once; what is learned on the way is kept in the store as well.
    var profile = ServiceProfile()
    /// What the app says of version headers counts more than what answers carry.
    private var isVersionPinned = false
    private var selection = UploadSelection.all
    private var selected: Set<Int64> = []
    var progress = UploadProgress()
    /// Refused requests go again, and creations of unknown fate are looked for.
    var takesUpFailed = true
    /// Requests whose rows were found as they were made for.
    var compared: Set<Int64> = []
    /// Those of them of whose rows all was known, and found so.
    var comparedWhole: Set<Int64> = []
    /// What the attempts that are on their way ask for, as far as it is known here.
    var questions: [Int64: ServiceMarks.Question] = [:]

    package init(
        store: LocalStore, connection: ServiceConnection, world: any World, settings: SyncSettings,
        builder: AttemptBuilder, supportsBatch: Bool, cancellation: CancellationFlag,
        report: @escaping (UploadProgress) -> Void
    ) {
        self.store = store
        self.connection = connection
        self.world = world
        self.settings = settings
        self.builder = builder
        self.cancellation = cancellation
        self.report = report
        planner = UploadPlanner(usesBatch: settings.batchesUploads && supportsBatch)
        planner.batchesStreams = settings.batchesStreamUploads
        planner.maximumBytes = settings.uploadIterationBytes
    }

    /// Sends what `selection` asks for.
    ///
    /// - Returns: how many requests were sent, accepted and refused.
    /// - Throws: `network`, `timeout` or `cancelled`, and `service` where it let nobody in; refusals of single requests
    ///   are recorded, not thrown.
    package mutating func run(_ selection: UploadSelection) throws -> UploadProgress {
        self.selection = selection
        profile = try store.serviceProfile()
        isVersionPinned = profile.pins.flag(.version) != nil
        marks.sendsVersion = profile.flag(.version) ?? connection.hasSeenVersion
        if let keys = profile.keys { builder.writer.settings.keys = keys }
        if let updates = profile.updates { builder.writer.settings.updates = updates }
        if profile.flag(.tunnel) == true { builder.writer.tunnelsMethods = true }
        if profile.reads.refusedBatch != nil, profile.pins.flag(.batch) == nil {
            planner.usesBatch = false
        }
        try learnClock()
        if takesUpFailed { try lookForUnknownCreations() }
        let unsettled = try store.attempts().map { attempt in
            UploadMachine.Work(
                attempt: attempt,
                requests: try store.requests(Set(attempt.members.map(\.request))),
                isUnderWay: background?.isUnderWay(attempt) ?? false)
        }
        var machine = UploadMachine(
            .init(
                threads: settings.uploadThreads, usesBatch: planner.usesBatch,
                isRepeatable: isRepeatable(), marks: marks,
                mayTunnel: builder.writer.dialect.wrapsPayload && profile.flag(.tunnel) != false,
                keepsRefusedParts: try store.flag(.keepsRefusedParts),
                keys: builder.writer.settings.keys, updates: changeableUpdates,
                compared: settings.rules.compared),
            unsettled: unsettled)
        let exchange = AttemptExchange(
            connection: connection, world: world, threads: settings.uploadThreads,
            cancellation: cancellation, background: background)
        defer { exchange.close() }
        var actions = machine.next()[...]
        while true {
            guard let action = actions.popFirst() else {
                actions = machine.next()[...]
                continue
            }
            if case .end(let failure) = action {
                if let failure { throw failure }
                return progress
            }
            do {
                guard let event = try perform(action, exchange) else { continue }
                marks.sendsVersion = marks.sendsVersion || connection.hasSeenVersion
                machine.learn(marks, keys: builder.writer.settings.keys)
                actions = (machine.step(event) + actions)[...]
            } catch {
                // The rest of a step is not done either; what it would have sent comes back as not sent.
                let error = Self.error(error)
                var rest = machine.step(.stopped(error))
                for action in actions {
                    switch action {
                    case .send(let attempt), .takeUp(let attempt):
                        rest += machine.step(.unnoted(attempt.id, error))
                    default: break
                    }
                }
                actions = rest[...]
            }
        }
    }

    /// Nil where the app has said how updates are sent.
    private var changeableUpdates: UpdateMethod? {
        let isFixed = profile.pins.update != nil || !builder.writer.settings.supportsPatch
        return isFixed ? nil : builder.writer.updateMethod
    }

    static func error(_ error: any Error) -> ODataError {
        error as? ODataError
            ?? ODataError(.network, "The upload could not go on.", underlying: error)
    }

    private mutating func perform(
        _ action: UploadMachine.Action, _ exchange: AttemptExchange
    ) throws -> UploadMachine.Event? {
        // A download beside this upload may bring other metadata.
        builder.writer.graph = try store.graph()
        switch action {
        case .select: try select()
        case .plan(let deferred): return .planned(try pieces(without: deferred))
        case .commit(let commit): return .committed(try self.commit(commit, exchange))
        case .freeze(let piece):
            do {
                guard let work = try freeze(piece) else { return .frozen(nil) }
                begin(work, exchange)
                return .frozen(work)
            } catch let error as ODataError {
                return .unwritten(piece, error)
            }
        case .refuse(let ids, let error): count(try store.refuse(ids, error), of: ids.count)
        case .send(let attempt):
            do {
                // An answer to an earlier sending is not one to this.
                background?.forget(attempt)
                guard try store.noteSending(of: attempt.id) else { return .withheld(attempt.id) }
            } catch {
                return .unnoted(attempt.id, Self.error(error))
            }
            start(attempt, exchange)
        case .takeUp(let attempt): return takeUp(attempt, exchange)
        case .look(let attempt, let isAnswered):
            return .looked(attempt.id, try look(at: attempt, isAnswered: isAnswered))
        case .askService(let attempt): return .asked(attempt.id, isThere: isServiceThere())
        case .askBatches(let attempt):
            return .askedBatches(attempt.id, try takesBatches(beside: attempt))
        case .record(let attempt, let answers):
            let recording = UploadMachine.Recording(attempt: attempt, answers: answers)
            return .recorded(tagsWanted: try record(recording).needsETag)
        case .fetchTags(let rows): try fetchTags(of: rows)
        case .meetKeys(let attempt, let rows):
            let (shown, failure) = meetKeys(of: rows)
            return .metKeys(
                attempt.id, shown: shown, failure: failure,
                isOfOnePlace: failure.map(isOfOnePlace) ?? false)
        case .takeBack(let attempt, let thaw):
            try store.takeBack(attempt.id, thaw: thaw)
            background?.forget(attempt)
        case .settleEarlier(let attempt): try store.settleEarlier(attempt.id)
        case .pause(let seconds):
            if !world.sleep(.seconds(seconds), token: cancellation) { try checkCancellation() }
        case .giveUpBatches: planner.usesBatch = false
        case .remember(let lesson): try store.remember(lesson)
        case .tunnel(let isUsed): builder.writer.tunnelsMethods = isUsed
        case .update(let method): builder.writer.settings.updates = method
        case .await: return came(exchange.next())
        case .poll: return exchange.nextIfThere().map { came($0) } ?? .noneCame
        case .note(let notes): try? store.noteAnswers(notes)
        case .end: break
        }
        return nil
    }

    private mutating func select() throws {
        if takesUpFailed {
            // Nothing is asked about them again; they are as refused as before.
            progress.refused += try store.requeueFailedRequests().count(where: selection.asks)
        }
        try store.rearrange(settings.queuePasses, selection)
        selected = selection.ids(in: try store.allRequests())
        progress.total = progress.sent + selected.count
        report(progress)
    }

    /// Starts a sending that is noted; one that cannot be started comes back as not sent.
    func start(_ attempt: Attempt, _ exchange: AttemptExchange) {
        do {
            try checkCancellation()
            exchange.start(
                attempt, try content(of: attempt), by: try isCarried(attempt) ? .carried : .live)
        } catch {
            exchange.refuse(attempt, Self.error(error))
        }
    }

    /// Waits for a sending of an earlier process. What keeps us from that says nothing of the request, which is on its way.
    private func takeUp(
        _ attempt: Attempt, _ exchange: AttemptExchange
    ) -> UploadMachine.Event? {
        do {
            try checkCancellation()
            exchange.start(attempt, try content(of: attempt), by: .takenUp)
            return nil
        } catch {
            return .unnoted(attempt.id, Self.error(error))
        }
    }

    /// The system sends again by itself what it takes for lost, and asks nobody: it gets what may arrive twice, because the
    /// service knows its identity or because that ends in the same state.
    private func isCarried(_ attempt: Attempt) throws -> Bool {
        guard let background, background.begins else { return false }
        return ResendPolicy.resendsBlindly(
            try store.requests(Set(attempt.members.map(\.request))), wasSent: true,
            isRepeatable: isRepeatable() && attempt.isIdentified)
    }

    private mutating func came(_ answer: AttemptExchange.Answer) -> UploadMachine.Event {
        world.checkpoint("upload.answered")
        let attempt = answer.attempt
        if case .success(let message) = answer.answer, !isVersionPinned {
            marks.learn(from: message.headers)
        }
        let question =
            questions.removeValue(forKey: attempt.id)
            ?? attempt.question(
                (try? store.requests(Set(attempt.members.map(\.request)))) ?? [])
        let outcome = SendingOutcome.of(
            answer.answer, to: attempt, asking: question, marks: marks,
            root: connection.root, tokenHeader: connection.configuration.tokenHeader,
            now: world.now().seconds, wasOnItsWay: answer.way == .takenUp)
        return .came(attempt.id, outcome)
    }

    /// What can be sent now, as far as it fits into one iteration each.
    private func pieces(without deferred: Set<Int64>) throws -> [UploadMachine.Piece] {
        try checkCancellation()
        // Asked behind each answer: while the last are on their way, the whole queue is not read for nothing.
        guard try store.hasWaitingRequests() else { return [] }
        let requests = try store.allRequests()
        let wave = planner.wave(of: requests, selected: selected.subtracting(deferred))
        let streams = try streams(of: requests, in: wave.flatMap { $0 })
        return planner.pieces(of: wave, requests, lengths: streams.mapValues(\.length))
    }

    // Hot: Upload
    /// Nil when one of the requests does not wait any more.
    private mutating func freeze(_ piece: UploadMachine.Piece) throws -> UploadMachine.Work? {
        try checkCancellation()
        let boundary = BatchWriter.boundary(world.makeIdentifier())
        let ids = Set(piece.flatMap(\.ids))
        var waiting = try store.requests(ids).filter { $0.state == .waiting }
        if waiting.contains(where: { $0.flags.contains(.goesOver) }) {
            try goOver(waiting)
            waiting = try store.requests(ids).filter { $0.state == .waiting }
        }
        guard waiting.count == ids.count, try passesComparison(waiting), try haveTags(waiting)
        else { return nil }
        var builder = builder
        builder.writer.streams = try bodies(of: piece, streams(of: waiting, in: piece))
        do {
            builder.writer.wholeRows = try wholeRows(of: waiting)
        } catch let unshown as UnshownRow {
            let refused = waiting.filter { $0.target == unshown.row }
            try store.refuse(Set(refused.map(\.id)), with: unshown.failure)
            progress.refused += refused.count
            return nil
        }
        do {
            let (attempt, frozen) = try store.freeze(
                piece.flatMap(\.ids), at: serviceTime, isLeaving: true,
                build: builder.building(piece, boundary: boundary))
            world.checkpoint("upload.frozen")
            return UploadMachine.Work(attempt: attempt, requests: frozen)
        } catch let error as ODataError where error.code == .conflict {
            // What was taken back since it was looked at speaks against no other of its set.
            guard try areWaiting(ids) else { return nil }
            throw error
        }
    }

    private func areWaiting(_ ids: Set<Int64>) throws -> Bool {
        try store.requests(ids).count(where: { $0.state == .waiting }) == ids.count
    }

    mutating func count(_ outcome: RecordOutcome, of requests: Int) {
        progress.sent +=
            requests - outcome.unanswered.count - outcome.waiting.count
            - outcome.dropped.count
        progress.accepted += outcome.accepted.count
        progress.refused += outcome.refused.count + outcome.unknown.count
        progress.total = max(progress.total, progress.sent)
        report(progress)
    }

    func checkCancellation() throws {
        if cancellation.isCancelled { throw Self.isCancelled }
    }

    static let isCancelled = ODataError(
        .cancelled, "The upload was cancelled; unanswered requests stay queued.")
}

/// How far an upload has come.
package struct UploadProgress: Sendable, Hashable {
    package var total = 0
    package var sent = 0
    package var accepted = 0
    package var refused = 0
    /// What conflict policies and the app's own decisions have overwritten.
    package var overwrites: [Overwrite] = []
    /// Sets whose rows have no entity tags, said once of each.
    package var unseenConflicts: [String] = []
    /// Sets whose conflicts a function of the app decides, which this upload could not call.
    package var undecidedSets: [String] = []
    /// Refused contents and links of sets that have a policy, which decides about entities only: one sentence each.
    package var undecidedConflicts: [String] = []

    package init() {}
}
