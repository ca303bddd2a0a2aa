public import Foundation
import ODataQuery

/// The root of the errors that the public API throws.
///
/// Errors do not change once they are made, so they pass freely between threads.
open class ErrorBase: Error, LocalizedError, CustomStringConvertible, @unchecked Sendable {
    // Immutable.
    /// One sentence for people; nil when there is nothing to say.
    public final let message: String?
    /// The error beneath this one.
    public final let cause: (any Error)?

    /// Creates an error with a sentence and the error beneath it.
    public required init(message: String? = nil, cause: (any Error)? = nil) {
        self.message = message
        self.cause = cause
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
open class DataQueryError: DataError, @unchecked Sendable {}

/// The local store refused or failed.
open class DataStorageError: DataError, @unchecked Sendable {}

/// No answer was obtained from the network.
open class DataNetworkError: DataError, @unchecked Sendable {}

/// A payload that is not well formed, or does not say what it must.
open class DataFormatError: DataError, @unchecked Sendable {}

/// A stream that failed while it was read or written.
open class DataStreamError: DataError, @unchecked Sendable {}

/// A result of another shape than the one that was asked for.
open class QueryResultError: DataError, @unchecked Sendable {}

/// A fault in the definition of data.
open class DataSchemaError: DataError, @unchecked Sendable {}

/// A fault in a metadata document.
open class CSDLError: DataSchemaError, @unchecked Sendable {
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
open class UsageError: DataRuntimeError, @unchecked Sendable {}

/// A value that was never set or never loaded.
open class UndefinedError: DataRuntimeError, @unchecked Sendable {}

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
