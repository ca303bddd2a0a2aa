import ODataQuery

/// One member of a batch request: a message and the name other members may refer to it by.
package struct BatchRequest: Sendable, Hashable {
    /// `Content-ID`; required for members of a change set in V4 (Protocol 4.01, section 11.7.7.1).
    package var contentID: String?
    /// The URL is absolute, or relative to the URL of the batch; it may start with `$contentID`.
    package var message: RequestMessage

    package init(contentID: String? = nil, _ message: RequestMessage) {
        self.contentID = contentID
        self.message = message
    }
}

/// One part of a batch request (Protocol 4.01, section 11.7.7).
package enum BatchPart: Sendable, Hashable {
    case request(BatchRequest)
    /// Requests that succeed or fail together.
    case changeSet([BatchRequest])

    package static func request(_ message: RequestMessage, contentID: String?) -> BatchPart {
        .request(BatchRequest(contentID: contentID, message))
    }

    package var requests: [BatchRequest] {
        switch self {
        case .request(let request): [request]
        case .changeSet(let requests): requests
        }
    }

    /// Adds a member to the change set in place, however many there are already.
    package mutating func append(_ member: BatchRequest) {
        var members = requests
        self = .changeSet([])
        members.append(member)
        self = .changeSet(members)
    }
}

/// One answer inside a batch response.
package struct BatchResponse: Sendable, Hashable {
    /// From the headers of the part, or else from the headers of the answer.
    package var contentID: String?
    package var message: ResponseMessage
    /// False where the body ended elsewhere than its `Content-Length` says: bytes were lost or changed on the way.
    package var isWhole = true

    package init(contentID: String? = nil, _ message: ResponseMessage) {
        self.contentID = contentID
        self.message = message
    }

    /// The answer, where it came as it was sent.
    package var whole: ResponseMessage? { isWhole ? message : nil }
}

/// One part of a batch response: a failed change set comes as one `response` in its place.
package enum BatchResponsePart: Sendable, Hashable {
    case response(BatchResponse)
    case changeSet([BatchResponse])

    package static func response(_ message: ResponseMessage, contentID: String? = nil)
        -> BatchResponsePart
    {
        .response(BatchResponse(contentID: contentID, message))
    }

    package var responses: [BatchResponse] {
        switch self {
        case .response(let response): [response]
        case .changeSet(let responses): responses
        }
    }

    /// Adds an answer to those of the change set in place, however many there are already.
    package mutating func append(_ member: BatchResponse) {
        var members = responses
        self = .changeSet([])
        members.append(member)
        self = .changeSet(members)
    }
}

/// What a batch body may hold before reading it stops with `limitExceeded`.
package struct BatchLimits: Sendable, Hashable {
    /// Messages in the whole batch.
    package var messages = 10_000
    package var headerLineBytes = 64 << 10
    package var headerLines = 256
    /// Bytes of one body that is gathered in memory; streamed bodies are not bounded here.
    package var bodyBytes = 64 << 20

    package init() {}
}
