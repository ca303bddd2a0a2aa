import ODataModel
import ODataProviders
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Makes changes at the service behind a proxy, over the connection that reads it too: its session, its tokens, its
/// credentials.
final class OriginWriter: MirrorOrigin {
    private let online: OnlineODataProvider
    private let maximumBytes: Int
    private let wantsReading: @Sendable () -> Void

    /// - Parameters:
    ///   - maximumBytes: of an answer.
    ///   - wantsReading: asks for a reading of everything.
    init(
        _ online: OnlineODataProvider, maximumBytes: Int,
        wantsReading: @escaping @Sendable () -> Void
    ) {
        self.online = online
        self.maximumBytes = maximumBytes
        self.wantsReading = wantsReading
    }

    private func writer(_ graph: MetadataGraph) -> RequestWriter {
        RequestWriter(graph: graph, root: online.connection.root, settings: online.requestSettings)
    }

    func isRepeatable(_ graph: MetadataGraph) -> Bool {
        ServiceCapabilities(graph).supportsRepeatability == true
    }

    func takesChangeSets(_ graph: MetadataGraph) -> Bool {
        online.requestSettings.supportsBatch && ServiceCapabilities(graph).supportsBatch
    }

    func readSoon() { wantsReading() }

    // MARK: Requests

    func address(of place: OriginPlace, in graph: MetadataGraph) throws -> String {
        try OriginRequests([], writer(graph)).text(place)
    }

    func requests(
        for changes: [OriginChange], identity: RepeatabilityHeaders?
    ) throws -> [RequestMessage] {
        guard let graph = changes.first?.graph else { return [] }
        let requests = OriginRequests(changes, writer(graph))
        let headers = identity?.headers() ?? HeaderFields()
        return try changes.indices.map { position in
            let message = try requests.message(position)
            return changes.count == 1
                ? requests.writer.alone(message, headers: headers)
                : requests.writer.inside(message, headers: headers)
        }
    }

    // MARK: Sending

    func send(_ requests: [RequestMessage], of changes: [OriginChange]) -> OriginOutcome {
        guard let graph = changes.first?.graph, requests.count == changes.count else {
            return .refused(OriginAnswer.unreachable, member: nil)
        }
        return requests.count == 1
            ? alone(requests[0], changes[0], graph) : together(requests, changes, graph)
    }

    private func alone(
        _ request: RequestMessage, _ change: OriginChange, _ graph: MetadataGraph
    ) -> OriginOutcome {
        let connection = online.connection
        do {
            var answer = try connection.exchange(request, limit: maximumBytes)
            // An update whose method the service does not know was not made by it.
            if case .update(_, _, replaces: false) = change.action,
                let method = writer(graph).updateMethod.next(
                    afterStatus: answer.status, allow: answer.headers["Allow"]), method != .put
            {
                var other = request
                other.method = method.verb
                answer = try connection.exchange(other, limit: maximumBytes)
            }
            let question = Self.question(change)
            switch OriginAnswer(
                answer, to: question, marksAreKnown: connection.hasSeenVersion)
            {
            case .success: return .done([result(answer, change, graph)])
            case .refused(let message): return .refused(message, member: nil)
            case .unanswered(let message): return .unanswered(message)
            }
        } catch {
            return Self.outcome(error, isBatch: false)
        }
    }

    /// One change set in a batch of its own (Protocol 4.01, section 11.7.7.1).
    private func together(
        _ requests: [RequestMessage], _ changes: [OriginChange], _ graph: MetadataGraph
    ) -> OriginOutcome {
        let (connection, writer) = (online.connection, writer(graph))
        let parts = [
            BatchPart.changeSet(
                requests.enumerated().map {
                    BatchRequest(contentID: OriginRequests.contentID($0), $1)
                })
        ]
        do {
            let batch = try BatchForm(writer.settings, writer.dialect).request(
                parts, boundary: BatchWriter.boundary(online.world.makeIdentifier()))
            let answer = try connection.exchange(
                writer.settings.sent(batch), limit: maximumBytes)
            switch OriginAnswer(answer, to: .batch, marksAreKnown: connection.hasSeenVersion) {
            case .success: break
            case .refused(let message):
                return .refused(noBatches(answer, message), member: nil)
            case .unanswered(let message): return .unanswered(message)
            }
            guard let found = try? BatchForm.outcomes(of: answer, for: parts).first else {
                return .unanswered(OriginAnswer.silence(502))
            }
            return outcome(of: found, changes, graph)
        } catch {
            return Self.outcome(error, isBatch: true)
        }
    }

