import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWorld

/// What an upload asks of the store: freeze, send, record (DESIGN decision 15). Each call is one durable transaction.
extension LocalStore {
    /// What recording the answers of an attempt led to.
    package struct RecordOutcome: Sendable, Hashable {
        package var accepted: [Int64] = []
        package var refused: [Int64] = []
        /// Requests that are not sent because one they depend on was refused, with the cause.
        package var blocked: [Int64: Int64] = [:]
        package var unanswered: [Int64] = []
        /// Rows that have an ETag, of which the answer did not tell the new one, while changes of theirs wait.
        package var needsETag: [RowReference] = []

        package init() {}
    }

    /// Attempts without a recorded answer, oldest first: they are sent again before anything else.
    package func attempts() throws -> [Attempt] {
        try read { try AttemptRows(database: $0).all() }
    }

    /// Freezes requests into one attempt.
    ///
    /// - Parameter build: writes the HTTP request from the requests by id, given the URL of a row.
    /// - Throws: `conflict` when one of the requests does not wait; nothing is frozen then.
    package func freeze(
        _ ids: [Int64], at time: Instant,
        build: (
            _ requests: [Int64: QueuedRequest], _ address: (RowReference) throws -> String
        ) throws -> (message: RequestMessage, members: [Attempt.Member])
    ) throws -> Attempt {
        try writing { transaction in
            let now = time.seconds * 1_000 + Int64(time.nanoseconds / 1_000_000)
            let attempts = AttemptRows(database: transaction.database)
            let id = try attempts.reserve(at: now)
            var frozen: [Int64: QueuedRequest] = [:]
            // Members of a change set take effect together, so they share the identity of the first.
            var shared: [String: RepeatabilityIdentity] = [:]
            for var request in try transaction.requests.requests(ids).sorted(
                by: QueuedRequest.comesBefore)
            {
                guard request.state == .waiting else {
                    throw ODataError(
                        .conflict, "Expected a waiting request to send, found another state.")
                }
                request.state = .frozen(attempt: id)
                request.identity.firstSent = request.identity.firstSent ?? now
                if let name = request.changeSet {
                    request.identity = shared[name] ?? request.identity
                    shared[name] = request.identity
                }
                frozen[request.id] = request
            }
            guard frozen.count == Set(ids).count else {
                throw ODataError(.conflict, "Expected requests of the queue to send.")
            }
            let built = try build(frozen) { try transaction.address(of: $0) }
            for request in frozen.values { try transaction.requests.update(request) }
            let attempt = Attempt(
                id: id, message: built.message, members: built.members, frozenAt: now)
            try attempts.fill(attempt)
            return attempt
        }
    }

    /// Counts a sending, before it happens.
    package func noteSending(of attempt: Int64) throws {
        try write(.full) { try AttemptRows(database: $0).noteSending(attempt) }
    }

    /// Takes an attempt back that certainly was not looked at: its requests wait as if never sent.
    package func thaw(_ id: Int64) throws {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            guard let attempt = try attempts.attempt(id) else { return }
            let ids = attempt.members.map(\.request)
            for var request in try transaction.requests.requests(ids)
            where request.state == .frozen(attempt: id) {
                request.state = .waiting
                request.identity.firstSent = nil
                try transaction.requests.update(request)
            }
            try attempts.remove(id)
        }
    }

    /// Records what the service answered to an attempt. When no member has an answer, the attempt stays frozen.
    package func record(
        _ answers: [AttemptAnswers.Answer], of id: Int64
    ) throws -> RecordOutcome {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            guard try attempts.attempt(id) != nil else {
                throw ODataError(.conflict, "Expected an attempt without an answer.")
            }
            var recording = AnswerRecording(transaction: transaction)
            for answer in answers { try recording.record(answer) }
            try recording.finish()
            if !recording.outcome.accepted.isEmpty {
                let settings = StoreSettings(database: transaction.database)
                try settings.set(.answers, (try settings.integer(.answers) ?? 0) + 1)
            }
            guard recording.outcome.unanswered.count < answers.count else {
                return recording.outcome
            }
            for var request in try transaction.requests.requests(recording.outcome.unanswered) {
                request.state = .waiting
                try transaction.requests.update(request)
            }
            try attempts.remove(id)
            return recording.outcome
        }
    }

    /// Sets the ETag that a separate read brought, for the row and the changes of it that wait.
    package func setETag(_ etag: String?, of row: RowReference) throws {
        try writing { transaction in
            let images = try transaction.images(row.table)
            if var image = try images.image(id: row.id) {
                image.row.values.control.etag = etag
                try images.write(image.row, kind: image.kind)
            }
            if var current = try images.rows.row(id: row.id) {
                current.values.control.etag = etag
                try images.rows.write(current)
            }
            for var request in try transaction.requests.requests(writing: [row])
            where request.target == row && request.state == .waiting && request.ifMatch != nil {
                request.ifMatch = etag
                try transaction.requests.update(request)
            }
        }
    }

    /// Marks frozen requests whose fate cannot be found out; they are listed as failed and never resent by
    /// themselves.
    package func markUnknown(_ attempt: Int64) throws {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            guard let found = try attempts.attempt(attempt) else { return }
            var edits: [QueueEdit] = []
            for var request in try transaction.requests.requests(found.members.map(\.request)) {
                request.state = .unknown
                edits.append(.replace(request))
            }
            try attempts.remove(attempt)
            try QueueChange(transaction: transaction).apply(edits)
        }
    }

    /// Makes refused and blocked requests wait again, and joins later changes of the same rows into them (offline
    /// reference, 14.2). Requests of unknown fate stay.
    package func requeueFailedRequests() throws {
        try writing { transaction in
            let failed = try transaction.requests.all().filter { $0.state.failure != nil }
            let blocked = try transaction.requests.all().filter {
                if case .blocked = $0.state { true } else { false }
            }
            guard !failed.isEmpty || !blocked.isEmpty else { return }
            let change = QueueChange(transaction: transaction)
            try change.apply(try RequestFix(transaction: transaction).retry(failed + blocked))
            let rows = Set(failed.filter { !$0.operation.isLink }.map(\.target))
            try change.apply(
                QueueMerge(respectsTransactionIDs: true).edits(try transaction.requests.all()) {
                    rows.contains($0.target)
                })
        }
    }

    /// Joins, groups and drops requests of `selection` before they are planned (offline reference, 12.4 to 12.6).
    package func rearrange(_ passes: QueuePasses, _ selection: UploadSelection) throws {
        guard !passes.isEmpty else { return }
        try writing { transaction in
            let queue = try transaction.requests.all()
            let edits = passes.edits(queue, selected: selection.ids(in: queue))
            guard !edits.isEmpty else { return }
            try QueueChange(transaction: transaction).apply(edits)
        }
    }

    /// Makes some failed requests wait again, as they are.
    package func retry(_ ids: Set<Int64>) throws {
        try writing { transaction in
            let failed = try transaction.requests.requests(ids).filter(\.state.isFailure)
            try QueueChange(transaction: transaction).apply(
                try RequestFix(transaction: transaction).retry(failed))
        }
    }
}
