import ODataModel
import ODataQuery

extension UploadMachine {
    /// What was cancelled is not sent: what nobody was sent before waits or goes, and what is open is looked for part by part.
    mutating func withheld(_ work: Work) -> [Action] {
        guard work.isOpen else { return forget(work, [.takeBack(work.attempt, thaw: true)]) }
        withheld.insert(work.attempt.id)
        return lookAtParts(work)
    }

    /// Another sending of it is recognised: the service does that, and it went with its identities, which the app may have
    /// switched on since.
    func isRepeatable(_ work: Work) -> Bool {
        knowledge.isRepeatable && work.attempt.isIdentified
    }

    /// Where only compared rows made a look necessary, or that some of what was sent has an answer or was cancelled, the others
    /// are recognised when they come again. Members of a change set share an identity, so that one of them alone is not.
    func relying(
        on findings: [Int64: ResendPolicy.Finding], _ work: Work
    ) -> [Int64: ResendPolicy.Finding] {
        let id = work.attempt.id
        guard isRepeatable(work), doubts[id] == nil, setRefusals[id] == nil,
            !work.attempt.isWhole || withheld.contains(id)
                || work.requests.contains(where: { $0.isCompared(in: knowledge.compared) })
        else { return findings }
        var findings = findings
        for request in work.requests
        where findings[request.id] == .undecided && !request.isCompared(in: knowledge.compared)
            && (work.attempt.isWhole && !withheld.contains(id) || request.changeSet == nil)
        {
            findings[request.id] = .repeatable
        }
        return findings
    }
}

extension UploadMachine.Action {
    /// Tells what a look has shown from what was answered to the requests themselves.
    func telling(_ findings: [Int64: ResendPolicy.Finding]) -> Self {
        guard case .record(let attempt, let answers) = self else { return self }
        return .record(
            attempt,
            answers.map { answer in
                guard case .carriedOut(let shown)? = findings[answer.request],
                    answer.outcome == .answered(shown)
                else { return answer }
                var answer = answer
                answer.isLook = true
                return answer
            })
    }
}

extension QueuedRequest {
    /// Whether its row is read and compared before it is sent: no entity tag keeps it from going over what others wrote.
    ///
    /// - Parameter sets: the entity sets for which the app wants that.
    package func isCompared(in sets: Set<String>) -> Bool {
        lacksTag && sets.contains(target.table)
    }

    /// An update or a deletion that the service cannot refuse where somebody else was first.
    package var lacksTag: Bool { (operation.isUpdate || operation == .delete) && ifMatch == nil }

    /// Whether a row of the service is as this request leaves it; nil stands for one that is gone.
    ///
    /// - Parameter base: the row that the request was made for: a text that it has but for the form was not sent by the request.
    package func isShown(
        in row: StructureValue?, over base: StructureValue, _ graph: MetadataGraph
    ) -> Bool {
        guard body?.binds.isEmpty != false else { return row == nil && operation == .delete }
        return showsValues(in: row, over: base, graph)
    }

    /// Whether a row is as an earlier sending without an answer leaves it, as far as values tell: the same sending again goes over
    /// nothing that others wrote. What binds only, and no foreign key tells, leaves nothing that could be seen.
    package func wasDone(
        in row: StructureValue?, over base: StructureValue, _ graph: MetadataGraph
    ) -> Bool {
        flags.contains(.open) && operation != .update(.replace)
            && showsValues(in: row, over: base, graph)
    }

    /// As ``isShown(in:over:_:)``, as far as values tell, foreign keys that follow a bind included: what else it binds is open.
    package func showsValues(
        in row: StructureValue?, over base: StructureValue, _ graph: MetadataGraph
    ) -> Bool {
        guard let row else { return operation == .delete }
        guard operation.isUpdate, let body else { return false }
        var sent = body.values
        for case .values(target, let values, _) in effects {
            sent = StructureMerge.merge(values, over: sent)
        }
        let comparison = ContentComparison(graph: graph)
        let score = comparison.score(of: sent, in: row)
        guard score.different > 0 else { return score.isWhole }
        return score.isKept && comparison.score(of: sent, in: base).normalized == 0
    }
}
