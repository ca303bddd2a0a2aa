import ODataText

/// What went wrong: a code to act on, a sentence for people, and where.
///
/// Messages name sets and properties, never their values. Codes are open: compare them, and expect others.
public struct ODataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let rawValue: String
        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name of the kind.
        public var description: String { rawValue }
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence: what was expected, and what was found.
    public let message: String
    /// A set, a property, a host: where it was met; nil where that says nothing.
    public let place: String?
    /// The HTTP status that the service answered with; 0 where none did.
    public let status: Int
    /// The failure beneath this one; it does not count when errors are compared.
    public let cause: (any Error)?

    /// An error of this module, or of code that stands on it.
    public init(
        _ code: Code, _ message: String, at place: String? = nil, status: Int = 0,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.place = place
        self.status = status
        self.cause = cause
    }

    /// Code, place and sentence.
    public var description: String {
        place.map { "\(code) at \($0): \(message)" } ?? "\(code): \(message)"
    }

    /// Whether two errors say the same, whatever was beneath them.
    public static func == (left: ODataError, right: ODataError) -> Bool {
        left.code == right.code && left.message == right.message && left.place == right.place
            && left.status == right.status
    }

    /// As equality has it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(place)
        hasher.combine(status)
    }
}

extension ODataError.Code {
    /// The call does not fit what the store is or does just now.
    public static let usage = Self(rawValue: "usage")
    /// The store was closed.
    public static let storeClosed = Self(rawValue: "storeClosed")
    /// The store was suspended, and not resumed yet.
    public static let storeSuspended = Self(rawValue: "storeSuspended")
    /// The store has an owner already, in this process or in another one.
    public static let storeInUse = Self(rawValue: "storeInUse")
    /// A reader's store was asked to write or to synchronise.
    public static let readOnly = Self(rawValue: "readOnly")
    /// A property that no download has brought was read.
    public static let notDownloaded = Self(rawValue: "notDownloaded")
    /// Related entities that were not asked for, or never downloaded, were read: unknown is not empty.
    public static let notLoaded = Self(rawValue: "notLoaded")
    /// A property without a value was read as one that always has one.
    public static let unexpectedNull = Self(rawValue: "unexpectedNull")
    /// A value does not fit the type of its property.
    public static let wrongType = Self(rawValue: "wrongType")
    /// The service has no set or property of this name.
    public static let unknownName = Self(rawValue: "unknownName")
    /// A value that the metadata does not allow.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// A query that does not fit the metadata.
    public static let invalidQuery = Self(rawValue: "invalidQuery")
    /// There is no such entity in view.
    public static let notFound = Self(rawValue: "notFound")
    /// What was asked for cannot be done in the present state.
    public static let conflict = Self(rawValue: "conflict")
    /// No answer was obtained from the network.
    public static let network = Self(rawValue: "network")
    /// The service did not answer in time.
    public static let timeout = Self(rawValue: "timeout")
    /// The service answered with an error.
    public static let service = Self(rawValue: "service")
    /// The store's file refused or failed the operation.
    public static let storage = Self(rawValue: "storage")
    /// Not there yet.
    public static let notImplemented = Self(rawValue: "notImplemented")
    /// The service refused a change.
    public static let refused = Self(rawValue: "refused")
    /// A change was not sent, because one that it depends on was refused.
    public static let heldBack = Self(rawValue: "heldBack")
    /// A change was sent, and nobody can tell whether the service carried it out.
    public static let undecided = Self(rawValue: "undecided")
    /// A change was taken back before the service accepted it.
    public static let undone = Self(rawValue: "undone")
    /// A change left the queue by the hand of another process, which does not say how.
    public static let settledElsewhere = Self(rawValue: "settledElsewhere")
}

/// What the engine throws.
typealias EngineError = ODataText.ODataError

extension ODataError {
    /// Runs engine code; its errors become ours, its cancellation `CancellationError`, and others pass.
    static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as EngineError {
            guard error.code != .cancelled else { throw CancellationError() }
            throw ODataError(error)
        }
    }

    init(_ error: EngineError) {
        self.init(
            Code(rawValue: error.code.description), error.message,
            at: error.location?.description, status: error.status, cause: error.underlying)
    }

    /// Any error as one of ours.
    static func from(_ error: any Error) -> ODataError {
        switch error {
        case let error as ODataError: error
        case let error as EngineError: ODataError(error)
        default: ODataError(.storage, "An operation of the store failed.", cause: error)
        }
    }

    static var storeSuspended: ODataError {
        ODataError(.storeSuspended, "Expected a store that is not suspended: resume it first.")
    }

    static var storeClosed: ODataError {
        ODataError(.storeClosed, "Expected an open store, found a closed one.")
    }
}