    private func outcome(
        of found: BatchOutcome, _ changes: [OriginChange], _ graph: MetadataGraph
    ) -> OriginOutcome {
        switch found {
        case .changeSet(let answers):
            let whole = answers.compactMap { $0 }
            guard whole.count == changes.count else {
                return .unanswered(OriginAnswer.silence(502))
            }
            if let position = whole.firstIndex(where: { !$0.isSuccess }) {
                return refused(whole[position], member: position)
            }
            return .done(zip(whole, changes).map { result($0, $1, graph) })
        case .changeSetFailed(let answer), .answered(let answer):
            let named = answer.headers["Content-ID"].flatMap { Int($0) }.map { $0 - 1 }
            return refused(
                answer, member: named.flatMap { changes.indices.contains($0) ? $0 : nil })
        case .unanswered, .mangled: return .unanswered(OriginAnswer.silence(502))
        }
    }

    /// The refusal of a change set by one of its answers, which a whole batch has brought: it is the service's.
    private func refused(_ answer: ResponseMessage, member: Int?) -> OriginOutcome {
        var marked = answer
        marked.headers["OData-Version"] = marked.headers["OData-Version"] ?? "4.0"
        switch OriginAnswer(marked, to: .update, marksAreKnown: true) {
        case .refused(var message):
            message.headers["Content-ID"] = nil
            return .refused(message, member: member)
        case .unanswered(let message): return .unanswered(message)
        case .success: return .unanswered(OriginAnswer.silence(502))
        }
    }

    /// A refusal of all batches says that there are none, which is remembered with the rest of what is known of the service.
    private func noBatches(
        _ answer: ResponseMessage, _ message: ResponseMessage
    ) -> ResponseMessage {
        let status = answer.status
        guard ReadProfile.refusesBatches(status) else { return message }
        online.learned.learn { $0.learnBatch(refusedWith: status).map { [$0] } ?? [] }
        return ResponseMessage(
            status: 501, headers: ["Content-Type": "application/json;odata.metadata=minimal"],
            body: ErrorPayload(
                code: "notImplemented",
                message:
                    "The service behind the proxy takes no batches, so that nothing makes several"
                    + " changes one."
            ).json())
    }

    private static func outcome(_ error: any Error, isBatch: Bool) -> OriginOutcome {
        switch OriginAnswer(error, isBatch: isBatch) {
        case .refused(let message): .refused(message, member: nil)
        case .unanswered(let message): .unanswered(message)
        case .success: .unanswered(OriginAnswer.silence(502))
        }
    }

    private static func question(_ change: OriginChange) -> ServiceMarks.Question {
        switch change.action {
        case .create: .create
        case .update, .putLink: .update
        case .delete, .deleteLink: .delete
        }
    }

    /// What a success tells of the entity; what cannot be read of it is asked for.
    private func result(
        _ answer: ResponseMessage, _ change: OriginChange, _ graph: MetadataGraph
    ) -> OriginResult {
        let (type, set, isCreated): (StructureID, EntitySetID?, Bool)
        switch change.action {
        case .create(let value, let own, _): (type, set, isCreated) = (value.type, own, true)
        case .update(.entity(let own, _), let value, _):
            (type, set, isCreated) = (value.type, own, false)
        default: return OriginResult()
        }
        let reader = AnswerReader(
            graph: graph, dialect: online.requestSettings.dialect(of: graph),
            root: online.connection.root)
        guard
            let found = try? reader.entityAnswer(answer, of: type, in: set, isCreated: isCreated)
        else { return OriginResult() }
        return OriginResult(value: found.values, key: found.key)
    }
}

extension OriginWriter {
    // MARK: Reading

    func read(
        _ place: OriginPlace, in graph: MetadataGraph, expanding: [ExpandTerm]
    ) throws -> StructureValue? {
        let call = ServiceCall(
            connection: online.connection, settings: online.requestSettings,
            headers: HeaderFields(), cancellation: CancellationFlag(), world: online.world,
            observer: Unheard())
        let entity = try OriginRequests([], writer(graph)).place(place)
        var options = Query(entitySet: entity.set.map { graph[$0].name } ?? "")
        options.expand = expanding
        do {
            let plan = try call.plan(entity, options: options)
            return try call.load(plan, type: entity.type, set: entity.set)
        } catch let error as ODataError {
            if let refusal = error.underlying as? ServiceRefusal,
                [404, 410].contains(refusal.status)
            {
                return nil
            }
            throw ODataError(
                ODataError.Code("originNotReached"),
                "Expected to read the entity at the service behind the proxy, which did not answer as one does.",
                status: error.provesNotSent() ? 503 : 502)
        }
    }

    private struct Unheard: ServiceCallObserver {
        func answered(_ request: RequestMessage, _ answer: ResponseMessage, after time: Duration) {}
        func failed(_ request: RequestMessage, _ error: any Error) {}
        func heard(_ messages: [ServiceMessage]) {}
    }
}
