/// What reads the embedded metadata.
struct ParserWriter {
    let model: ProxyModel

    func write(_ writer: inout SourceWriter) {
        writer.line("/// Reads the metadata that the classes were made from.")
        writer.block("enum \(model.parser)") { writer in
            writer.line("/// Options of every reading of the service's metadata.")
            writer.line("static let options =")
            writer.line("    CSDLOption.processMixedVersions | CSDLOption.ignoreUndefinedTerms")
            writer.line("    | CSDLOption.allowCaseConflicts | CSDLOption.disableFacetWarnings")
            writer.line("    | CSDLOption.disableNameValidation")
            writer.line()
            writer.line("/// The document as it was when the classes were made.")
            writer.block("static let document: CSDLDocument =", tail: "}()") { writer in
                writer.line("let parser = CSDLParser()")
                writer.line("parser.logWarnings = false")
                writer.line("parser.csdlOptions = options")
                writer.line(
                    "let document = parser.parseInProxy(\(model.text).xml,"
                        + " url: \(SwiftText.literal(model.service)))")
                writer.line("\(model.factory).registerAll(in: document)")
                writer.line("document.hasGeneratedProxies = true")
                writer.line("document.proxyVersion = \(SwiftText.literal(Self.version))")
                writer.line("return document.immortalize()")
            }
        }
    }

    /// Goes up with what generated code looks like.
    private static let version = "1"
}

/// The embedded metadata.
struct TextWriter {
    let model: ProxyModel
    let metadata: String

    func write(_ writer: inout SourceWriter) {
        writer.line("/// The metadata that the classes were made from.")
        writer.line("enum \(model.text) {")
        writer.line("    static let xml = \(SwiftText.longLiteral(metadata))")
        writer.line("}")
    }
}
