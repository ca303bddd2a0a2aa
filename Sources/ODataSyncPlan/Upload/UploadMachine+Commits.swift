import ODataQuery
import ODataText

/// What one durable transaction of an upload holds (docs/decisions/0013-one-transaction-a-request.md).
///
/// Answers that have come by the time it begins are recorded together, and what goes in their places is frozen and noted as
/// sent with them: no more is noted than there are threads to send it at once.
extension UploadMachine {
    package struct Commit: Sendable {
        package var recordings: [Recording]
        package var pieces: [Piece]

        package init(recordings: [Recording] = [], pieces: [Piece] = []) {
            self.recordings = recordings
            self.pieces = pieces
        }
    }

    /// The answers to one attempt.
    package struct Recording: Sendable, Hashable {
        package var attempt: Attempt
        package var answers: [AttemptAnswers.Answer]
        /// What is noted of the sending, for people.
        package var notes: [Int64: SendingRecord.Answer]

        package init(
            attempt: Attempt, answers: [AttemptAnswers.Answer],
            notes: [Int64: SendingRecord.Answer] = [:]
        ) {
            self.attempt = attempt
            self.answers = answers
            self.notes = notes
        }
    }

    /// What came of a ``Commit``, whose answers are in the store.
    package struct Committed: Sendable {
        /// Rows that have entity tags, and the answers did not say the new ones; nothing was frozen then.
        package var tagsWanted: [RowReference]
        /// What is on its way now.
        package var begun: [Work]
        /// What cannot be frozen beside others: it has to be looked at first, or the queue has changed.
        package var left: [Piece]
        /// What keeps the upload from going on, though all this is in the store.
        package var failure: ODataError?

        package init(
            tagsWanted: [RowReference] = [], begun: [Work] = [], left: [Piece] = [],
            failure: ODataError? = nil
        ) {
            self.tagsWanted = tagsWanted
            self.begun = begun
            self.left = left
            self.failure = failure
        }
    }

    /// Most requests that one transaction records, or freezes, where one attempt has no more: others wait for it to write.
    static let mostTogether = 200

    /// Keeps answers until the others that are there already have been taken, where nothing but recording follows from them.
    mutating func holding(
        _ actions: [Action], _ notes: [Int64: SendingRecord.Answer]
    ) -> [Action] {
        if actions.count == 1, case .record(let attempt, let answers)? = actions.first {
            held.append(Recording(attempt: attempt, answers: answers, notes: notes))
            hasPolled = false
            return []
        }
        return notes.isEmpty ? actions : [.note(notes)] + actions
    }

    mutating func recordHeld() -> [Action] {
        let count = held.reduce(0) { $0 + $1.answers.count }
        if inFlight > 0, !hasPolled, count < Self.mostTogether { return [.poll] }
        var commit = takeHeld()
        commit.pieces = takeReady()
        return [.commit(commit)]
    }

    mutating func takeHeld() -> Commit {
        defer { held = [] }
        return Commit(recordings: held)
    }

    /// What may leave next to what is on its way.
    mutating func takeReady() -> [Piece] {
        guard failure == nil, hasSelected, unsettled.isEmpty, apart.isEmpty else { return [] }
        var pieces: [Piece] = []
        var count = 0
        while inFlight + pieces.count < knowledge.threads, let piece = ready.first {
            count += piece.reduce(0) { $0 + $1.ids.count }
            guard pieces.isEmpty || count <= Self.mostTogether else { break }
            pieces.append(piece)
            ready.removeFirst()
        }
        return pieces
    }

    mutating func committed(_ committed: Committed) -> [Action] {
        for work in committed.begun { begin(work) }
        apart += committed.left
        failure = failure ?? committed.failure
        return committed.tagsWanted.isEmpty ? [] : [.fetchTags(committed.tagsWanted)]
    }

    /// What was planned is planned anew.
    mutating func dropPlan() {
        ready = []
        apart = []
    }
}
