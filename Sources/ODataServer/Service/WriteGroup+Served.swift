import ODataQuery
import ODataText
import ODataWire
import Synchronization

extension ODataService {
    /// As ``group(_:references:transfer:)``, in one transaction of another product: it is run again from its beginning where
    /// it met another one, so that nothing outside of it may be changed before it ends.
    func group(
        _ members: [GroupMember], references: [String: String], in served: any ServedDatabase
    ) -> [ResponseMessage] {
        let deadline = RequestDeadline.current
        let isDue = groups.add(1, ordering: .relaxed).newValue.isMultiple(of: 256)
        var isRepeatable = false
        do {
            let identity = try Self.identity(of: members)
            guard identity == nil || served.remembersAnswers else {
                throw DatabaseAccess.notOffered("Repeatability-Request-ID")
            }
            isRepeatable = identity != nil
            let answers = try served.write(isOver: { deadline?.hasPassed ?? false }) { rows in
                let oldest = now - configuration.repeatabilitySeconds
                if isDue, served.remembersAnswers { try rows.forget(sentBefore: oldest) }
                return try once(members, identity, oldest, rows) {
                    if members.count > 1 { try rows.deferConstraints() }
                    return try run(members, references, nil, .served(rows)) {
                        try served.told($0)
                    }
                }
            }
            servedTrim?.afterAnswer()
            for answer in answers { AnswerBudget.current?.take(answer.body.count) }
            return answers.map { Self.marked($0, isRepeatable ? "accepted" : nil) }
        } catch let failure as GroupFailure {
            return [Self.marked(failure.answer, isRepeatable ? "accepted" : nil)]
        } catch let violated as ViolatedConstraint {
            return [ErrorAnswer.response(for: violated)]
        } catch {
            return [Self.rejected(error, members)]
        }
    }

    /// What `body` answers, or what a group of this identity was answered before.
    private func once(
        _ members: [GroupMember], _ identity: RepeatabilityHeaders?, _ oldest: Int64,
        _ rows: any ServedRows, _ body: () throws -> [ResponseMessage]
    ) throws -> [ResponseMessage] {
        guard let identity else { return try body() }
        let fingerprint = RepeatabilityStore.fingerprint(of: members)
        let known = try rows.recall(identity, fingerprint: fingerprint)
        if let answers = try RememberedAnswer.answers(
            known, to: fingerprint, oldest: oldest, identity)
        {
            return answers
        }
        let answers = try body()
        try rows.remember(StoredAnswers.encode(answers), to: identity)
        return answers
    }
}
