import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataWire
import SAPCommon

/// Where metadata comes from before the service is asked: the text of the options, a file, or what was kept last time.
struct MetadataFiles {
    let service: ServiceOptions.Fields
    let name: String
    let folder: PrivateFolder
    let logger: Logger

    /// The file that metadata is kept in.
    var file: String { service.metadataFile ?? "~/Metadata/\(name).xml" }

    /// The document that is there already; nil when the service has to be asked.
    func stored() throws -> String? {
        if let text = service.metadataText { return text }
        guard service.metadataFile != nil || service.cacheMetadata,
            let bytes = try folder.read(file)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Keeps a document for the next start, where the options ask for that.
    func store(_ text: String) throws {
        guard service.cacheMetadata else { return }
        try folder.write(Array(text.utf8), to: file)
    }

    /// Parses a document as the options say; the text is kept with it.
    func document(_ text: String) throws -> CSDLDocument {
        let parser = CSDLParser()
        parser.csdlOptions = service.csdlOptions | CSDLOption.retainOriginalText
        parser.isOfRunningService = true
        parser.serviceName = name
        parser.csdlFetcher = service.csdlFetcher
        parser.logErrors = service.logErrors
        parser.logWarnings = service.logWarnings
        parser.log = { [logger, name] report in
            switch report {
            case .error(let text): logger.error("Metadata of \(name): \(text)")
            case .warning(let text): logger.info("Metadata of \(name): \(text)")
            case .trace(let text): logger.debug("Metadata of \(name): \(text)")
            }
        }
        for schema in service.includeSchemas ?? DataSchemaList() { parser.includeSchema(schema) }
        return try parser.parse(text, url: service.metadataURL ?? "$metadata")
    }
}
