import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

/// A service in memory that knows the truth: how often each change had its effect.
struct ModelService: Hashable {
    enum Kind: Int64, CaseIterable, Sendable {
        /// The service chooses the key.
        case create = 1
        case keyedCreate, alternateCreate, taggedUpdate, update, delete, link, taggedStream, stream
        /// A creation of the service's key that relies on the row that the first request creates.
        case child
        /// What the service never takes.
        case refused

        /// Repeated by itself it does no harm.
        var isIdempotent: Bool {
            switch self {
            case .update, .delete, .link, .stream, .refused: true
            default: false
            }
        }

        var method: String {
            switch self {
            case .create, .keyedCreate, .alternateCreate, .child, .link: "POST"
            case .taggedUpdate, .update, .refused: "PATCH"
            case .delete: "DELETE"
            case .taggedStream, .stream: "PUT"
            }
        }

        var operation: QueuedRequest.Operation {
            switch self {
            case .create, .keyedCreate, .alternateCreate, .child: .create
            case .taggedUpdate, .update, .refused: .update(.merge)
            case .delete: .delete
            case .link: .createLink
            case .taggedStream, .stream: .putStream
            }
        }

        var tag: String? {
            switch self {
            case .taggedUpdate, .taggedStream, .refused: "\"1\""
            default: nil
            }
        }
    }

    struct Capabilities: Hashable, Sendable, CustomStringConvertible {
        var isRepeatable = false
        var takesBatches = true
        /// A change set that is refused leaves nothing behind.
        var takesSetsBack = true
        var sendsVersion = true
        /// Keys are understood as segments only, which nobody knows at first.
        var keysAreSegments = false
        /// Of a shared row: whether it has entity tags, and answers to updates show it.
        var hasTags = true
        var showsRows = false

        var description: String {
            [
                isRepeatable ? "repeatable" : nil, takesBatches ? "batches" : nil,
                takesSetsBack ? nil : "sets stay", sendsVersion ? nil : "no version",
                keysAreSegments ? "segments" : nil, hasTags ? nil : "no tags",
                showsRows ? "rows" : nil,
            ].compactMap { $0 }.joined(separator: ", ")
        }
    }

    let capabilities: Capabilities
    let kinds: [Kind]
    /// How often each request had its effect.
    private(set) var effects: [Int64: Int] = [:]
    private var identities: Set<Int64> = []
    /// The one row that all requests write, where others write it as well.
    var row: SharedRow?

    init(_ kinds: [Kind], _ capabilities: Capabilities, isShared: Bool = false) {
        self.kinds = kinds
        self.capabilities = capabilities
        guard isShared else { return }
        row = SharedRow(isThere: kinds[0].operation != .create, capabilities)
    }

    func kind(_ request: Int64) -> Kind { kinds[Int(request) - 1] }

    func isDone(_ request: Int64) -> Bool { effects[request, default: 0] > 0 }

    // MARK: Answers

    static let html: HeaderFields = ["Content-Type": "text/html"]
    static let page = Array("<html><title>x</title></html>".utf8)

    /// A failure in the form of the protocol, by whoever stands in front of the service.
    static func error(_ status: Int) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: ["Content-Type": "application/json"],
            body: Array(#"{"error":{"code":"timeout","message":"No answer in time."}}"#.utf8))
    }

    var marks: HeaderFields {
        capabilities.sendsVersion ? ["OData-Version": "4.0"] : HeaderFields()
    }

