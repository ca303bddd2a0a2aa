import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

/// One upload from snapshot to drained queue: plans a wave, freezes it, sends it, records the answer, plans again.
///
/// Used by one thread. A failure of the network ends it; what has no answer stays frozen and is sent again, byte for
/// byte, by the next upload.
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
        while true {
            try checkCancellation()
            let requests = try store.allRequests()
            let wave = planner.wave(of: requests, selected: selected)
            guard let parts = wave.first else { return progress }
            try send(parts, requests)
        }
    }

    /// Freezes as many of `parts` as fit into one iteration, and sends them; the rest is planned again.
    private mutating func send(
        _ parts: [UploadPlanner.Part], _ requests: [QueuedRequest]
    ) throws {
        let sizes = parts.map { Self.size(of: $0, in: requests) }
        let pieces = UploadPlanner.split(
            parts, sizes: sizes, limit: settings.uploadIterationBytes)
        guard let piece = pieces.first else { return }
        let boundary = makeBoundary()
        let attempt = try store.freeze(piece.flatMap(\.ids), at: world.now()) {
            [builder] frozen, address in
            try builder.build(piece, of: frozen, boundary: boundary, address: address)
        }
        world.checkpoint("upload.frozen")
        try settle(attempt)
    }

    mutating func settle(_ attempt: Attempt) throws {
        try checkCancellation()
        try store.noteSending(of: attempt.id)
        let response = try connection.exchange(attempt.message, cancellation: cancellation)
        world.checkpoint("upload.answered")
        if attempt.isBatch, Self.meansNoBatch(response.status) {
            planner.usesBatch = false
            try store.thaw(attempt.id)
            return
        }
        let answers = try AttemptAnswers.read(response, of: attempt)
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

    private static func size(of part: UploadPlanner.Part, in requests: [QueuedRequest]) -> Int {
        let ids = Set(part.ids)
        return requests.filter { ids.contains($0.id) }.reduce(0) { $0 + 512 + $1.estimatedBytes }
    }

    private func makeBoundary() -> String {
        let (high, low) = world.makeIdentifier()
        return "batch_" + String(high, radix: 16) + String(low, radix: 16)
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
