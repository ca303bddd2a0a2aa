import ODataQuery
import ODataText
import ODataWire

/// Error responses of the service (JSON Format 4.01, section 21.1).
enum ErrorAnswer {
    /// The response for any error: the status it names, or the one that its code stands for.
    static func response(for error: any Error) -> ResponseMessage {
        guard let error = error as? ODataError else {
            return response(500, code: "internal", message: "The service failed.")
        }
        var target: String?
        if let location = error.location, error.code != .storage {
            target = location.description
        }
        var answer = response(
            status(of: error), code: error.code.description, message: error.message,
            target: target)
        if answer.status == 405 { answer.headers["Allow"] = "GET, HEAD" }
        return answer
    }

    static func response(_ status: Int, code: String, message: String, target: String? = nil)
        -> ResponseMessage
    {
        ResponseMessage(
            status: status,
            headers: ["Content-Type": "application/json;odata.metadata=minimal"],
            body: ErrorPayload(code: code, message: message, target: target).json())
    }

    static func tooLarge(limit: Int) -> ResponseMessage {
        var answer = response(
            413, code: "limitExceeded", message: "Expected a body of at most \(limit) bytes.")
        answer.headers["OData-Version"] = "4.0"
        answer.headers["Connection"] = "close"
        return answer
    }

    static func status(of error: ODataError) -> Int {
        if (400..<600).contains(error.status) { return error.status }
        switch error.code {
        case .malformedText, .invalidPayload, .invalidQuery, .invalidValue, .unknownName,
            .limitExceeded, .usage:
            return 400
        case .notImplemented: return 501
        case .notFound: return 404
        case .conflict: return 409
        case .preconditionFailed: return 412
        default: return 500
        }
    }
}
