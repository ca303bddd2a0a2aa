import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One upload from snapshot to drained queue: plans a wave, freezes and sends its parts, several at a time, records
/// each answer, plans again.
///
/// Used by one thread, which alone writes to the store; workers only send. No two requests that depend on each other
/// are ever on their way together, because a wave holds none that waits for another. A failure of the network ends it
/// when the others on their way have answered; what has no answer stays frozen and is sent again, byte for byte, by
/// the next upload.
package struct UploadRun {
    let store: LocalStore
    let connection: ServiceConnection
    let world: any World
    let settings: SyncSettings
    let builder: AttemptBuilder
    let cancellation: CancellationFlag
    let report: (UploadProgress) -> Void
    private var planner: UploadPlanner
    var progress = UploadProgress()

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
    }

    /// Sends what `selection` asks for.
    ///
    /// - Returns: how many requests were sent, accepted and refused.
    /// - Throws: `network`, `timeout` or `cancelled`; refusals of single requests are recorded, not thrown.
    package mutating func run(_ selection: UploadSelection) throws -> UploadProgress {
        for attempt in try store.attempts() {
            try settleAgain(attempt)
        }
        try store.requeueFailedRequests()
        try store.rearrange(settings.queuePasses, selection)
        let selected = selection.ids(in: try store.allRequests())
        progress.total = progress.sent + selected.count
        report(progress)
        try sendAll(selected)
        return progress
    }

    /// A piece of a wave: what goes into one HTTP request.
    private typealias Piece = [UploadPlanner.Part]

    private mutating func sendAll(_ selected: Set<Int64>) throws {
        let exchange = AttemptExchange(
            connection: connection, world: world, threads: settings.uploadThreads,
            cancellation: cancellation)
        defer { exchange.close() }
        var ready: ArraySlice<Piece> = []
        var mayPlan = true
        var failure: (any Error)?
        while true {
            do {
                while failure == nil, exchange.hasRoom {
                    try checkCancellation()
                    if ready.isEmpty, mayPlan {
                        ready = try pieces(of: selected)[...]
                        mayPlan = false
                    }
                    guard let piece = ready.popFirst() else { break }
                    guard let attempt = try freeze(piece) else {
                        // The app has changed the queue meanwhile.
                        (ready, mayPlan) = ([], true)
                        continue
                    }
                    try store.noteSending(of: attempt.id)
                    exchange.start(attempt, try content(of: attempt))
                }
            } catch {
                failure = failure ?? error
            }
            guard exchange.openCount > 0 else { break }
            let (attempt, answer) = exchange.next()
            world.checkpoint("upload.answered")
            do {
                let usedBatch = planner.usesBatch
                try record(answer.get(), of: attempt)
                if usedBatch != planner.usesBatch { ready = [] }
                mayPlan = true
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// What can be sent now, as far as it fits into one iteration each.
    private func pieces(of selected: Set<Int64>) throws -> [Piece] {
        let requests = try store.allRequests()
        let sizes = Dictionary(
            requests.map { ($0.id, 512 + $0.estimatedBytes) }, uniquingKeysWith: { $1 })
        return try planner.wave(of: requests, selected: selected).flatMap { parts -> [Piece] in
            let streams = try streams(of: requests, in: parts)
            let (alone, together) = divided(parts, streams)
            let pieces = UploadPlanner.split(
                together,
                sizes: together.map { part in
                    part.ids.reduce(0) {
                        $0 + (sizes[$1] ?? 0) + Int(streams[$1]?.length ?? 0)
                    }
                },
                limit: settings.uploadIterationBytes)
            return pieces + alone.map { [$0] }
        }
    }

    /// Nil when one of the requests does not wait any more.
    private func freeze(_ piece: Piece) throws -> Attempt? {
        let boundary = BatchWriter.boundary(world.makeIdentifier())
        let ids = Set(piece.flatMap(\.ids))
        let waiting = try store.requests(ids).filter { $0.state == .waiting }
        guard waiting.count == ids.count else { return nil }
        var builder = builder
        builder.writer.streams = try bodies(of: piece, streams(of: waiting, in: piece))
        let attempt = try store.freeze(piece.flatMap(\.ids), at: world.now()) {
            [builder] frozen, address in
            try builder.build(piece, of: frozen, boundary: boundary, address: address)
        }
        world.checkpoint("upload.frozen")
        return attempt
    }

    /// Sends an attempt that stands alone, and records its answer.
    mutating func settle(_ attempt: Attempt) throws {
        try checkCancellation()
        try store.noteSending(of: attempt.id)
        let response = try connection.exchange(
            attempt.message, content: try content(of: attempt), cancellation: cancellation)
        world.checkpoint("upload.answered")
        try record(response, of: attempt)
    }

    private mutating func record(_ response: ResponseMessage, of attempt: Attempt) throws {
        let isNoBatch = attempt.isBatch && Self.meansNoBatch(response.status)
        if isNoBatch, planner.usesBatch || Set(attempt.members.map(\.part)).count > 1 {
            planner.usesBatch = false
            try store.thaw(attempt.id)
            return
        }
        // A change set cannot do without a batch: the refusal is its answer.
        let answers =
            isNoBatch
            ? attempt.members.map {
                .init(request: $0.request, outcome: .changeSetRefused(response))
            }
            : try AttemptAnswers.read(response, of: attempt)
        let outcome = try store.record(answers, of: attempt.id)
        try noteRepeatability(answers)
        try fetchETags(of: outcome.needsETag)
        world.checkpoint("upload.recorded")
        progress.sent += attempt.members.count
        progress.accepted += outcome.accepted.count
        progress.refused += outcome.refused.count
        progress.total = max(progress.total, progress.sent)
        report(progress)
        if answers.allSatisfy({ $0.outcome == .unanswered }) {
            throw ODataError(
                .network, "Expected an answer to each part of a batch, found none.",
                at: .path("$batch"))
        }
    }

    /// The service read nothing of the batch, because it takes none (or none of this form).
    private static func meansNoBatch(_ status: Int) -> Bool {
        [404, 405, 415, 501].contains(status)
    }

    func checkCancellation() throws {
        if cancellation.isCancelled {
            throw ODataError(
                .cancelled, "The upload was cancelled; unanswered requests stay queued.")
        }
    }
}

/// How far an upload has come.
package struct UploadProgress: Sendable, Hashable {
    package var total = 0
    package var sent = 0
    package var accepted = 0
    package var refused = 0
}
