import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWorld

/// Writes the HTTP request of an attempt from its requests by id, given the URL of a row and the metadata that they were read by,
/// which another thread may have changed since the upload began.
package typealias RequestBuilding = (
    _ graph: MetadataGraph, _ requests: [Int64: QueuedRequest],
    _ address: (RowReference) throws -> String
) throws -> (message: RequestMessage, members: [Attempt.Member])

/// Answers and what goes next in one durable transaction (docs/decisions/0013-one-transaction-a-request.md).
extension LocalStore {
    /// What is to be frozen beside others.
    package struct Freezing {
        var ids: [Int64]
        /// Whether nobody has to be asked about the requests before they go, as they are now.
        var isReady: ([QueuedRequest]) throws -> Bool
        var build: RequestBuilding

        package init(
            _ ids: [Int64], isReady: @escaping ([QueuedRequest]) throws -> Bool,
            build: @escaping RequestBuilding
        ) {
            self.ids = ids
            self.isReady = isReady
            self.build = build
        }
    }

    // Hot: Upload
    /// Records answers, and freezes what goes next as `freeze(_:at:isLeaving:build:)` does for what leaves.
    ///
    /// - Parameter time: now, by the service's clock.
    /// - Returns: what the recordings led to, and the attempts; nil for what was not frozen. Nothing is frozen where rows lack
    ///   the tags that their next changes need.
    /// - Throws: what recording throws; nothing of it stays then.
    package func commit(
        _ recordings: [UploadMachine.Recording], freezing pieces: [Freezing], at time: Instant
    ) throws -> (outcomes: [RecordOutcome], begun: [UploadMachine.Work?]) {
        try writing { transaction in
            var tagged: [String: Bool] = [:]
            let outcomes = try recordings.map { recording in
                try SendingRows(database: transaction.database).note(recording.notes)
                return try transaction.record(recording.answers, of: recording.attempt.id, &tagged)
            }
            guard outcomes.allSatisfy(\.needsETag.isEmpty) else {
                return (outcomes, pieces.map { _ in nil })
            }
            return (outcomes, try pieces.map { try transaction.begin($0, at: time) })
        }
    }
}

extension StoreTransaction {
    /// See ``LocalStore/record(_:of:)``.
    ///
    /// - Parameter tagged: which tables have tags, as far as this transaction has asked.
    func record(
        _ answers: [AttemptAnswers.Answer], of id: Int64, _ tagged: inout [String: Bool]
    ) throws -> RecordOutcome {
        let attempts = AttemptRows(database: database)
        guard let attempt = try attempts.outline(id) else {
            // Other answers may have settled all of it meanwhile.
            guard try requests.requests(answers.map(\.request)).isEmpty else {
                throw ODataError(.conflict, "Expected an attempt without an answer.")
            }
            return RecordOutcome()
        }
        var recording = AnswerRecording(
            transaction: self, isOpen: attempt.sendCount > 1, tagged: tagged)
        try recording.record(answers)
        tagged = recording.tagged
        try noteAccepted(recording)
        let staying = Set(recording.outcome.unanswered)
        if let rest = AttemptEdits.rest(of: attempt, staying: staying) {
            if rest != attempt { try attempts.fill(rest) }
        } else {
            try attempts.remove(id)
        }
        return recording.outcome
    }

    /// Pages of the tables concerned that were asked for before are older than what the service has accepted now.
    func noteAccepted(_ recording: AnswerRecording) throws {
        guard !recording.changedTables.isEmpty else { return }
        try AcceptedAnswers(database: database).add(recording.changedTables)
    }

    /// See ``LocalStore/freeze(_:at:isLeaving:build:)``.
    func freeze(
        _ waiting: [QueuedRequest], _ ids: [Int64], at time: Instant, isLeaving: Bool,
        build: RequestBuilding
    ) throws -> (attempt: Attempt, requests: [QueuedRequest]) {
        let now = time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000)
        let attempts = AttemptRows(database: database)
        let id = try attempts.reserve(at: now)
        let frozen = try AttemptEdits.frozen(ids, of: waiting, in: id, at: now)
        let members = Dictionary(uniqueKeysWithValues: frozen.map { ($0.id, $0) })
        let built = try build(graph, members) { try address(of: $0) }
        for request in frozen { try requests.freeze(request) }
        try RowMarks(database: database).keep(frozen) { try table($0) }
        let attempt = Attempt(
            id: id, message: built.message, members: built.members, frozenAt: now)
        try attempts.fill(attempt)
        if isLeaving { try noteSending(of: id, built.members.map(\.request)) }
        return (attempt, frozen)
    }

    /// Counts a sending, before it happens.
    func noteSending(of attempt: Int64, _ members: [Int64]) throws {
        try AttemptRows(database: database).noteSending(attempt)
        try SendingRows(database: database).noteSending(of: members, at: now)
    }

    /// Nil where the piece has to be looked at by itself; nothing of it stays then.
    fileprivate func begin(
        _ piece: LocalStore.Freezing, at time: Instant
    ) throws -> UploadMachine.Work? {
        let waiting = try requests.requests(piece.ids)
        guard waiting.count == piece.ids.count, waiting.allSatisfy({ $0.state == .waiting }),
            try piece.isReady(waiting), try !waiting.contains(where: isUntagged)
        else { return nil }
        var work: UploadMachine.Work?
        let refusal = try attempt {
            let (attempt, frozen) = try freeze(
                waiting, piece.ids, at: time, isLeaving: true, build: piece.build)
            work = UploadMachine.Work(attempt: attempt, requests: frozen)
        }
        return refusal == nil ? work : nil
    }
}
