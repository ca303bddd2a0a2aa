import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// One request on its way to an answer, inside one database access.
struct Exchange {
    let model: ServiceModel
    /// What the rows are read from.
    var source: DatabaseAccess
    let request: RequestMessage
    /// The absolute URL of the service root, with a slash at its end.
    let root: String
    /// The URL relative to the root, as sent.
    let relativeURL: String
    let preferences: Preferences
    /// What the answer's payload looks like: 4.0 unless the client accepts 4.01.
    let version: ODataVersion
    let format: ResponseFormat
    /// What `$1` stands for inside a batch: entity URLs relative to the root, by `Content-ID`.
    let references: [String: String]
    /// What is moved beside the messages; nil where streams are in the messages themselves.
    let transfer: StreamTransfer?
    /// What the client may see and do; nil where everybody may do everything.
    let access: AccessView?
    /// The rows that it has written so far; nil where nobody asks.
    let written: WrittenRows?

    init(
        model: ServiceModel, source: DatabaseAccess, request: RequestMessage,
        address: ServiceAddress, references: [String: String] = [:], transfer: StreamTransfer? = nil
    ) throws {
        self.transfer = transfer
        self.references = references
        access = try AccessView.current(in: model)
        written = access.map { _ in WrittenRows() }
        self.model = model
        self.source = source
        self.request = request
        root = address.root
        relativeURL = address.relativeURL
        preferences = Preferences(requestedBy: request.headers)
        version = try Self.version(request.headers)
        format = try ResponseFormat(
            accept: request.headers["Accept"], acceptCharset: request.headers["Accept-Charset"],
            relativeURL: address.relativeURL)
        try RequestRules.checkHead(request.headers)
    }

    var graph: MetadataGraph { model.graph }
    var log: ChangeLog { get throws { ChangeLog(try database) } }

    /// - Throws: 501 where the service reads from another product.
    var database: Database {
        get throws {
            guard case .sqlite(let database) = source else { throw DatabaseAccess.needsSQLite }
            return database
        }
    }

    var isRead: Bool { request.method == "GET" || request.method == "HEAD" }

    /// The URL with a reference to an earlier request of the batch replaced by what that one made.
    func resolved(_ url: String) throws -> String {
        try BatchReference.resolve(url, references)
    }

    /// - Throws: 400 when the versions that the client names exclude ours (Protocol 4.01, section 8.1.5).
    private static func version(_ headers: HeaderFields) throws -> ODataVersion {
        if let sent = headers["OData-Version"].map({ HeaderText.trimmed($0[...]) }),
            sent != "4.0", sent != "4.01"
        {
            throw ODataError(
                .invalidPayload, "Expected OData-Version 4.0 or 4.01.", status: 400)
        }
        guard let maximum = headers["OData-MaxVersion"].map({ HeaderText.trimmed($0[...]) }) else {
            return .v4
        }
        guard let number = Double(maximum), number >= 4 else {
            throw ODataError(
                .invalidPayload, "Expected an OData-MaxVersion of 4.0 or more.", status: 400)
        }
        return number >= 4.01 ? .v401 : .v4
    }
}

/// A request's URL taken apart into the service root and the rest.
struct ServiceAddress {
    /// Absolute, with a slash at its end.
    var root: String
    /// Without a leading slash.
    var relativeURL: String

    /// - Throws: `notFound` when the URL leads elsewhere.
    init(_ request: RequestMessage, rootPath: String, scheme: String = "http") throws {
        var path = request.url[...]
        try RequestRules.checkHost(request.headers)
        var origin = scheme + "://" + (request.headers["Host"] ?? "localhost")
        if let authority = Self.authorityStart(request.url) {
            let end = path[authority...].firstIndex { $0 == "/" || $0 == "?" }
            origin = String(path[..<(end ?? path.endIndex)])
            path = end.map { path[$0...] } ?? "/"
        }
        root = origin + rootPath
        if path.hasPrefix(rootPath) {
            relativeURL = String(path.dropFirst(rootPath.count))
        } else if path + "/" == rootPath {
            relativeURL = ""
        } else {
            throw ODataError(
                .notFound, "Expected a URL below the service root.", at: .path(rootPath),
                status: 404)
        }
    }

    init(root: String, relativeURL: String) {
        self.root = root
        self.relativeURL = relativeURL
    }

    /// An address that a payload or a batch names: absolute, host-relative, or relative to the root.
    init(_ url: String, within parent: ServiceAddress, rootPath: String) throws {
        guard Self.authorityStart(url) != nil || url.hasPrefix("/") else {
            self.init(root: parent.root, relativeURL: url)
            return
        }
        let named = try ServiceAddress(
            RequestMessage(method: "GET", url: url), rootPath: rootPath)
        self.init(root: parent.root, relativeURL: named.relativeURL)
    }

    /// Where the authority of an absolute URL begins; nil for every other URL (a query may hold `://`, too).
    private static func authorityStart(_ url: String) -> String.Index? {
        // Looked at before each request: as bytes, of which the first tells as a rule.
        let end = url.utf8.firstIndex { byte in
            !((48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte))
        }
        guard let end, end > url.startIndex, url[end...].hasPrefix("://") else { return nil }
        return url.index(end, offsetBy: 3)
    }
}
