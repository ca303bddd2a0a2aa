import ODataQuery
import ODataText

/// Decides what an upload does next: event → actions (docs/design.md, decisions 15 and 16).
///
/// Pure: the shell carries the actions out in order, tells what came of them with ``step(_:)``, and asks ``next()`` when
/// nothing is left to do. At any moment an attempt is *planned → frozen → sending → notSent, refusedUnprocessed, answered or
/// unanswered*; only the last two of these leave a trace.
package struct UploadMachine: Sendable {
    /// What goes into one HTTP request.
    package typealias Piece = [UploadPlanner.Part]

    /// An attempt and the requests in it.
    package struct Work: Sendable {
        package var attempt: Attempt
        package var requests: [QueuedRequest]
        /// The system still has its last sending, or the answer to that (``TransferNames``).
        package var isUnderWay: Bool

        package init(attempt: Attempt, requests: [QueuedRequest], isUnderWay: Bool = false) {
            self.attempt = attempt
            self.requests = requests
            self.isUnderWay = isUnderWay
        }

        /// An earlier sending of something in it has no answer.
        var isOpen: Bool {
            attempt.sendCount > 0 || requests.contains { $0.flags.contains(.open) }
        }
    }

    package enum Event: Sendable {
        /// The wave that was asked for.
        case planned([Piece])
        /// Nil when the app has changed the queue meanwhile; else its first sending is noted, and begun.
        case frozen(Work?)
        case committed(Committed)
        /// Something in the piece cannot be written as a request.
        case unwritten(Piece, ODataError)
        case came(Int64, SendingOutcome)
        /// No other sending has come to an end yet.
        case noneCame
        /// A sending was neither noted nor begun, or one that is on its way could not be taken up: there is none to take back.
        case unnoted(Int64, ODataError)
        /// The app has cancelled something in the attempt: its sending was neither noted nor begun.
        case withheld(Int64)
        /// What the service shows of each request, or why it could not be asked.
        case looked(Int64, Result<[Int64: ResendPolicy.Finding], ODataError>)
        /// Answers are in the store; these rows have entity tags, and the answers did not say the new ones.
        case recorded(tagsWanted: [RowReference])
        /// What was met has been told by ``learn(_:keys:)``; the rows that the service has shown, and why it could not be
        /// asked, where it could not: at all, or in this one place.
        case metKeys(
            Int64, shown: Set<RowReference> = [], failure: ODataError?, isOfOnePlace: Bool = false)
        /// Whether the service answers at its root.
        case asked(Int64, isThere: Bool)
        /// Whether there is a `$batch`, or why the service could not be asked.
        case askedBatches(Int64, Result<Bool, ODataError>)
        /// The shell could not go on.
        case stopped(ODataError)
    }

    package enum Action: Sendable {
        /// Makes refused requests wait again and rearranges the queue.
        case select
        /// Asks for the next wave without some requests; answered with `planned`.
        case plan(without: Set<Int64>)
        /// Records answers that have come, and freezes what goes next and notes its first sending, all in one durable
        /// transaction; what was frozen leaves as soon as it is on disk. Answered with `committed`, and with `came` for each
        /// that was frozen after an `await` or `poll`.
        case commit(Commit)
        /// Freezes what the service may have to be asked about first, notes its first sending in the same durable transaction
        /// and starts it; answered with `frozen`, and with `came` after an `await` or `poll`.
        case freeze(Piece)
        /// Notes a sending durably and starts it, another one than the first; answered with `came` after an `await` or `poll`.
        case send(Attempt)
        /// Waits for the end of a sending that an earlier process has noted and the system goes on with; answered with `came`
        /// after an `await`.
        case takeUp(Attempt)
        /// Asks the service what it made of each member; answered with `looked`. After an answer that may be somebody
        /// else's even what does no harm twice is looked at.
        case look(Attempt, isAnswered: Bool)
        /// Asks the service for what it always answers; answered with `asked`.
        case askService(Attempt)
        /// Sends a batch that only reads; answered with `askedBatches`.
        case askBatches(Attempt)
        /// Reads rows by key, in parentheses and as segments, until one is shown, and keeps in which style; answered with
        /// `metKeys`.
        case meetKeys(Attempt, [RowReference])
        /// Answered with `recorded`.
        case record(Attempt, [AttemptAnswers.Answer])
        /// Looks at rows for their entity tags, before waiting changes of theirs are sent. What the service does not show
        /// changes nothing.
        case fetchTags([RowReference])
        /// The last sending leaves no trace; with `thaw` the members wait as if never sent.
        case takeBack(Attempt, thaw: Bool)
        /// Earlier sendings certainly had no effect: none is open any more.
        case settleEarlier(Attempt)
        case pause(seconds: Int64)
        /// These were never sent and cannot be.
        case refuse([Int64], ODataError)
        /// No batches from now on.
        case giveUpBatches
        /// What the upload has found out of the service, to be kept for the next one.
        case remember(Lesson)
        /// Whether methods other than POST go in a header (MS-ODATA 2.2.5.8).
        case tunnel(Bool)
        /// The method that updates have from now on.
        case update(by: UpdateMethod)
        /// Blocks until one of the sendings has come to an end.
        case await
        /// Takes one that has come to an end already; answered with `came` or `noneCame`.
        case poll
        /// Keeps for people what came of a sending that has no answer to record; nothing depends on it.
        case note([Int64: SendingRecord.Answer])
        case end(ODataError?)
    }

    /// What an upload finds out of a service.
    package enum Lesson: Sendable, Hashable {
        /// There is no `$batch`; the status that it was refused with.
        case takesNoBatches(status: Int)
        /// A change set that is refused is not taken back.
        case keepsRefusedParts
        /// An update went through by a method that is not the one of the version.
        case updates(UpdateMethod)
    }

    /// What the machine knows of the service.
    package struct Knowledge: Sendable {
        package var threads: Int
        package var usesBatch: Bool
        /// Repeated requests are recognised.
        package var isRepeatable: Bool
        /// Answers bring a version header.
        package var marks: ServiceMarks
        /// Methods may go in a header where they are refused.
        package var mayTunnel: Bool
        /// What a change set did before it was refused stays done.
        package var keepsRefusedParts: Bool
        /// How keys stand in its paths; nil while nobody knows, and parentheses are written.
        package var keys: KeyStyle?
        /// The method of updates; nil where it is not to be changed.
        package var updates: UpdateMethod?
        /// Entity sets whose rows are compared before they are written.
        package var compared: Set<String>

        package init(
            threads: Int = 1, usesBatch: Bool = true, isRepeatable: Bool = false,
            marks: ServiceMarks = ServiceMarks(), mayTunnel: Bool = false,
            keepsRefusedParts: Bool = false, keys: KeyStyle? = nil, updates: UpdateMethod? = nil,
            compared: Set<String> = []
        ) {
            self.threads = max(1, threads)
            self.usesBatch = usesBatch
            self.isRepeatable = isRepeatable
            self.marks = marks
            self.mayTunnel = mayTunnel
            self.keepsRefusedParts = keepsRefusedParts
            self.keys = keys
            self.updates = updates
            self.compared = compared
        }
    }

    static let longestPauseSeconds: Int64 = 30

    var knowledge: Knowledge
    var works: [Int64: Work] = [:]
    var unsettled: [Work]
    /// Those of them that this upload goes on with.
    var resumed: Set<Int64>
    var ready: ArraySlice<Piece> = []
    /// Those that could not be frozen beside others.
    var apart: [Piece] = []
    /// Answers that are recorded next, with others that come beside them.
    var held: [Recording] = []
    /// No more answers were there to be held.
    var hasPolled = false
    var mayPlan = true
    var hasSelected = false
    var inFlight = 0
    /// What ends the upload once the others on their way have come to an end.
    var failure: ODataError?
    /// What is thrown at the end although the rest went on.
    var complaint: ODataError?
    /// Requests that this upload does not send again.
    var deferred: Set<Int64> = []
    /// Requests that this upload has looked at.
    var lookedAt: Set<Int64> = []
    /// Answers that did not count, by attempt.
    var doubts: [Int64: (answer: ResponseMessage, error: ODataError)] = [:]
    var pausedFor: Set<Int64> = []
    /// Refusals that may be those of one place, by attempt, while the service is asked.
    var turnedAway: [Int64: SendingOutcome.Refusal] = [:]
    /// Refusals of `$batch` that may be somebody else's, by attempt.
    var batchDoubts: [Int64: BatchDoubt] = [:]
    /// A batch was answered as one.
    var hasTakenBatch = false
    /// Open batches that the service refuses as a whole, and attempts with something in them that was cancelled.
    var divided: Set<Int64> = []
    /// Attempts that are not sent again because something in them was cancelled.
    var withheld: Set<Int64> = []
    /// Refusals of change sets whose members are being looked at, by attempt and request.
    var setRefusals: [Int64: [Int64: ResponseMessage]] = [:]
    /// Answers that count once the style of keys is met, by attempt.
    var heldForKeys: [Int64: [AttemptAnswers.Answer]] = [:]
    /// A look at a key has been asked for, and told nothing where the style is still not known.
    var hasAskedForKeys = false
    /// Attempts that may have keys in a style, or updates by a method, that the service does not know: they were written
    /// before it was met.
    var outdated: Set<Int64> = []
    /// The status with which `$batch` was refused, until an answer of the service's own confirms that it is there.
    var refusedBatch: Int?
    /// Methods go in a header: not tried, being tried, or known to be of no use.
    var tunnelling = Tunnelling.untried

    /// The method of updates before the one that is being tried; nil when none is.
    var updatesBefore: UpdateMethod?
    /// Methods of updates that were refused.
    var triedUpdates: Set<UpdateMethod> = []

    enum Tunnelling { case untried, trying, useless }

    /// - Parameter unsettled: attempts that earlier uploads left without an answer, oldest first.
    package init(_ knowledge: Knowledge, unsettled: [Work] = []) {
        self.knowledge = knowledge
        self.unsettled = unsettled
        resumed = Set(unsettled.map(\.attempt.id))
        if knowledge.keys == .segments { outdated = Set(unsettled.map(\.attempt.id)) }
    }

    /// Takes over what answers have shown meanwhile.
    package mutating func learn(_ marks: ServiceMarks, keys: KeyStyle? = nil) {
        knowledge.marks = marks
        if let keys { learn(keys) }
    }

    /// What to do when nothing else is left to do.
    package mutating func next() -> [Action] {
        if !held.isEmpty { return recordHeld() }
        if failure == nil, inFlight == 0, !unsettled.isEmpty {
            return settle(unsettled.removeFirst())
        }
        if failure == nil, inFlight < knowledge.threads, unsettled.isEmpty {
            if !hasSelected {
                hasSelected = true
                return [.select]
            }
            if !apart.isEmpty { return [.freeze(apart.removeFirst())] }
            if ready.isEmpty, mayPlan {
                mayPlan = false
                return [.plan(without: deferred)]
            }
            let pieces = takeReady()
            if !pieces.isEmpty { return [.commit(Commit(pieces: pieces))] }
        }
        if inFlight > 0 { return [.await] }
        return [.end(failure ?? complaint)]
    }

    package mutating func step(_ event: Event) -> [Action] {
        let actions = actions(after: event)
        // What was answered is in the store before anything else is done.
        guard !actions.isEmpty, !held.isEmpty else { return actions }
        return [.commit(takeHeld())] + actions
    }

    private mutating func actions(after event: Event) -> [Action] {
        switch event {
        case .planned(let pieces):
            ready = pieces[...]
            return []
        case .frozen(let work):
            guard let work else {
                dropPlan()
                mayPlan = true
                return []
            }
            begin(work)
            return []
        case .committed(let committed): return self.committed(committed)
        case .unwritten(let piece, let error): return unwritten(piece, error)
        case .came(let id, let outcome):
            inFlight -= 1
            mayPlan = true
            guard var work = works[id] else { return [] }
            work.isUnderWay = false
            works[id] = work
            return holding(came(work, outcome), outcome.records(of: work.attempt))
        case .noneCame:
            hasPolled = true
            return []
        case .unnoted(let id, let error):
            inFlight -= 1
            failure = failure ?? error
            guard let work = works[id] else { return [] }
            drop(id)
            // What nobody was sent before waits as it did; what could not be taken up is still on its way.
            let isUnsent = work.attempt.sendCount == 0 && !work.isUnderWay
            return isUnsent ? [.takeBack(work.attempt, thaw: true)] : []
        case .withheld(let id):
            inFlight -= 1
            mayPlan = true
            guard let work = works[id] else { return [] }
            return withheld(work)
        case .looked(let id, .failure(let error)):
            drop(id)
            failure = failure ?? error
            return []
        case .looked(let id, .success(let findings)):
            mayPlan = true
            guard let work = works[id] else { return [] }
            return looked(work, relying(on: findings, work)).map { $0.telling(findings) }
        case .recorded(let rows): return rows.isEmpty ? [] : [.fetchTags(rows)]
        case .metKeys(let id, let shown, let error, let isOfOnePlace):
            guard let work = works[id] else { return [] }
            return metKeys(work, shown: shown, failure: error, isOfOnePlace)
        case .asked(let id, let isThere):
            guard let work = works[id] else { return [] }
            return asked(work, isThere: isThere)
        case .askedBatches(let id, let answer):
            guard let work = works[id] else { return [] }
            return askedBatches(work, answer)
        case .stopped(let error):
            failure = failure ?? error
            return []
        }
    }

    /// Nothing of an attempt is to be decided any more.
    mutating func drop(_ attempt: Int64) {
        works[attempt] = nil
        doubts[attempt] = nil
        turnedAway[attempt] = nil
        batchDoubts[attempt] = nil
        setRefusals[attempt] = nil
        divided.remove(attempt)
        withheld.remove(attempt)
        outdated.remove(attempt)
    }

    /// Sends an attempt that an earlier upload left open, or first looks what became of it.
    private mutating func settle(_ work: Work) -> [Action] {
        // While it may still arrive, the service shows nothing that could be relied on.
        if work.isUnderWay {
            var work = work
            // What comes is the answer to the last sending, as if that were of this upload; those before it alone are open.
            work.attempt.sendCount = max(0, work.attempt.sendCount - 1)
            if work.attempt.sendCount == 0 { resumed.remove(work.attempt.id) }
            works[work.attempt.id] = work
            inFlight += 1
            return [.takeUp(work.attempt)]
        }
        let isCompared = work.requests.contains { $0.isCompared(in: knowledge.compared) }
        // Of one that never left, the rows are compared anew.
        if isCompared, !work.isOpen {
            drop(work.attempt.id)
            return [.takeBack(work.attempt, thaw: true)]
        }
        let isBlind = ResendPolicy.resendsBlindly(
            work.requests, wasSent: work.isOpen, isRepeatable: isRepeatable(work))
        if isBlind, !isCompared, work.attempt.isWhole { return send(work) }
        works[work.attempt.id] = work
        return [.look(work.attempt, isAnswered: false)]
    }

    /// What cannot be written keeps nothing else: its piece is divided until it stands alone, and is listed then.
    private mutating func unwritten(_ piece: Piece, _ error: ODataError) -> [Action] {
        let isOfTheMoment = error.code == .service && ServiceRefusal.isOfTheMoment(error.status)
        guard !isOfTheMoment, ![.storage, .cancelled, .network, .timeout].contains(error.code)
        else {
            failure = failure ?? error
            return []
        }
        guard piece.count > 1 else { return [.refuse(piece.flatMap(\.ids), error)] }
        ready = piece.map { [$0] }[...] + ready
        return []
    }

    mutating func send(_ work: Work) -> [Action] {
        begin(work)
        return [.send(work.attempt)]
    }

    /// A sending of it is on its way.
    mutating func begin(_ work: Work) {
        works[work.attempt.id] = work
        inFlight += 1
    }
}
