import ODataModel
import ODataQuery
import ODataWire

/// Writes every request that changes data at a service, those of online calls and those of the queue, and completes
/// those that read (pure).
///
/// Which verb, which headers and which body a request has is decided here and nowhere else (Protocol 4.01, section 11.4;
/// V2 operations). Where things are is told by ``EntityAddress`` and, for rows of a store, by the caller.
package struct RequestWriter: Sendable {
    package var graph: MetadataGraph
    package let dialect: Dialect
    /// The absolute service root, ending in `/`.
    package let root: String
    package var settings: RequestSettings
    /// Whether requests of the queue carry repeatability headers.
    package var sendsRepeatability: Bool
    /// The spellings of those headers, for services that know one of several.
    package var repeatabilityStyles: [RepeatabilityHeaders.Style] = [.oasis]
    /// Whether every change is tunnelled, for networks that let no other methods than those of reads and POST pass.
    package var tunnelsMethods = false
    /// What the requests of the queue with a stream for a body send, by request.
    package var streams: [Int64: StreamBody] = [:]
    /// The rows as merging updates of the queue leave them, for services that know only replacement, by request.
    package var wholeRows: [Int64: StructureValue] = [:]

    /// The content of a stream as a request sends it.
    package struct StreamBody: Sendable, Hashable {
        package var mediaType: String?
        package var fileName: String?
        /// The bytes where they go into a batch; nil where they are read while they are sent.
        package var bytes: [UInt8]?

        package init(mediaType: String?, fileName: String?, bytes: [UInt8]?) {
            self.mediaType = mediaType
            self.fileName = fileName
            self.bytes = bytes
        }
    }

    /// - Parameter dialect: nil for that of the settings and the model.
    package init(
        graph: MetadataGraph, dialect: Dialect? = nil, root: String,
        settings: RequestSettings = RequestSettings(), sendsRepeatability: Bool = true
    ) {
        self.graph = graph
        self.dialect = dialect ?? settings.dialect(of: graph)
        self.root = root
        self.settings = settings
        self.sendsRepeatability = sendsRepeatability
    }

    // MARK: Headers

    /// A message that is sent by itself, with what goes with every one; headers of the caller count most.
    package func alone(
        _ message: RequestMessage, headers: HeaderFields = HeaderFields()
    ) -> RequestMessage {
        settings.sent(inside(message, headers: headers), tunnelsChanges: tunnelsMethods)
    }

    /// A message inside a batch: networks do not see its method and path, so these stay as they are.
    package func inside(
        _ message: RequestMessage, headers: HeaderFields = HeaderFields()
    ) -> RequestMessage {
        var request = message
        request.headers = Self.versionHeaders(dialect)
        request.headers["Accept"] = "application/json"
        request.headers.merge(message.headers)
        request.headers.merge(headers)
        return request
    }

    /// What says the protocol version (Protocol 4.01, sections 8.1.5 and 8.2.7).
    package static func versionHeaders(_ dialect: Dialect) -> HeaderFields {
        dialect.wrapsPayload
            ? ["DataServiceVersion": "2.0", "MaxDataServiceVersion": "2.0"]
            : ["OData-Version": "4.0", "OData-MaxVersion": "4.01"]
    }

    /// What a create or update asks to be answered with; V2 knows no such wish.
    func preference(_ returnsContent: Bool) -> HeaderFields {
        guard !dialect.wrapsPayload else { return HeaderFields() }
        return ["Prefer": returnsContent ? "return=representation" : "return=minimal"]
    }
}
