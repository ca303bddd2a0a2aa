import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWorld

/// What an upload asks of the store: freeze, send, record (docs/design.md, decision 15). Each call is one durable transaction.
extension LocalStore {
    /// Attempts without a recorded answer, oldest first: they are sent again before anything else.
    package func attempts() throws -> [Attempt] {
        try read { try AttemptRows(database: $0).all() }
    }

    /// Freezes requests into one attempt.
    ///
    /// - Parameters:
    ///   - time: now, by the service's clock.
    ///   - isLeaving: its first sending is noted with it, which the attempt does not count as an earlier one.
    ///   - build: writes the HTTP request.
    /// - Returns: the attempt, and its requests as they are stored.
    /// - Throws: `conflict` when one of the requests does not wait; nothing is frozen then.
    package func freeze(
        _ ids: [Int64], at time: Instant, isLeaving: Bool = false, build: RequestBuilding
    ) throws -> (attempt: Attempt, requests: [QueuedRequest]) {
        try writing { transaction in
            try transaction.freeze(
                transaction.requests.requests(ids), ids, at: time, isLeaving: isLeaving,
                build: build)
        }
    }

    /// Counts a sending, before it happens.
    ///
    /// - Returns: false where the app has cancelled something in it, or another answer has settled something meanwhile; nothing
    ///   is counted then, and nothing may be sent.
    @discardableResult
    package func noteSending(of attempt: Int64) throws -> Bool {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            let members = try attempts.members(of: attempt)
            guard try attempts.isWhole(attempt),
                try !RequestRows.hasCancelled(members, transaction.database)
            else { return false }
            try transaction.noteSending(of: attempt, members)
            return true
        }
    }

    /// Takes the last sending back, of which nobody got anything or which was not looked at.
    ///
    /// - Parameter thaw: no other sending is open, so that the requests wait as if never sent.
    package func takeBack(_ id: Int64, thaw: Bool) throws {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            guard let attempt = try attempts.outline(id) else { return }
            guard thaw else {
                try attempts.setSendCount(max(0, attempt.sendCount - 1), of: id)
                return
            }
            let members = try transaction.requests.requests(attempt.members.map(\.request))
            for request in AttemptEdits.thawed(attempt, members) {
                try transaction.requests.update(request)
            }
            let cancelled = AttemptEdits.answers(toCancelled: members, in: attempt)
            if !cancelled.isEmpty {
                var recording = AnswerRecording(transaction: transaction)
                try recording.record(cancelled)
            }
            try attempts.remove(id)
        }
    }

    /// No sending of the attempt so far had an effect: the next one counts as its first.
    package func settleEarlier(_ id: Int64) throws {
        try writing { transaction in
            let attempts = AttemptRows(database: transaction.database)
            guard let attempt = try attempts.outline(id) else { return }
            try attempts.setSendCount(0, of: id)
            let members = try transaction.requests.requests(attempt.members.map(\.request))
            for request in AttemptEdits.settled(members) {
                try transaction.requests.update(request)
            }
        }
    }

    /// Records what the service answered to an attempt, as far as it did: the others stay in it.
    package func record(
        _ answers: [AttemptAnswers.Answer], of id: Int64
    ) throws -> RecordOutcome {
        try writing { transaction in
            var tagged: [String: Bool] = [:]
            return try transaction.record(answers, of: id, &tagged)
        }
    }

    /// Lists requests that cannot be written, with the reason; nothing of them was sent now.
    package func refuse(_ ids: [Int64], _ error: ODataError) throws -> RecordOutcome {
        try writing { transaction in
            var recording = AnswerRecording(transaction: transaction)
            let place = error.location.map { " (\($0))" } ?? ""
            try recording.record(
                ids.map { id in
                    AttemptAnswers.Answer(
                        request: id,
                        outcome: .unwritten(
                            code: error.code.description, reason: error.message + place))
                })
            return recording.outcome
        }
    }

    /// Keeps what an upload has found out of the service.
    package func remember(_ lesson: UploadMachine.Lesson) throws {
        switch lesson {
        case .takesNoBatches(let status):
            var reads = try serviceProfile().reads
            if let text = reads.learnBatch(refusedWith: status) {
                try note([text], leadingTo: reads)
            }
        case .keepsRefusedParts:
            guard try !flag(.keepsRefusedParts) else { return }
            try setFlag(true, for: .keepsRefusedParts)
            try note(
                ["keeps what a change set did before it was refused"],
                leadingTo: serviceProfile().reads)
        case .updates(let method):
            try learn { $0.learn(updates: method).map { [$0] } ?? [] }
        }
    }

    /// Records what a request of unknown fate turned out to be: accepted, with this answer.
    ///
    /// - Throws: `conflict` for a request that is not of unknown fate.
    package func confirm(_ id: Int64, with answer: ResponseMessage) throws {
        try writing { try Self.confirm(id, with: answer, in: $0) }
    }

    /// As ``confirm(_:with:)``, for what an upload has found by itself: a request stays listed, with the reason, when the
    /// store cannot take what was found.
    package func settle(_ id: Int64, with answer: ResponseMessage) throws {
        try writing { _ = try Self.settle(id, with: answer, in: $0) }
    }

    /// - Returns: the request as it stays listed; nil when it is settled.
    static func settle(
        _ id: Int64, with answer: ResponseMessage, found: [RowReference: Int64] = [:],
        in transaction: StoreTransaction
    ) throws -> QueuedRequest? {
        let refusal = try transaction.attempt {
            try confirm(id, with: answer, found: found, in: transaction)
        }
        guard let refusal, let request = try transaction.requests.requests([id]).first,
            let listed = AnswerRule.accept(answer).notTaken(because: refusal).applied(to: request)
        else { return nil }
        try transaction.requests.update(listed)
        return listed
    }

    /// As ``confirm(_:with:)``, in a transaction that has begun.
    ///
    /// - Parameter found: the rows that a download brought of what the request created.
    static func confirm(
        _ id: Int64, with answer: ResponseMessage, found: [RowReference: Int64] = [:],
        in transaction: StoreTransaction
    ) throws {
        guard let request = try transaction.requests.requests([id]).first, request.state.isUnknown
        else {
            throw ODataError(.conflict, "Expected a request whose fate is not known.")
        }
        var recording = AnswerRecording(transaction: transaction, found: found)
        try recording.take(
            AttemptAnswers.Answer(request: id, outcome: .answered(answer), isLook: true))
        try transaction.noteAccepted(recording)
        let waiting = try transaction.requests.requests(blockedBy: id)
        try QueueChange(transaction: transaction, cause: .service).apply(
            waiting.map { request in
                var request = request
                request.state = .waiting
                return .replace(request)
            })
    }

    /// Makes refused and blocked requests wait again, and joins later changes of the same rows into them (offline
    /// reference, 14.2). Requests of unknown fate stay, and hold back what depends on them.
    ///
    /// What nobody has touched goes again as the same request, with the entity tag and identity it had, so that waiting
    /// never decides a conflict. A later change of its row is a correction: the request is another one then.
    ///
    /// - Returns: requests that stay listed until the app has decided about them (``Requeueing/undecided``).
    @discardableResult
    package func requeueFailedRequests() throws -> [QueuedRequest] {
        try writing { transaction in
            // An upload begins with this: a queue in which nothing is listed is not read for it.
            guard try transaction.requests.hasListed() else { return [] }
            let all = try transaction.requests.all()
            let unknown = Set(all.filter(\.staysListed).map(\.id))
            let held = try holdBack(after: unknown, in: all, transaction)
            let plan = Requeueing(all, without: held)
            let isIdle =
                plan.unchanged.isEmpty && plan.corrected.isEmpty && plan.heldBack.isEmpty
            guard !isIdle else { return plan.undecided }
            let change = QueueChange(transaction: transaction, cause: .service)
            try change.apply(
                plan.rememberingRefusals(try transaction.retry(plan.corrected, asNew: true))
                    + (plan.unchanged + plan.heldBack).map { .replace($0) })
            try change.apply(
                QueueMerge(respectsTransactionIDs: true).edits(try transaction.requests.all()) {
                    plan.correctedRows.contains($0.target)
                })
            return plan.undecided
        }
    }

    /// Lists again what ``requeueFailedRequests()`` took up and what was not sent, as it was listed before.
    package func listUnsent() throws {
        try writing { transaction in
            let edits = Requeueing.putBack(try transaction.requests.all())
            guard !edits.isEmpty else { return }
            try QueueChange(transaction: transaction, cause: .service).apply(
                edits.map { .replace($0) })
        }
    }

    /// Blocks what waits and depends on requests that stay listed.
    ///
    /// - Returns: everything that depends on them.
    private func holdBack(
        after unknown: Set<Int64>, in requests: [QueuedRequest], _ transaction: StoreTransaction
    ) throws -> Set<Int64> {
        guard !unknown.isEmpty else { return [] }
        for request in AttemptEdits.blocked(by: unknown, in: requests) {
            try transaction.requests.update(request)
        }
        return RequestDependencies(requests).closure(of: unknown)
    }

    /// Joins, groups and drops requests of `selection` before they are planned (offline reference, 12.4 to 12.6).
    package func rearrange(_ passes: QueuePasses, _ selection: UploadSelection) throws {
        guard !passes.isEmpty else { return }
        try writing { transaction in
            let queue = try transaction.requests.all()
            let edits = passes.edits(queue, selected: selection.ids(in: queue))
            guard !edits.isEmpty else { return }
            try QueueChange(transaction: transaction, cause: .service).apply(edits)
        }
    }

    /// Makes some failed requests wait again, as they are.
    ///
    /// - Parameter asNew: nothing that was sent of them had an effect, so that none of it counts as open.
    package func retry(_ ids: Set<Int64>, asNew: Bool = false) throws {
        try writing { transaction in
            let failed = try transaction.requests.requests(ids).filter(\.state.isFailure)
            try QueueChange(transaction: transaction, cause: .service).apply(
                try transaction.retry(failed, asNew: asNew))
        }
    }
}
