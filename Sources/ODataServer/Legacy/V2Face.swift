import ODataModel
import ODataQuery
import ODataText
import ODataWire
import ODataWorld

/// The companion service as one of V2: requests are put into V4, and answers back into V2 (V2 operations, V2 JSON).
///
/// JSON only; Atom is not written. Streams pass by untouched. Next and delta links hold those of V4 as tokens.
struct V2Face: Sendable {
    /// Answers a request of V4.
    typealias Inner = (RequestMessage) -> ResponseMessage

    let model: V2Model
    /// The model of the service.
    let graph: MetadataGraph
    let rootPath: String
    let limits: BatchLimits
    let observer: ServiceObserver
    private let configuration: ServiceConfiguration

    /// - Parameter original: the metadata of the service that is mirrored, where it is one of V2.
    init(
        _ graph: MetadataGraph, original: MetadataGraph? = nil,
        _ configuration: ServiceConfiguration
    ) {
        self.graph = graph
        rootPath = configuration.rootPath
        observer = configuration.observer
        self.configuration = configuration
        model = V2Model(graph, original: original) { set in
            set.annotations.first(term: Terms.capabilities + "ChangeTracking")?.value
                == ServiceAnnotations.tracked
        }
        var limits = BatchLimits()
        limits.messages = configuration.maximumBatchRequests
        limits.bodyBytes = configuration.maximumBodyBytes
        self.limits = limits
    }

    var addresses: V2Addresses { V2Addresses(old: model.graph, new: graph) }

    /// Answers one request of V2; every failure is an answer, too.
    func respond(to request: RequestMessage, _ inner: Inner) -> ResponseMessage {
        var answer: ResponseMessage
        do {
            let address = try ServiceAddress(
                request, rootPath: rootPath, scheme: configuration.scheme)
            if BatchRunner.isBatch(address) {
                answer = try AnswerBudget.withBudget(configuration) {
                    try batch(request, address, inner)
                }
            } else {
                answer = try single(request, address, inner)
            }
        } catch {
            answer = Self.inV2(error: ErrorAnswer.response(for: error))
        }
        answer.headers["DataServiceVersion"] = "2.0"
        return request.method == "HEAD" ? answer.withoutBody : answer
    }

    private func single(
        _ request: RequestMessage, _ address: ServiceAddress, _ inner: Inner
    ) throws -> ResponseMessage {
        try V2Rules.checkHead(request)
        let path = address.relativeURL.prefix { $0 != "?" }
        if path == "$metadata" || path == "%24metadata" {
            try V2Rules.requireRead(request)
            try V2Rules.require("application/xml", request, address)
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"], body: document)
        }
        if path.isEmpty {
            try V2Rules.requireRead(request)
            return try serviceDocument(request, address)
        }
        let plan = try addresses.plan(address.relativeURL)
        let asked = try inV4(request, plan, address)
        return try inV2(inner(asked), plan, address, asked)
    }

    /// The service document in JSON for whoever asks for that, else in Atom's form (V2 Atom, section "Service Documents").
    private func serviceDocument(
        _ request: RequestMessage, _ address: ServiceAddress
    ) throws -> ResponseMessage {
        var document = ServiceDocument(of: model.graph)
        if let principal = Client.current?.principal, let rules = configuration.access?.rules {
            document.entries.removeAll { !rules.offers($0, roles: principal.roles) }
        }
        if try V2Rules.prefersJSON(request, address) {
            return Self.json(document.json(dialect: .v2))
        }
        return ResponseMessage(
            status: 200, headers: ["Content-Type": "application/atomsvc+xml;charset=utf-8"],
            body: document.atom(base: address.root))
    }

    /// The metadata document, with what the client may do anything with.
    private var document: [UInt8] {
        guard let principal = Client.current?.principal, let rules = configuration.access?.rules
        else { return model.document }
        return Array(
            CSDLWriter.xml(
                rules.offered(model.graph, roles: principal.roles, hidesNavigation: false)
            ).utf8)
    }

    static func json(_ body: [UInt8], status: Int = 200) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    // MARK: Batches

