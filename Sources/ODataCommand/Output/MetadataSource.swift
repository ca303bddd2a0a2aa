import ODataModel
import ODataQuery
import ODataText
import ODataSync
import ODataTransport
import ODataWire

/// Metadata documents from files and services.
enum MetadataSource {
    /// The bytes of the document behind a URL or in a file.
    static func bytes(_ place: String, headers: HeaderFields) throws -> [UInt8] {
        ServiceRoot.isURL(place)
            ? try fetched(place, headers: headers).bytes : try InputFile.bytes(place)
    }

    /// The document behind a URL or in a file.
    static func read(_ place: String, headers: HeaderFields = HeaderFields()) throws
        -> MetadataGraph
    {
        ServiceRoot.isURL(place)
            ? try read(url: place, headers: headers) : try read(file: place)
    }

    /// - Throws: bad input, with line and column where the document is not CSDL.
    static func read(file: String) throws -> MetadataGraph {
        try parse(try InputFile.bytes(file), of: file)
    }

    /// Asks the service; `url` is its root or the document itself.
    ///
    /// - Throws: a failed operation that names the URL; where there is no service, one that says so.
    static func read(url: String, headers: HeaderFields) throws -> MetadataGraph {
        let document = try fetched(url, headers: headers)
        return try parse(document.bytes, of: document.root)
    }

    private static func fetched(
        _ url: String, headers: HeaderFields
    ) throws -> (bytes: [UInt8], root: String) {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let isDocument = path.hasSuffix("/$metadata")
        let root = try ServiceRoot(isDocument ? String(path.dropLast("$metadata".count)) : url)
        var configuration = ServiceConnection.Configuration()
        configuration.headers = headers
        configuration.credentials = root.credentials.map {
            .basic(user: $0.user, password: $0.password)
        }
        let connection = ServiceConnection(
            root: root.url, transport: StandardTransport.shared, configuration: configuration)
        var loader = ServiceMetadataLoader(connection)
        loader.accept = "application/xml, application/json;q=0.5"
        if isDocument { loader.url = URLCredentials.separated(from: url).url }
        let source = try CommandError.operation { try loader.fetch() }
        return (source?.bytes ?? [], root.url)
    }

    private static func parse(_ bytes: [UInt8], of place: String) throws -> MetadataGraph {
        do {
            // A file is checked; of a service what it got wrong is left out.
            return try CSDLReader.read(
                bytes, options: ServiceRoot.isURL(place) ? .runningService : CSDLReader.Options())
        } catch let error as ODataError {
            throw CommandError.badInput("\(place): \(error)")
        }
    }
}
