import ODataQuery
import ODataText
import ODataWire

/// Updates whose method the service does not know: it says so with 405 or 501, and what it takes in `Allow`.
extension UploadMachine {
    /// Goes on with another method where a refusal is about the method; one that does no better is given up again.
    ///
    /// - Returns: nil when the answers speak of something else.
    mutating func meetingUpdates(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action]? {
        guard let used = knowledge.updates else { return nil }
        let refused = refusedUpdates(work, answers)
        guard let message = refused.values.first else { return nil }
        let allow = message.headers["Allow"]
        if let next = used.next(afterStatus: message.status, allow: allow),
            !triedUpdates.contains(next), allow != nil || !mayTryTunnel(work)
        {
            triedUpdates.insert(used)
            updatesBefore = updatesBefore ?? used
            change(to: next)
            outdated.insert(work.attempt.id)
            return [.update(by: next)] + written(anew: Set(refused.keys), work, answers)
        }
        guard let before = updatesBefore else { return nil }
        updatesBefore = nil
        triedUpdates.insert(used)
        change(to: before)
        outdated.remove(work.attempt.id)
        return [.update(by: before)] + answered(work, answers)
    }

    /// A method counts as that of the service once an update went through by it.
    mutating func updateLesson(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action] {
        guard updatesBefore != nil, let used = knowledge.updates,
            !outdated.contains(work.attempt.id)
        else { return [] }
        let updates = Self.updates(work)
        let isAccepted = answers.contains { answer in
            guard case .answered(let message) = answer.outcome else { return false }
            return message.isSuccess && updates.contains(answer.request)
        }
        guard isAccepted else { return [] }
        updatesBefore = nil
        return [.remember(.updates(used))]
    }

    /// What is on its way, or stayed behind, was written with the method of before.
    private mutating func change(to method: UpdateMethod) {
        knowledge.updates = method
        outdated.formUnion(works.keys)
        outdated.formUnion(unsettled.map(\.attempt.id))
    }

    private func mayTryTunnel(_ work: Work) -> Bool {
        knowledge.mayTunnel && !work.attempt.isBatch && tunnelling != .useless
    }

    private func refusedUpdates(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Int64: ResponseMessage] {
        let updates = Self.updates(work)
        var refused: [Int64: ResponseMessage] = [:]
        for answer in answers where updates.contains(answer.request) {
            switch answer.outcome {
            case .answered(let message), .setRefused(let message):
                guard UpdateMethod.mayBeRefused(with: message.status) else { continue }
                refused[answer.request] = message
            default: break
            }
        }
        return refused
    }

    private static func updates(_ work: Work) -> Set<Int64> {
        Set(work.requests.filter { $0.operation == .update(.merge) }.map(\.id))
    }
}
