public import Foundation
import ODataQuery

/// The root of the errors that the public API throws.
///
/// ```swift
/// do {
///     try service.download()
/// } catch let error as ErrorBase where error.code == .cancelled {
///     show("Stopped")
/// } catch let error as DataServiceError {
///     show(error.response?.message ?? error.statusText)
/// } catch {
///     show("\(error)")
/// }
/// ```
///
/// The class says whose failure it is, the ``code`` what kind; codes are an open set. ``place`` holds no keys and no
/// values, so it may be logged. Errors do not change once they are made, so they pass freely between threads. `async` calls
/// throw `CancellationError` in place of an error with the code ``Code/cancelled``.
///
/// See ``DataServiceError``, ``DataNetworkError``, ``DataStorageError`` and ``DataQueryError``.
open class ErrorBase: Error, LocalizedError, CustomStringConvertible, @unchecked Sendable {
    // Immutable.
    /// One sentence for people; nil when there is nothing to say.
    public final let message: String?
    /// The error beneath this one.
    public final let cause: (any Error)?
    // Written once by `at(_:_:)`, before the error is handed out.
    private final var met: (code: Code?, place: Place?)

    /// Creates an error with a sentence and the error beneath it.
    public required init(message: String? = nil, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
    }

    /// What kind of failure it is: what a program acts on.
    public final var code: Code { met.code ?? Self.usualCode }

    /// Where it was met; nil where that is not known. It never says which entity, or whose.
    public final var place: Place? { met.place }

    /// The code of errors of this class that say nothing more exact.
    package class var usualCode: Code { .other }

    /// The error with a code and a place, set before anyone else has it.
    package final func at(_ place: Place?, code: Code?) -> Self {
        met = (code, place)
        return self
    }

    /// An error with this sentence.
    public static func withMessage(_ message: String) -> Self { Self(message: message) }

    /// An error with another beneath it.
    public static func withCause(_ cause: any Error) -> Self { Self(cause: cause) }

    /// An error with a sentence and another error beneath it.
    public static func withCauseAndMessage(cause: any Error, message: String) -> Self {
        Self(message: message, cause: cause)
    }

    /// The class of the error and its sentence.
    open func toString() -> String {
        let text = message ?? cause.map { "\($0)" }
        return "\(type(of: self))" + (text.map { ": \($0)" } ?? "")
    }

    /// The text of ``toString()``.
    public var description: String { toString() }

    /// The sentence for people.
    open var errorDescription: String? {
        message ?? (cause as? any LocalizedError)?.errorDescription ?? toString()
    }
}

/// The root of errors about data and the services that hold it.
open class DataError: ErrorBase, @unchecked Sendable {
    /// True when the message may be shown to anyone.
    open var safeMessage: Bool { true }

    /// The error without anything that may not be shown to anyone.
    open func safe() -> DataError { self }
}

/// A query that cannot be parsed, or that does not fit the model.
open class DataQueryError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .invalidQuery }
}

/// The local store refused or failed.
open class DataStorageError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .storage }
}

/// No answer was obtained from the network; ``ErrorBase/code`` tells a time limit that passed (``ErrorBase/Code/timeout``)
/// and a call that was cancelled (``ErrorBase/Code/cancelled``) from one that failed.
///
/// ```swift
/// catch let error as DataNetworkError where error.code != .cancelled {
///     retryLater()
/// }
/// ```
///
/// After a read, or a download or upload of a local store, the call may simply be made again: what was answered is kept, and
/// it goes on there. After an online change nobody knows whether the service acted, unless the request is repeatable
/// (``RequestOptions/repeatable``). An answer that is plainly not the service's, as a portal's page, counts as no answer in
/// a download or upload.
///
/// ``ErrorBase/place`` says which host was asked. Local reads and changes throw it only when they are cancelled.
open class DataNetworkError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .network }
}

/// A payload that is not well formed, or does not say what it must.
open class DataFormatError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .invalidPayload }
}

/// A stream that failed while it was read or written.
open class DataStreamError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .stream }
}

/// A result of another shape than the one that was asked for.
open class QueryResultError: DataError, @unchecked Sendable {
    package override class var usualCode: Code { .unexpectedResult }
}

/// A fault in the definition of data.
open class DataSchemaError: DataError, @unchecked Sendable {}

/// A fault in a metadata document.
open class CSDLError: DataSchemaError, @unchecked Sendable {
    package override class var usualCode: Code { .invalidMetadata }

    /// The element at fault, where it is known.
    open var element: String? { nil }

    /// A referenced document cannot be read; the URL is absolute.
    public static func cannotFetch(_ url: String) -> CSDLError {
        CSDLError(message: "Expected a metadata document at \(url).")
    }

    /// A namespace that no schema has.
    public static func unknownSchema(_ namespace: String) -> CSDLError {
        CSDLError(message: "Expected a schema with the namespace \(namespace).")
    }
}

/// A mistake of the program that uses the library.
open class DataRuntimeError: DataError, @unchecked Sendable {}

/// A call in the wrong order, or with arguments that do not go together.
open class UsageError: DataRuntimeError, @unchecked Sendable {
    package override class var usualCode: Code { .usage }
}

/// A value that was never set or never loaded.
open class UndefinedError: DataRuntimeError, @unchecked Sendable {
    package override class var usualCode: Code { .notLoaded }
}

/// A value of another class than the one that was asked for.
open class CastError: DataRuntimeError, @unchecked Sendable {}

/// A state that must not occur.
open class FatalError: DataRuntimeError, @unchecked Sendable {}

/// A position that a list does not have.
open class ListIndexError: DataRuntimeError, @unchecked Sendable {}

/// A list without items where one is needed.
open class EmptyListError: DataRuntimeError, @unchecked Sendable {}

/// More than one item where one is expected.
open class NotUniqueError: DataRuntimeError, @unchecked Sendable {}

/// A key that a map does not have.
open class MissingEntryError: DataRuntimeError, @unchecked Sendable {}
