/// The one error that the pure targets throw: what was expected, what was found, and where.
///
/// Callers act on ``code``; ``message`` is one sentence for people and never holds a property value. Public
/// entry points translate it into the error classes of the API (see `ErrorBase`).
@usableFromInline
package struct ODataError: Error, Sendable {
    /// What kind of failure it is.
    package var code: Code
    /// One sentence: what was expected, and what was found.
    package var message: String
    /// Where in the input, the model or the store the failure was met.
    package var location: Location?
    /// The HTTP status to answer with, or that was received; 0 when none applies.
    package var status: Int
    /// The failure beneath this one.
    package var underlying: (any Error)?

    package init(
        _ code: Code, _ message: String, at location: Location? = nil, status: Int = 0,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.location = location
        self.status = status
        self.underlying = underlying
    }
}

extension ODataError {
    /// A place in an input or a model.
    package enum Location: Sendable, Hashable, CustomStringConvertible {
        /// Bytes from the start of a text.
        case offset(Int)
        /// One-based line and column of a text.
        case position(line: Int, column: Int)
        /// A path such as `Orders(1)/Customer` or a qualified name.
        case path(String)
        /// A resource of a service, by its host, with a port where the URL names one, and its path without keys.
        case resource(host: String, path: String)

        package var description: String {
            switch self {
            case .offset(let offset): "offset \(offset)"
            case .position(let line, let column): "line \(line), column \(column)"
            case .path(let path): path
            case .resource(let host, let path): host + path
            }
        }
    }

    /// An open set of failure kinds; compared, never switched over exhaustively.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        package let description: String
        package init(_ description: String) { self.description = description }

        /// JSON, XML, multipart or another text is not well formed.
        package static let malformedText = Code("malformedText")
        /// A well-formed payload does not say what the protocol or the model requires.
        package static let invalidPayload = Code("invalidPayload")
        /// A metadata document is not valid CSDL.
        package static let invalidMetadata = Code("invalidMetadata")
        /// A URL or query option does not parse or does not fit the model.
        package static let invalidQuery = Code("invalidQuery")
        /// A literal or value does not belong to the lexical or value space of its type.
        package static let invalidValue = Code("invalidValue")
        /// A name is not defined in the model.
        package static let unknownName = Code("unknownName")
        /// A depth, size or count went over its stated bound.
        package static let limitExceeded = Code("limitExceeded")
        /// The feature exists in the protocol but not here yet.
        package static let notImplemented = Code("notImplemented")
        /// The addressed resource does not exist.
        package static let notFound = Code("notFound")
        /// The request cannot be carried out in the present state.
        package static let conflict = Code("conflict")
        /// A precondition such as `If-Match` failed.
        package static let preconditionFailed = Code("preconditionFailed")
        /// The links of a navigation property were never downloaded (unknown is not empty).
        package static let notLoaded = Code("notLoaded")
        /// The local store refused or failed the operation.
        package static let storage = Code("storage")
        /// No answer was obtained from the network.
        package static let network = Code("network")
        /// A time limit passed before the answer was complete.
        package static let timeout = Code("timeout")
        /// The operation's token was cancelled.
        package static let cancelled = Code("cancelled")
        /// The service answered with an error status.
        package static let service = Code("service")
        /// A call was made in the wrong order or with arguments that do not go together.
        package static let usage = Code("usage")
    }
}

extension ODataError: CustomStringConvertible {
    @usableFromInline package var description: String {
        guard let location else { return "\(code): \(message)" }
        return "\(code) at \(location): \(message)"
    }
}
