import ODataModel
import ODataText
import ODataWire

/// Makes the proxy classes of a service from its metadata document: text in, files out, the same files for the same text.
package enum ProxyGenerator {
    /// Documents above this are refused; the text is part of the program that is generated.
    package static let maximumBytes = 16 << 20
    /// Types, sets and operations together.
    package static let maximumElements = 50_000

    /// What came of a document.
    package struct Output: Sendable {
        /// What the files are marked with.
        package var serviceName: String
        package var files: [GeneratedFile]
        /// Sentences about what was left out or looks wrong.
        package var notes: [String]
    }

    /// - Parameters:
    ///   - metadata: The service's document, XML or JSON.
    ///   - definitions: A document with what only the client knows (`Offline.ClientOnly`, `Offline.LocalDraft`), which
    ///     becomes part of the metadata that the classes carry.
    /// - Throws: `malformedText` and `invalidMetadata` for a document that is none, `limitExceeded` for one that is too
    ///   big, `usage` for names that are no identifiers.
    package static func generate(
        metadata: [UInt8], definitions: [UInt8]? = nil, options: GenerationOptions
    ) throws -> Output {
        try check(options)
        let (text, graph) = try document(metadata, definitions, options: options)
        var builder = ProxyModelBuilder(graph: graph, options: options)
        let model = builder.build()
        return Output(
            serviceName: options.serviceName,
            files: FileSet(model: model, metadata: text).files,
            notes: graph.diagnostics + builder.notes)
    }

    /// The text of a document, and what it says.
    static func document(
        _ metadata: [UInt8], _ definitions: [UInt8]? = nil, options: GenerationOptions
    ) throws -> (text: String, graph: MetadataGraph) {
        try checkPrefix(options)
        let text = try combined(metadata, definitions)
        let graph = try CSDLReader.read(Array(text.utf8), options: readerOptions)
        let count =
            graph.structures.count + graph.enumerations.count + graph.entitySets.count
            + graph.operations.count + graph.operationImports.count
        guard count <= maximumElements else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(maximumElements) types, sets and operations, found \(count).")
        }
        return (text, graph)
    }

    /// What the parser of the generated classes is told, so that what is read here is read there.
    private static var readerOptions: CSDLReader.Options {
        var options = CSDLReader.Options()
        options.allowsAnyName = true
        options.facetFindings = .none
        options.limits.maximumBytes = 2 * maximumBytes
        return options
    }

    private static func check(_ options: GenerationOptions) throws {
        guard SwiftName.isPlain(options.serviceName),
            !ReservedNames.types.contains(options.serviceName)
        else {
            throw ODataError(
                .usage,
                "Expected a service name of ASCII letters and digits that names no type of the library or of Swift."
            )
        }
        guard options.family != .legacy || options.provider == .any else {
            throw ODataError(
                .usage, "Expected any provider for the legacy family, whose service is generic.")
        }
    }

    private static func checkPrefix(_ options: GenerationOptions) throws {
        guard options.typePrefix.isEmpty || SwiftName.isPlain(options.typePrefix) else {
            throw ODataError(.usage, "Expected a type prefix of ASCII letters and digits.")
        }
    }

    private static func combined(_ metadata: [UInt8], _ definitions: [UInt8]?) throws -> String {
        let total = metadata.count + (definitions?.count ?? 0)
        guard total <= maximumBytes else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(maximumBytes) bytes of metadata, found \(total).")
        }
        let service = try text(metadata, "the service")
        guard let definitions else { return service }
        let client = try text(definitions, "the definitions")
        return try CombinedMetadata.text(
            service: try asXML(service), client: try asXML(client))
    }

    private static func text(_ bytes: [UInt8], _ owner: String) throws -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ODataError(.malformedText, "Expected UTF-8 in the metadata of \(owner).")
        }
        return text
    }

    /// Two documents become one as XML only.
    private static func asXML(_ text: String) throws -> String {
        let bytes = Array(text.utf8)
        guard CSDLReader.isJSON(bytes) else { return text }
        return CSDLWriter.xml(try CSDLReader.read(bytes, options: readerOptions))
    }
}
