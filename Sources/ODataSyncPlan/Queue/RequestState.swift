/// Where a request of the queue stands.
package enum RequestState: Sendable, Hashable {
    /// Recorded, not part of an attempt.
    case waiting
    /// Member of a frozen attempt whose answer is not recorded yet.
    case frozen(attempt: Int64)
    /// The service answered with an error.
    case failed(RequestFailure)
    /// Not sent, because the named request failed and this one depends on it.
    case blocked(by: Int64)
    /// Sent without answer to a service that cannot tell whether it was carried out; never resent by itself.
    case unknown(reason: String?)

    /// True for what `failedRequests` lists.
    package var isFailure: Bool {
        switch self {
        case .failed, .blocked, .unknown: true
        case .waiting, .frozen: false
        }
    }

    /// It waits for its turn, or for what it depends on.
    package var isUnsent: Bool {
        switch self {
        case .waiting, .blocked: true
        case .frozen, .failed, .unknown: false
        }
    }

    package var isFrozen: Bool {
        if case .frozen = self { true } else { false }
    }

    package var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }

    package var failure: RequestFailure? {
        if case .failed(let failure) = self { failure } else { nil }
    }
}

/// The refusal of a request as the service worded it.
package struct RequestFailure: Sendable, Hashable {
    package var status: Int
    package var code: String?
    package var message: String?
    package var innerError: String?
    /// The body of the answer as received.
    package var responseBody: String?

    package init(
        status: Int, code: String? = nil, message: String? = nil, innerError: String? = nil,
        responseBody: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.innerError = innerError
        self.responseBody = responseBody
    }
}

/// The identity that lets a service carry out a request once however often it arrives (OASIS Repeatable
/// Requests 1.0, section 2).
package struct RepeatabilityIdentity: Sendable, Hashable {
    /// A GUID in lower-case text.
    package var id: String
    /// Milliseconds since 1970 of the first sending; nil while never sent.
    package var firstSent: Int64?

    package init(id: String, firstSent: Int64? = nil) {
        self.id = id
        self.firstSent = firstSent
    }
}
