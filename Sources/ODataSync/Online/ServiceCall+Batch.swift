import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// A change inside a batch, and how it is sent.
package struct BatchChange: Sendable {
    package var change: EntityChange
    package var options: ChangeOptions
    package var headers: HeaderFields

    package init(_ change: EntityChange, _ options: ChangeOptions, headers: HeaderFields) {
        self.change = change
        self.options = options
        self.headers = headers
    }
}

/// One part of a batch.
package enum BatchInput: Sendable {
    case read(ReadPlan, HeaderFields)
    /// Changes that the service makes all together or not at all.
    case changes([BatchChange])
}

/// What became of one part of a batch.
package enum BatchPartOutcome: Sendable {
    case read(QueryAnswer)
    /// The status of the last answer, and what became of each member.
    case changes(status: Int, [(member: Int, outcome: ChangeOutcome)])
    case failed(any Error)
}

/// A batch that was sent, and its answer.
package struct BatchExchange: Sendable {
    /// What a part asks for.
    enum Content: Sendable {
        case read(ReadPlan, HeaderFields)
        case changes([(member: Int, step: ChangeStep)])
    }

    struct Part: Sendable {
        /// The position among the caller's parts.
        let position: Int
        let content: Content
        let part: BatchPart
    }

    let call: ServiceCall
    let parts: [Part]
    let answer: ResponseMessage

    package var status: Int { answer.status }

    /// What became of each part that was sent, by its position (Protocol 4.01, section 11.7.7).
    ///
    /// - Throws: `invalidPayload` or `malformedText` for an answer that cannot belong to the batch.
    package func outcomes() throws -> [(position: Int, outcome: BatchPartOutcome)] {
        let found = try call.reading(answer, of: "$batch") {
            try BatchForm.outcomes(of: answer, for: parts.map(\.part))
        }
        return zip(parts, found).map { part, outcome in
            do {
                switch part.content {
                case .read(let plan, let headers):
                    return (part.position, .read(try read(outcome, plan, headers)))
                case .changes(let steps):
                    return (part.position, try changes(outcome, steps))
                }
            } catch {
                return (part.position, .failed(error))
            }
        }
    }

    private static let unanswered = ODataError(
        .network, "Expected a whole answer to each part of the batch; this one has none.")

    private static let mangled = ODataError(
        .network,
        "Expected an answer of the length that it states to each part of the batch; that of this one differs."
    )

    /// A read whose answer the batch has mangled, as some do with streams, is made by itself.
    private func read(
        _ outcome: BatchOutcome, _ plan: ReadPlan, _ headers: HeaderFields
    ) throws -> QueryAnswer {
        if case .mangled = outcome {
            var message = plan.message
            message.headers.merge(headers)
            return try call.queryAnswer(call.exchange(message, call.writer(plan.graph)), to: plan)
        }
        guard case .answered(let answer) = outcome else { throw Self.unanswered }
        guard answer.isSuccess else {
            throw ServiceRefusal.error(answer, of: call.connection.absolute(plan.message.url))
        }
        call.hear(answer)
        return try call.queryAnswer(answer, to: plan)
    }

    private func changes(
        _ outcome: BatchOutcome, _ steps: [(member: Int, step: ChangeStep)]
    ) throws -> BatchPartOutcome {
        switch outcome {
        case .changeSetFailed(let answer), .answered(let answer):
            throw ServiceRefusal.error(answer)
        case .unanswered: throw Self.unanswered
        case .mangled: throw Self.mangled
        case .changeSet(let answers):
            if let failed = answers.lazy.compactMap({ $0 }).first(where: { !$0.isSuccess }) {
                throw ServiceRefusal.error(failed)
            }
            var waiting = answers[...]
            var status = 200
            var results: [(member: Int, outcome: ChangeOutcome)] = []
            for (member, step) in steps {
                if case .finish(let id) = step.request {
                    results.append((member, .finished(id)))
                    continue
                }
                guard let answer = waiting.popFirst() ?? nil else { throw Self.unanswered }
                status = answer.status
                call.hear(answer)
                results.append((member, try call.outcome(of: step, answer)))
            }
            return .changes(status: status, results)
        }
    }
}

extension ServiceCall {
    /// Sends a batch; nil where none of its parts has anything to say.
    ///
    /// - Throws: What stands in the way of the batch as a whole.
    package func send(
        _ inputs: [BatchInput], _ graph: MetadataGraph
    ) throws -> BatchExchange? {
        var nextID = 0
        let parts = try inputs.enumerated().compactMap { position, input in
            try part(input, at: position, &nextID)
        }
        guard !parts.isEmpty else { return nil }
        guard settings.supportsBatch else {
            throw ODataError(
                .usage,
                "Expected a service with batches; supportsBatch, or what was met of it, says there are none."
            )
        }
        let writer = writer(graph)
        let message = try BatchForm(settings, writer.dialect).request(
            parts.map(\.part), boundary: BatchWriter.boundary(world.makeIdentifier()))
        return BatchExchange(
            call: self, parts: parts, answer: try exchange(message, writer))
    }

    private func part(
        _ input: BatchInput, at position: Int, _ nextID: inout Int
    ) throws -> BatchExchange.Part? {
        switch input {
        case .read(let plan, let headers):
            let message = writer(plan.graph).inside(plan.message, headers: headers)
            return BatchExchange.Part(
                position: position, content: .read(plan, headers),
                part: .request(message, contentID: nil))
        case .changes(let changes):
            let (requests, steps) = try requests(of: changes, &nextID)
            guard !requests.isEmpty else { return nil }
            return BatchExchange.Part(
                position: position, content: .changes(steps), part: .changeSet(requests))
        }
    }

    /// The requests of one change set in their order; what earlier ones create is named by its Content-ID (Protocol 4.01,
    /// section 11.7.7.1).
    private func requests(
        of changes: [BatchChange], _ nextID: inout Int
    ) throws -> ([BatchRequest], [(member: Int, step: ChangeStep)]) {
        var address = address
        var requests: [BatchRequest] = []
        var steps: [(member: Int, step: ChangeStep)] = []
        for (member, change) in changes.enumerated() {
            for step in ChangePlanner(settings).steps(of: change.change) {
                guard let graph = step.graph else {
                    steps.append((member, step))
                    continue
                }
                let writer = writer(graph)
                guard let message = try writer.message(of: step, change.options, address) else {
                    continue
                }
                nextID += 1
                requests.append(
                    BatchRequest(
                        contentID: "\(nextID)",
                        writer.inside(
                            named(message, step.identity, change.options), headers: change.headers))
                )
                steps.append((member, step))
                switch step.request {
                case .create(let entity), .createMedia(let entity, _):
                    if let id = entity.place.id { address.created[id] = "\(nextID)" }
                default: break
                }
            }
        }
        return (requests, steps)
    }
}
