public import Foundation

/// What the errors of these libraries, and those of apps that join them, have in common: a sentence for people and a
/// readable form.
///
/// Nothing has to be implemented: an error that says nothing is described by its type.
public protocol SAPError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible {}

extension SAPError {
    /// The sentence for people, or else the type.
    public var description: String { errorDescription ?? "\(type(of: self))" }

    /// The same as `description`.
    public var debugDescription: String { description }
}
