import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Answers and what goes next, in one durable transaction.
extension UploadRun {
    /// The time as the service has it.
    var serviceTime: Instant {
        var time = world.now()
        time.seconds = connection.clock.seconds(at: time.seconds)
        return time
    }

    // Hot: Upload
    /// Records answers, and starts what could be frozen with them.
    ///
    /// - Throws: what keeps some of the answers from being recorded; the others are.
    mutating func commit(
        _ commit: UploadMachine.Commit, _ exchange: AttemptExchange
    ) throws -> UploadMachine.Committed {
        var committed = UploadMachine.Committed()
        // An accepted change of a row that is compared is looked at before anything else goes.
        let isTogether = settings.rules.compared.isEmpty && !cancellation.isCancelled
        guard isTogether else {
            committed.tagsWanted = try recordEach(commit.recordings)
            committed.left = commit.pieces
            return committed
        }
        let outcomes: [RecordOutcome]
        do {
            let (found, begun) = try store.commit(
                commit.recordings, freezing: commit.pieces.map { freezing($0) }, at: serviceTime)
            outcomes = found
            for (piece, work) in zip(commit.pieces, begun) {
                guard let work else {
                    committed.left.append(piece)
                    continue
                }
                committed.begun.append(work)
            }
        } catch {
            // One answer that cannot be recorded takes no other with it.
            _ = try recordEach(commit.recordings)
            throw error
        }
        if !commit.recordings.isEmpty { world.checkpoint("upload.recorded") }
        if !committed.begun.isEmpty { world.checkpoint("upload.frozen") }
        for work in committed.begun { begin(work, exchange) }
        for (recording, outcome) in zip(commit.recordings, outcomes) {
            committed.tagsWanted += outcome.needsETag
            do {
                try follow(recording, outcome)
            } catch {
                committed.failure = committed.failure ?? Self.error(error)
            }
        }
        return committed
    }

    /// Starts the first sending of an attempt, which is noted.
    mutating func begin(_ work: UploadMachine.Work, _ exchange: AttemptExchange) {
        let attempt = work.attempt
        questions[attempt.id] = attempt.question(work.requests)
        // An answer to an earlier sending is not one to this.
        background?.forget(attempt)
        start(attempt, exchange)
    }

    /// What can go as the store has it: neither the service nor a content has to be read for it.
    private func freezing(_ piece: UploadMachine.Piece) -> LocalStore.Freezing {
        LocalStore.Freezing(
            piece.flatMap(\.ids),
            isReady: { [writer = builder.writer] requests in
                requests.allSatisfy {
                    !$0.bringsStream && !$0.flags.contains(.goesOver) && !writer.replaces($0)
                }
            },
            build: builder.building(
                piece, boundary: BatchWriter.boundary(world.makeIdentifier())))
    }

    /// - Throws: the first failure, when all the others are recorded.
    private mutating func recordEach(
        _ recordings: [UploadMachine.Recording]
    ) throws -> [RowReference] {
        var tagsWanted: [RowReference] = []
        var failure: (any Error)?
        for recording in recordings {
            do {
                tagsWanted += try record(recording).needsETag
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return tagsWanted
    }

    /// Records the answers to one attempt.
    mutating func record(_ recording: UploadMachine.Recording) throws -> RecordOutcome {
        let requests =
            settings.rules.compared.isEmpty
            ? [] : try store.requests(Set(recording.attempt.members.map(\.request)))
        let (outcomes, _) = try store.commit([recording], freezing: [], at: serviceTime)
        guard let outcome = outcomes.first else { return RecordOutcome() }
        try rereadCompared(
            requests, accepted: outcome.accepted,
            answered: Set(recording.answers.filter { !$0.isLook }.map(\.request)))
        world.checkpoint("upload.recorded")
        try follow(recording, outcome)
        return outcome
    }

    /// What the service has shown of itself by answers that are in the store.
    private mutating func follow(
        _ recording: UploadMachine.Recording, _ outcome: RecordOutcome
    ) throws {
        // The answer is in the store, whatever becomes of the rest.
        count(outcome, of: recording.answers.count)
        background?.forget(recording.attempt)
        try noteRepeatability(recording.answers)
        if builder.writer.tunnelsMethods, !outcome.accepted.isEmpty,
            recording.attempt.message.headers["X-HTTP-Method"] != nil
        {
            try learn(.tunnel)
        }
        if marks.sendsVersion { try learn(.version) }
    }
}

extension AttemptBuilder {
    /// Writes a piece by the metadata that its requests were read by.
    func building(_ piece: UploadMachine.Piece, boundary: String) -> RequestBuilding {
        { graph, requests, address in
            var builder = self
            builder.writer.graph = graph
            return try builder.build(piece, of: requests, boundary: boundary, address: address)
        }
    }
}
