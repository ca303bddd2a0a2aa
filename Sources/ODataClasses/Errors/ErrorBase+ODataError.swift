import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire

extension DataServiceError {
    /// The error for what a service said, in its own words where they can be read.
    fileprivate static func of(_ refusal: ServiceRefusal) -> DataServiceError {
        let payload = refusal.payload
        let details = payload.details.map {
            ErrorResponse(code: $0.code, message: $0.message, target: $0.target)
        }
        return withResponse(
            refusal.status,
            response: ErrorResponse(
                code: payload.code, message: payload.message, target: payload.target,
                language: refusal.language, details: ErrorResponseList.fromArray(details),
                innerDetails: payload.innerError?.text))
    }
}

extension ErrorBase {
    /// The error class that says to users of the API what a package error says inside: the one place where the two meet.
    package static func from(_ error: ODataError) -> ErrorBase {
        let place = error.location.map { Place($0) }
        let message = place.map { "\(error.message) (\($0))" } ?? error.message
        return made(of: error, message).at(place, code: Code(error.code))
    }

    private static func made(of error: ODataError, _ message: String) -> ErrorBase {
        if let refusal = error.underlying as? ServiceRefusal { return DataServiceError.of(refusal) }
        switch error.code {
        case .malformedText, .invalidPayload, .limitExceeded:
            return DataFormatError(message: message, cause: error.underlying)
        case .invalidMetadata:
            return CSDLError(message: message, cause: error.underlying)
        case .invalidQuery, .unknownName:
            return DataQueryError(message: message, cause: error.underlying)
        case .storage:
            return DataStorageError(message: message, cause: error.underlying)
        case .network, .timeout, .cancelled:
            return DataNetworkError(message: message, cause: error.underlying)
        case .notLoaded:
            return UndefinedError(message: message, cause: error.underlying)
        case .usage:
            return UsageError(message: message, cause: error.underlying)
        default:
            return DataServiceError.make(
                status: status(error), message: message,
                response: nil, cause: error.underlying)
        }
    }

    /// Any error as one of the API: those stay, package errors are translated, others are put beneath a `DataError`.
    package static func from(any error: any Error) -> ErrorBase {
        if let error = error as? ErrorBase { return error }
        if let error = error as? ODataError { return from(error) }
        if error is CancellationError {
            return from(ODataError(.cancelled, "The task was cancelled.", underlying: error))
        }
        return DataError(message: nil, cause: error)
    }

    /// What a call that is `async` throws for an error: for one of cancellation, what all of Swift throws for it.
    package static func forTask(_ error: any Error) -> any Error {
        let code = (error as? ErrorBase)?.code ?? (error as? ODataError).map { Code($0.code) }
        return code == .cancelled ? CancellationError() : error
    }

    /// Runs `body`, throwing what it throws as an error of the API.
    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw from(any: error)
        }
    }

    private static func status(_ error: ODataError) -> Int {
        guard error.status == 0 else { return error.status }
        switch error.code {
        case .invalidValue: return 400
        case .notFound: return 404
        case .conflict: return 409
        case .preconditionFailed: return 412
        case .notImplemented: return 501
        default: return 0
        }
    }
}
