import GRDB
import Logging
import ODataQuery
import ODataSQLite
import ODataText
import ODataWire

/// Error responses of the service (JSON Format 4.01, section 21.1).
enum ErrorAnswer {
    /// The response for any error: the status it names, or the one that its code stands for.
    static func response(for failure: any Error) -> ResponseMessage {
        let error = ServiceFailure.translated(failure)
        guard let error else {
            Logger(label: "odata.service").error(
                "internal error", metadata: ["error": "\(failure)"])
            return response(500, code: "internal", message: "The service failed.")
        }
        var target: String?
        if let location = error.location, error.code != .storage {
            target = location.description
        }
        var answer = response(
            status(of: error), code: error.code.description, message: error.message,
            target: target)
        if answer.status == 405 {
            answer.headers["Allow"] = (error.underlying as? AllowedMethods)?.list ?? "GET, HEAD"
        }
        if error.code == ServiceCode.batchIsFull, answer.status == 503 {
            answer.headers["Retry-After"] = "1"
        }
        if error.code == ServiceCode.busy { answer.headers["Retry-After"] = "1" }
        if [ServiceCode.unread, ServiceCode.overloaded].contains(error.code) {
            answer.headers["Retry-After"] = "5"
        }
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

    /// The answer to a request that nothing was done about, because others keep every thread.
    static var overloaded: ResponseMessage {
        var answer = response(
            503, code: ServiceCode.overloaded.description,
            message: "Expected fewer requests at a time; nothing was done about this one.")
        answer.headers["OData-Version"] = "4.0"
        answer.headers["Retry-After"] = "5"
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

/// What failures below the protocol mean to a client.
enum ServiceFailure {
    /// The error to answer with; nil for what nobody can do anything about but the service.
    static func translated(_ failure: any Error) -> ODataError? {
        if RequestDeadline.current?.hasPassed == true, isInterruption(failure) {
            return ODataError(
                ServiceCode.tooSlow,
                "Expected a request that is answered sooner; it was ended, and nothing of it stays.",
                status: 503)
        }
        if let violated = failure as? ViolatedConstraint { return violated.answer }
        let error = failure as? ODataError
        if let cause = failure as? DatabaseError ?? error?.underlying as? DatabaseError,
            let known = translated(cause)
        {
            return known
        }
        if error?.underlying is ClosedConnections {
            return ODataError(
                ServiceCode.overloaded, "Expected a service that runs, found one that was stopped.",
                status: 503)
        }
        return error
    }

    private static func isInterruption(_ failure: any Error) -> Bool {
        if let error = failure as? ODataError { return error.code == .cancelled }
        return (failure as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
    }

    private static func translated(_ error: DatabaseError) -> ODataError? {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return ODataError(
                ServiceCode.busy, "Expected the database to be free, another program holds it.",
                status: 503)
        case .SQLITE_INTERRUPT:
            return ODataError(
                ServiceCode.tooSlow, "Expected a request that is not interrupted.", status: 503)
        case .SQLITE_FULL:
            return ODataError(
                .storage, "Expected room for the change, the disk is full.", status: 507)
        case .SQLITE_CONSTRAINT: return SQLFailure.translated(error)
        case .SQLITE_TOOBIG:
            return ODataError(.limitExceeded, "Expected shorter values.", status: 400)
        default:
            guard let message = error.message else { return nil }
            // SQLite gives no column of a subquery one of these names (sqlite3ColumnsFromExprList).
            if ["true", "false"].contains(where: { message.hasSuffix(".\($0)") }) {
                return ODataError(
                    .notImplemented, "The service makes no properties named true or false.",
                    status: 501)
            }
            guard
                limits.contains(where: { message.contains($0) })
            else { return nil }
            return ODataError(
                .limitExceeded, "Expected a query within the database's limits: \(message).",
                status: 400)
        }
    }

    /// What SQLite says to queries that are well formed and too much for it.
    private static let limits = [
        "parser stack overflow", "Expression tree is too large", "integer overflow",
        "too many SQL variables", "pattern too complex", "too many terms", "too many columns",
        "at most 64 tables", "too many arguments", "too many FROM clause terms",
    ]
}
