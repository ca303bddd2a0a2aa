import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import ODataText

extension OnlineOperation {
    /// Sends a batch and puts its answers where they belong (Protocol 4.01, section 11.7.7).
    ///
    /// - Throws: What stands in the way of the batch as a whole; the failures of its parts stand on the batch.
    func process(_ batch: RequestBatch) throws {
        var entities: [Int: EntityInput] = [:]
        let inputs = try batch.members.indices.map { position in
            try part(batch.members[position], &entities[position, default: EntityInput()])
        }
        let exchange: BatchExchange
        do {
            guard let sent = try call.send(inputs, model.graph) else { return }
            exchange = sent
        } catch let error as ODataError where error.underlying is ServiceRefusal {
            let refusal = DataServiceError.wrapping(error)
            (batch.status, batch.error) = (refusal.status, refusal)
            throw refusal
        }
        batch.status = exchange.status
        for (position, outcome) in try exchange.outcomes() {
            switch batch.members[position].part {
            case .query(let query), .function(let query):
                record(outcome, query, &batch.members[position])
            case .changes(let changes):
                record(outcome, changes, entities[position] ?? EntityInput())
            }
        }
    }

    /// Makes changes in a batch of their own.
    ///
    /// - Parameter alone: makes them where the service takes no batches.
    func process<Result>(
        _ changes: ChangeSet, _ result: () -> Result, alone: () throws -> Result
    ) throws -> Result {
        let batch = RequestBatch()
        batch.addChanges(changes)
        return try process(batch, alone: alone) {
            if let error = changes.error { throw error }
            return result()
        }
    }

    /// Carries a call out in a batch of its own, or by itself where the service takes no batches: nothing of it was done
    /// then. That it takes none is kept once the call went through by itself.
    func process<Result>(
        _ batch: RequestBatch, alone: () throws -> Result, _ result: () throws -> Result
    ) throws -> Result {
        guard call.settings.supportsBatch else { return try alone() }
        do {
            try process(batch)
        } catch let error as DataServiceError
            where error === batch.error && ReadProfile.refusesBatches(error.status)
        {
            let result = try alone()
            let status = error.status
            call.learned?.learn { $0.learnBatch(refusedWith: status).map { [$0] } ?? [] }
            return result
        }
        return try result()
    }

    /// Calls an action in a batch of its own.
    func invoke(
        _ method: DataMethod, _ parameters: ParameterList, headers: HTTPHeaders
    ) throws -> DataValue? {
        let changes = ChangeSet()
        let action = changes.invokeAction(
            method, parameters: parameters, headers: headers, options: options)
        return try process(changes, { changes.actionResult(action) }) {
            try execute(DataQuery().invoke(method, parameters), isBatched: false).checkedResult()
        }
    }

    private func part(
        _ member: RequestBatch.Member, _ entities: inout EntityInput
    ) throws -> BatchInput {
        let headers = member.headers.fields
        switch member.part {
        case .query(let query), .function(let query):
            return .read(try call.plan(input(query), headers: headers), headers)
        case .changes(let changes):
            (changes.status, changes.error) = (0, nil)
            entities = EntityInput(planned: changes.named)
            return .changes(
                try changes.members.map { change in
                    BatchChange(
                        try entities.change(change.operation, in: model),
                        changeOptions(change.options), headers: change.headers.fields)
                })
        }
    }

    private func record(
        _ outcome: BatchPartOutcome, _ query: DataQuery, _ member: inout RequestBatch.Member
    ) {
        switch outcome {
        case .read(let answer): member.result = result(answer, of: query)
        case .failed(let error): member.error = ErrorBase.from(any: error)
        case .changes: break
        }
    }

    private func record(
        _ outcome: BatchPartOutcome, _ changes: ChangeSet, _ entities: EntityInput
    ) {
        switch outcome {
        case .changes(let status, let outcomes):
            for (member, outcome) in outcomes {
                entities.apply(outcome)
                if case .returned(let content) = outcome,
                    case .action(let query) = changes.members[member].operation
                {
                    changes.members[member].result = results(query).value(content)
                }
            }
            changes.status = status
        case .failed(let error):
            changes.error = DataServiceError.wrapping(error)
            changes.status = changes.error?.status ?? 0
        case .read: break
        }
    }
}

extension DataServiceError {
    /// The error itself when it is one of a service, else one with it beneath.
    static func wrapping(_ error: any Error) -> DataServiceError {
        let cause = ErrorBase.from(any: error)
        if let error = cause as? DataServiceError { return error }
        return make(status: 0, message: cause.message, response: nil, cause: cause)
    }
}