    /// A refusal in the service's own words.
    func refusal(_ status: Int, _ headers: HeaderFields = HeaderFields()) -> ResponseMessage {
        var all = marks
        all["Content-Type"] = "application/json"
        all.merge(headers)
        return ResponseMessage(
            status: status, headers: all,
            body: Array(#"{"error":{"code":"E","message":"No."}}"#.utf8))
    }

    private func success(_ kind: Kind) -> ResponseMessage {
        var headers = marks
        if capabilities.isRepeatable { headers["Repeatability-Result"] = "accepted" }
        if kind.tag != nil { headers["ETag"] = "\"2\"" }
        guard kind.operation == .create else {
            return ResponseMessage(status: 204, headers: headers)
        }
        headers["Content-Type"] = "application/json"
        return ResponseMessage(
            status: 201, headers: headers,
            body: Array(#"{"@odata.context":"$metadata#T/$entity","K":1}"#.utf8))
    }

    // MARK: Effects

    /// What the service does with an attempt that reaches it.
    mutating func serve(_ attempt: Attempt, firstPartOnly: Bool = false) -> ResponseMessage {
        guard attempt.isBatch else {
            let id = attempt.members[0].request
            guard var shared = row else { return act(id, attempt.keys) }
            defer { row = shared }
            return shared.serve(
                id, kind(id), ifMatch: attempt.message.headers["If-Match"], by: self)
        }
        guard capabilities.takesBatches else { return refusal(404) }
        var parts: [BatchResponsePart] = []
        var place = attempt.members.startIndex
        while place < attempt.members.endIndex {
            let part = attempt.members[place...].prefix { $0.part == attempt.members[place].part }
            parts.append(serve(Array(part), attempt.keys))
            place = part.endIndex
        }
        if firstPartOnly { parts.removeLast(parts.count - 1) }
        return (try? BatchWriter.response(parts, boundary: "b", headers: marks)) ?? refusal(500)
    }

    private mutating func serve(
        _ part: [Attempt.Member], _ keys: KeyStyle
    ) -> BatchResponsePart {
        guard part[0].changeSet != nil else {
            return .response(
                BatchResponse(contentID: part[0].contentID, act(part[0].request, keys)))
        }
        let before = self
        var answers: [BatchResponse] = []
        for member in part {
            let answer = act(member.request, keys)
            guard answer.isSuccess else {
                if capabilities.takesSetsBack { self = before }
                return .response(BatchResponse(contentID: member.contentID, answer))
            }
            answers.append(BatchResponse(contentID: member.contentID, answer))
        }
        return .changeSet(answers)
    }

    private mutating func act(_ id: Int64, _ keys: KeyStyle) -> ResponseMessage {
        let kind = kind(id)
        if capabilities.keysAreSegments, keys != .segments, kind.operation != .create {
            return refusal(404)
        }
        if capabilities.isRepeatable, identities.contains(id) { return success(kind) }
        switch kind {
        case .refused: return refusal(400)
        case .child where !isDone(1): return refusal(400)
        case .keyedCreate where isDone(id), .alternateCreate where isDone(id): return refusal(409)
        case .taggedUpdate where isDone(id), .taggedStream where isDone(id): return refusal(412)
        case .delete where isDone(id): return refusal(404)
        default: break
        }
        effects[id, default: 0] = min(effects[id, default: 0] + 1, 3)
        identities.insert(id)
        return success(kind)
    }

    // MARK: Looks

    /// Whether a read by key finds the row that a request writes.
    func shows(_ id: Int64) -> Bool {
        switch kind(id) {
        case .delete: !isDone(id)
        case .create, .keyedCreate, .alternateCreate, .child: isDone(id)
        default: true
        }
    }

    /// What a look at the service finds of a request, see ``EffectProbe``.
    func finding(_ id: Int64, isAnswered: Bool) -> ResendPolicy.Finding {
        let shown = ResendPolicy.Finding.carriedOut(ResponseMessage(status: 200))
        switch kind(id) {
        case .create, .child: return .undecided
        case .keyedCreate, .alternateCreate, .taggedUpdate, .taggedStream, .refused:
            return isDone(id) ? shown : .notCarriedOut
        case .update, .stream: return isAnswered && isDone(id) ? shown : .repeatable
        case .delete, .link:
            return isAnswered ? (isDone(id) ? shown : .notCarriedOut) : .repeatable
        }
    }
}

extension Attempt {
    /// How its keys are written, in place of a content.
    var keys: KeyStyle {
        KeyStyle(rawValue: String(decoding: message.body, as: UTF8.self)) ?? .parentheses
    }
}
