public import Foundation
import ODataClasses
public import SAPCommon

/// Why an operation of an offline store failed, by kinds that an app reacts to differently.
///
/// ```swift
/// provider.upload { error in
///     switch error {
///     case nil: show("Sent")
///     case .communicationError?: show("Later")
///     case let error?: show(error.toString())
///     }
/// }
/// ```
///
/// Handlers and the calls of the provider's own interface give it; data calls throw it while the store is closed and
/// otherwise what `CloudSyncProvider` throws. The case says how to react, ``errorName`` what exactly happened: a cancelled
/// operation is an ``error(code:message:)`` named ``OfflineODataErrorName/requestCancelled``.
///
/// Refused requests are no error of an upload: ``OfflineODataProviderDelegate`` and the ErrorArchive tell of them.
///
/// A value: it passes between threads and compares by case, code and message. Codes are those of ``OfflineODataErrorName``.
public enum OfflineODataError: Error, Sendable, Hashable {
    /// Anything that no other case says.
    case error(code: Int, message: String)
    /// An argument, query text, body or key that is not well formed.
    case invalidInput(code: Int, message: String)
    /// A call at the wrong time: before opening, twice, or with the wrong key.
    case preconditionFailed(code: Int, message: String)
    /// No such entity, set, property or query.
    case notFound(code: Int, message: String)
    /// The service gave no answer.
    case communicationError(code: Int, message: String)
    /// The service answered, and the synchronisation failed all the same.
    case serverSideError(code: Int, message: String)
    /// A fault of the store or of reading payloads.
    case clientInternalError(code: Int, message: String)
    /// A feature that does not exist here.
    case notSupported(code: Int, message: String)

    private var content: (code: Int, message: String) {
        switch self {
        case .error(let code, let message), .invalidInput(let code, let message),
            .preconditionFailed(let code, let message), .notFound(let code, let message),
            .communicationError(let code, let message), .serverSideError(let code, let message),
            .clientInternalError(let code, let message), .notSupported(let code, let message):
            (code, message)
        }
    }

    /// The number of the error; see ``errorName``.
    public var code: Int { content.code }
    /// One sentence for people.
    public var message: String? { content.message }
    /// What exactly went wrong.
    public var errorName: OfflineODataErrorName { OfflineODataErrorName(rawValue: code) }

    private var kind: String {
        switch self {
        case .error: "error"
        case .invalidInput: "invalidInput"
        case .preconditionFailed: "preconditionFailed"
        case .notFound: "notFound"
        case .communicationError: "communicationError"
        case .serverSideError: "serverSideError"
        case .clientInternalError: "clientInternalError"
        case .notSupported: "notSupported"
        }
    }

    /// Kind, code and sentence.
    public func toString() -> String { "\(kind) (\(code)): \(content.message)" }
}

extension OfflineODataError: SAPError {
    /// Kind, code and sentence.
    public var description: String { toString() }
    /// Kind, code and sentence.
    public var debugDescription: String { toString() }
    /// The sentence for people.
    public var errorDescription: String? { content.message }
    /// The kind of the failure.
    public var failureReason: String? { kind }
}

extension OfflineODataError: CustomNSError {
    /// The domain of all errors of offline stores.
    public static var errorDomain: String { "OfflineOData" }
    /// The number of the error.
    public var errorCode: Int { code }
    /// The sentence for people, under the usual key.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: content.message] }
}
