import ODataModel
import ODataQuery
import ODataText

/// A service answered with an error, or a request was refused before it was sent (JSON Format 4.01, section 21).
///
/// ```swift
/// catch let error as DataServiceError where error.status == 412 {
///     try service.loadEntity(order)  // somebody else has changed it: show theirs
/// }
/// ```
///
/// ``status`` is the HTTP status, also of refusals that no service saw: 400 for what does not fit the metadata, 404 for an
/// entity that a local store does not have, 501 for what is not implemented. ``response`` is what the service said, and nil
/// for those. A change that fails with it was not made.
///
/// An upload throws one after its end when the service refused something: `failedRequests` lists what, and with which status
/// each. Like all errors it never changes and passes between threads. See ``ErrorResponse`` and ``DataNetworkError``.
open class DataServiceError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .service }

    // Written once by the factories below, before the error is handed out.
    private final var answer: (status: Int, response: ErrorResponse?) = (0, nil)

    /// The HTTP status; 0 when there was none.
    open var status: Int { answer.status }

    /// What the service said; nil when it said nothing readable.
    open var response: ErrorResponse? { answer.response }

    /// The status and what it means.
    open var statusText: String {
        StatusText.byCode[status].map { "\(status) \($0)" } ?? "\(status)"
    }

    /// An error with a status and a sentence.
    public static func withStatus(_ status: Int, message: String? = nil) -> DataServiceError {
        make(status: status, message: message, response: nil, cause: nil)
    }

    /// An error with what the service said.
    public static func withResponse(_ status: Int, response: ErrorResponse?) -> DataServiceError {
        make(status: status, message: response?.message, response: response, cause: nil)
    }

    /// A request whose content is not valid.
    public static func validationError(message: String) -> DataServiceError {
        withStatus(400, message: message)
    }

    /// A method that the service does not have.
    public static func notImplemented(method: String) -> DataServiceError {
        withStatus(501, message: "Expected a method that is implemented, found \(method).")
    }

    package static func make(
        status: Int, message: String?, response: ErrorResponse?, cause: (any Error)?
    ) -> DataServiceError {
        let error = DataServiceError(
            message: message ?? StatusText.byCode[status].map { "\(status) \($0)" }, cause: cause)
        error.answer = (status, response)
        return error
    }

    /// The status, when there is one, and the sentence.
    open override func toString() -> String {
        guard status != 0 else { return super.toString() }
        return "\(type(of: self)) (\(status)): \(message ?? statusText)"
    }
}

/// What a service says about an error (JSON Format 4.01, section 21.1), or beside a success.
open class ErrorResponse: ObjectBase, @unchecked Sendable {
    // Immutable.
    /// The service's own code.
    public final let code: String
    /// The sentence for people.
    public final let message: String
    /// What the error is about.
    public final let target: String?
    /// The language of the message.
    public final let language: String?
    /// Further errors.
    public final let details: ErrorResponseList
    /// What only developers should see, as text.
    public final let innerDetails: String?
    /// How much it matters: `success`, `info`, `warning` or `error`.
    public final let severity: String

    /// Creates what a service says about an error.
    public init(
        code: String, message: String, target: String? = nil, language: String? = nil,
        details: ErrorResponseList = ErrorResponseList(), innerDetails: String? = nil,
        severity: String = "error"
    ) {
        self.code = code
        self.message = message
        self.target = target
        self.language = language
        self.details = details
        self.innerDetails = innerDetails
        self.severity = severity
        super.init()
    }

    /// The code and the message.
    open override func toString() -> String { code.isEmpty ? message : "\(code): \(message)" }
}

/// What a service says about several errors.
open class ErrorResponseList: TypedList<ErrorResponse>, @unchecked Sendable {
    // Confined as its base class says.
}

/// What the statuses mean (RFC 9110, section 15; a table).
package enum StatusText {
    package static let byCode: [Int: String] = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
        413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
        424: "Failed Dependency", 428: "Precondition Required", 429: "Too Many Requests",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