    /// Part after part; a change set goes on as a batch of V4 with nothing else in it.
    private func batch(
        _ request: RequestMessage, _ address: ServiceAddress, _ inner: Inner
    ) throws -> ResponseMessage {
        guard request.method == "POST" else {
            throw AllowedMethods.error("POST")
        }
        try V2Rules.checkHead(request)
        guard MediaType(parsing: request.headers["Content-Type"] ?? "")?.name == "multipart/mixed"
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType, "Expected a batch of multipart/mixed.",
                status: 415)
        }
        let parts = try BatchReader.requests(of: request, limits: limits)
        try BatchRunner.checkContentIDs(parts)
        let answers = parts.map { part -> BatchResponsePart in
            switch part {
            case .request(let item):
                let answer = member(item.message, of: address, inner)
                return .response(answer, contentID: item.contentID)
            case .changeSet(let items):
                do {
                    return try changeSet(items, address, inner)
                } catch {
                    return .response(Self.inV2(error: ErrorAnswer.response(for: error)))
                }
            }
        }
        var answer = try BatchWriter.response(answers, boundary: makeBoundary())
        answer.status = 202
        return answer
    }

    private func makeBoundary() -> String {
        BatchWriter.boundary(configuration.world.makeIdentifier())
    }

    private func member(
        _ message: RequestMessage, of address: ServiceAddress, _ inner: Inner
    ) -> ResponseMessage {
        observer.note(message, isInBatch: true)
        var answer: ResponseMessage
        do {
            let named = try ServiceAddress(message.url, within: address, rootPath: rootPath)
            guard !BatchRunner.isBatch(named) else {
                throw ODataError(.invalidPayload, "Expected no batch inside a batch.", status: 400)
            }
            guard RequestKind(Self.method(of: message)) == .read else {
                throw ODataError(
                    .invalidPayload, "Expected changes in change sets of a batch only.",
                    status: 400)
            }
            answer = try AnswerBudget.read { try single(message, named, inner) }
        } catch {
            answer = Self.inV2(error: ErrorAnswer.response(for: error))
        }
        answer.headers["DataServiceVersion"] = "2.0"
        return answer
    }

    private func changeSet(
        _ items: [BatchRequest], _ address: ServiceAddress, _ inner: Inner
    ) throws -> BatchResponsePart {
        guard !items.isEmpty else { return .changeSet([]) }
        var made: V2Addresses.Made = [:]
        var plans: [V2Plan] = []
        var members: [BatchRequest] = []
        for item in items {
            let named = try ServiceAddress(item.message.url, within: address, rootPath: rootPath)
            guard Self.method(of: item.message) != "GET" else {
                throw ODataError(.invalidPayload, "Expected changes only in a change set.")
            }
            let plan = try addresses.plan(named.relativeURL, made: made)
            plans.append(plan)
            var message = try inV4(item.message, plan, address)
            if let id = item.contentID, message.method == "POST" { made[id] = plan.set }
            if plan.url.hasPrefix("$") { message.url = plan.url }
            members.append(
                BatchRequest(contentID: item.contentID ?? "m\(members.count)", message))
        }
        var whole = try BatchWriter.request([.changeSet(members)], boundary: makeBoundary())
        whole.url = address.root + "$batch"
        let parts = try BatchReader.parts(of: inner(whole)).parts
        guard let part = parts.first else {
            throw ODataError(.network, "Expected an answer of the change set.", status: 500)
        }
        guard case .changeSet(let answers) = part, answers.count == items.count else {
            return .response(
                Self.inV2(
                    error: part.responses.first?.message
                        ?? ErrorAnswer.response(500, code: "internal", message: "No answer.")))
        }
        return .changeSet(
            try zip(answers, zip(items, zip(plans, members))).map { answer, member in
                let (plan, asked) = member.1
                var message = try inV2(answer.message, plan, address, asked.message)
                message.headers["DataServiceVersion"] = "2.0"
                return BatchResponse(contentID: member.0.contentID, message)
            })
    }
}
