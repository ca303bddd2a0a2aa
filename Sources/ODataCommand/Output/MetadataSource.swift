import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire

/// Metadata documents from files and services.
enum MetadataSource {
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
    static func read(url: String, headers: HeaderFields) throws -> MetadataGraph {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let isDocument = path.hasSuffix("/$metadata")
        let root = try ServiceRoot(isDocument ? String(path.dropLast("$metadata".count)) : url)
        var configuration = ServiceConnection.Configuration()
        configuration.headers = headers
        configuration.credentials = root.credentials.map {
            .basic(user: $0.user, password: $0.password)
        }
        let connection = ServiceConnection(
            root: root.url, transport: AsyncHTTPTransport.shared, configuration: configuration)
        var request = RequestMessage(
            method: "GET", url: isDocument ? URLCredentials.separated(from: url).url : "$metadata")
        request.headers["Accept"] = "application/xml, application/json;q=0.5"
        let answer: ResponseMessage
        do {
            answer = try connection.exchange(request)
        } catch {
            throw CommandError.failed("\(root.url): \(CommandError(error).description)")
        }
        guard answer.isSuccess else {
            throw CommandError.failed("\(root.url): the service answered \(answer.status).")
        }
        return try parse(answer.body, of: root.url)
    }

    private static func parse(_ bytes: [UInt8], of place: String) throws -> MetadataGraph {
        do {
            return try CSDLReader.read(bytes)
        } catch let error as ODataError {
            throw CommandError.badInput("\(place): \(error)")
        }
    }
}
