import ODataText

extension ErrorBase {
    /// What kind of failure an error is, as a name.
    ///
    /// The set is open: later versions and apps have codes of their own, so compare codes, and treat one that you do not know
    /// as ``other``.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name.
        public let rawValue: String

        /// The code with this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        init(_ code: ODataError.Code) { rawValue = code.description }

        /// The name.
        public var description: String { rawValue }

        /// No other code says it.
        public static let other = Code(rawValue: "other")
        /// A text is not well formed, as JSON or XML.
        public static let malformedText = Code(.malformedText)
        /// A payload does not say what the protocol or the metadata requires.
        public static let invalidPayload = Code(.invalidPayload)
        /// A metadata document is not valid.
        public static let invalidMetadata = Code(.invalidMetadata)
        /// A query does not parse, or does not fit the metadata.
        public static let invalidQuery = Code(.invalidQuery)
        /// A value does not fit its type.
        public static let invalidValue = Code(.invalidValue)
        /// The metadata does not have a name.
        public static let unknownName = Code(.unknownName)
        /// Something is larger, deeper or more than it may be.
        public static let limitExceeded = Code(.limitExceeded)
        /// The protocol has it, and this library or the service does not.
        public static let notImplemented = Code(.notImplemented)
        /// There is no such resource.
        public static let notFound = Code(.notFound)
        /// The present state does not allow it.
        public static let conflict = Code(.conflict)
        /// Somebody else has changed it meanwhile.
        public static let preconditionFailed = Code(.preconditionFailed)
        /// A value was never loaded.
        public static let notLoaded = Code(.notLoaded)
        /// The local store refused or failed.
        public static let storage = Code(.storage)
        /// The network gave no answer, or lost it halfway.
        public static let network = Code(.network)
        /// A time limit passed before the answer was complete.
        public static let timeout = Code(.timeout)
        /// The call was cancelled.
        public static let cancelled = Code(.cancelled)
        /// The service answered with an error.
        public static let service = Code(.service)
        /// A call in the wrong order, or with arguments that do not go together.
        public static let usage = Code(.usage)
        /// A stream failed, or was read where it has nothing.
        public static let stream = Code(rawValue: "stream")
        /// A result is of another shape than the one asked for.
        public static let unexpectedResult = Code(rawValue: "unexpectedResult")
    }

    /// Where an error was met.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The host that was asked, with its port where the URL names one; nil for what has to do with no network.
        public let host: String?
        /// For the network the path of the URL; for data a set, a type or a path of names; for a text the position in it.
        /// Keys, arguments and queries are left out.
        public let path: String

        /// Host and path.
        public var description: String { (host ?? "") + path }

        /// - Parameter host: nil for a place that no network leads to.
        package init(host: String? = nil, path: String) {
            self.host = host
            self.path = path
        }

        package init(_ location: ODataError.Location) {
            switch location {
            case .resource(let host, let path): self.init(host: host, path: path)
            case .path(let path) where path.contains("://"): self.init(.resource(of: path))
            case .path(let path): self.init(path: ODataError.Location.withoutKeys(path))
            case .offset, .position: self.init(path: location.description)
            }
        }
    }
}
