import ODataClasses
import ODataProviders
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

extension OfflineODataError {
    /// The kind of error that `name` belongs to.
    static func named(_ name: OfflineODataErrorName, _ message: String) -> OfflineODataError {
        let code = name.rawValue
        switch name {
        case .storeNotOpen, .storeAlreadyOpen, .encryptionKeyMismatch, .pendingChangesExist,
            .definingQueryRemovalNotAllowed, .incompatibleMetadataChange,
            .userSwitchRefused, .storeInUse:
            return .preconditionFailed(code: code, message: message)
        case .entityNotFound, .dbNotFound: return .notFound(code: code, message: message)
        case .networkFailure: return .communicationError(code: code, message: message)
        case .serviceFailure: return .serverSideError(code: code, message: message)
        case .unsupportedOperation, .readOnlyEntitySet:
            return .notSupported(code: code, message: message)
        case .errorExecutingSqlStmt, .errorConnectingToDb, .fatalParseError,
            .errorLoadingMapping, .errorLoadingEdmMetadata:
            return .clientInternalError(code: code, message: message)
        case .urlSyntaxError, .illegalTypeValue, .definingQueryInvalid, .invalidArgument,
            .duplicateKey:
            return .invalidInput(code: code, message: message)
        default: return .error(code: code, message: message)
        }
    }

    /// Any error as one of an offline store.
    static func from(_ error: any Error) -> OfflineODataError {
        if let error = error as? OfflineODataError { return error }
        let cause = cause(of: error)
        let error = ErrorBase.from(any: error)
        let message = error.message ?? error.toString()
        if cause is StoreKeyError { return .named(.encryptionKeyMismatch, message) }
        if let refused = cause as? RefusedCall { return refused.offlineError(message) }
        if cause is StoreInUse { return .named(.storeInUse, message) }
        if cause is RefusedUserSwitch { return .named(.userSwitchRefused, message) }
        if cause is IncompatibleMetadata { return .named(.incompatibleMetadataChange, message) }
        if error.code == .cancelled { return .named(.requestCancelled, message) }
        return .named(name(of: error), message)
    }

    private static func cause(of error: any Error) -> (any Error)? {
        (error as? ODataError)?.underlying ?? (error as? ErrorBase)?.cause
    }

    private static func name(of error: ErrorBase) -> OfflineODataErrorName {
        if let error = error as? DataServiceError {
            switch error.status {
            case 400: return .invalidArgument
            case 404: return .entityNotFound
            case 501: return .unsupportedOperation
            default: return .serviceFailure
            }
        }
        // A time limit that passed counts as a network that did not answer.
        if error is DataNetworkError { return .networkFailure }
        if error is DataStorageError { return .errorExecutingSqlStmt }
        if error is DataQueryError { return .urlSyntaxError }
        if error is CSDLError { return .errorLoadingEdmMetadata }
        if error is DataFormatError { return .fatalParseError }
        if error is UsageError { return .invalidArgument }
        return OfflineODataErrorName(rawValue: -1)
    }
}

extension RefusedCall {
    fileprivate func offlineError(_ message: String) -> OfflineODataError {
        switch reason {
        case .notOpen: .named(.storeNotOpen, message)
        case .alreadyOpen, .isClosing, .insideOpening: .named(.storeAlreadyOpen, message)
        case .withdrawn: .named(.requestCancelled, message)
        }
    }
}

/// Runs calls of the offline store's own interface, whose errors are of one type.
func offlineErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw OfflineODataError.from(error)
    }
}
