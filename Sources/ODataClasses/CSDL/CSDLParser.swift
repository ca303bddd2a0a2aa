import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Parses metadata documents of OData 2.0 to 4.01, as XML or JSON. One parser is used for one document by one thread.
open class CSDLParser: ObjectBase, @unchecked Sendable {
    // Confined: one thread uses a parser, as callers promise.
    private final var namespaces: [MetadataGraph.Reference.Include] = []

    /// Whether the document is that of a running service: what it got wrong does not keep the rest.
    package final var isOfRunningService = false

    /// ``CSDLOption`` bits.
    open var csdlOptions = 0
    /// Whether findings that do not stop the parser are worth reporting; they are part of the document in any case.
    open var logWarnings = true
    /// Whether errors are worth reporting beside being thrown.
    open var logErrors = true
    /// Whether requests for references are worth reporting.
    open var traceRequests = false
    /// Decides about references and brings the documents; without one they are noted only.
    open var csdlFetcher: CSDLFetcher?
    /// The name of the service that the document is of, for reports.
    open var serviceName: String?
    /// Leaves out elements that only servers need.
    open var excludeServerOnly = false

    /// Where reports go that no subclass takes.
    package final var log: (@Sendable (Report) -> Void)?

    /// One thing that a parser reports.
    package enum Report: Sendable {
        case error(String)
        case warning(String)
        case trace(String)
    }

    /// Creates a parser with default options.
    public override init() { super.init() }

    // MARK: Reports

    /// Takes the sentence about an error that is about to be thrown; asked while ``logErrors`` is on. Providers hand it to
    /// their log.
    open func logError(_ message: String) { log?(.error(message)) }

    /// Takes the sentence about something strange that was read all the same; asked while ``logWarnings`` is on.
    open func logWarning(_ message: String) { log?(.warning(message)) }

    /// Takes what is traced: elements with ``CSDLOption/traceParsingOfElements``, requests with ``traceRequests``.
    open func logTrace(_ message: String) { log?(.trace(message)) }

    /// Parses a document; `url` says in reports where it came from.
    ///
    /// - Throws: `CSDLError` when the text is not well-formed XML or not CSDL; its message names line and column.
    open func parse(_ text: String, url: String) throws -> CSDLDocument {
        let file = fileName(url)
        do {
            let result = try document(text, url)
            if logWarnings, !has(CSDLOption.disableLoggingOfWarnings) {
                for finding in result.graph.diagnostics.prefix(Self.maximumReports) {
                    logWarning("\(file): \(finding)")
                }
            }
            return result
        } catch {
            if logErrors, !has(CSDLOption.disableLoggingOfErrors) {
                logError("\(file): \(error)")
            }
            throw CSDLError(message: "\(error)", cause: error)
        }
    }

    private static let maximumReports = 20

    /// How reports name the document: without what a URL may say behind its path, since that may be secret.
    private final func fileName(_ url: String) -> String {
        let place = url.prefix { $0 != "?" && $0 != "#" }
        guard has(CSDLOption.logWithUnqualifiedFileNames) else { return String(place) }
        return place.split(separator: "/").last.map(String.init) ?? String(place)
    }

    private final func document(_ text: String, _ url: String) throws -> CSDLDocument {
        let source = Array(text.utf8)
        let expanded = try CompressedMetadata.expanded(source)
        let graph = try CSDLReader.read(expanded ?? source, options: readerOptions(url))
        var resolved: String?
        if has(CSDLOption.retainResolvedText) {
            resolved =
                csdlFetcher != nil
                ? CSDLWriter.xml(graph) : String(decoding: expanded ?? source, as: UTF8.self)
        }
        return CSDLDocument(
            graph: graph,
            originalText: has(CSDLOption.retainOriginalText) ? text : nil,
            resolvedText: resolved)
    }

    /// Parses the text that generated proxy classes carry. Text that does not parse is a programming error and traps.
    open func parseInProxy(_ text: String, url: String) -> CSDLDocument {
        do {
            return try parse(text, url: url)
        } catch {
            preconditionFailure("Expected metadata of generated classes to parse: \(error)")
        }
    }

    /// Makes a namespace known that the document names without declaring it; its types are untyped.
    open func includeNamespace(_ namespace: String, alias: String? = nil) {
        namespaces.append(.init(namespace: namespace, alias: alias))
    }

    /// Makes a namespace known as a reference to `uri` would; see ``includeNamespace(_:alias:)``.
    open func includeReference(_ uri: String, _ namespace: String, alias: String? = nil) {
        includeNamespace(namespace, alias: alias)
    }

    /// Makes the namespace and alias of a schema known; see ``includeNamespace(_:alias:)``.
    open func includeSchema(_ schema: DataSchema) {
        includeNamespace(schema.namespace, alias: schema.alias)
    }

    private final func has(_ option: Int) -> Bool { csdlOptions & option != 0 }

    private final func readerOptions(_ url: String) -> CSDLReader.Options {
        var options = isOfRunningService ? .runningService : CSDLReader.Options()
        options.allowsAnyName = has(CSDLOption.disableNameValidation)
        options.ignoresAnnotations = has(CSDLOption.ignoreEdmAnnotations)
        options.ignoresXMLAnnotations = has(CSDLOption.ignoreXmlAnnotations)
        options.hasVariableScaleByDefault = has(CSDLOption.defaultVariableScale)
        options.namespaces = namespaces
        options.hasVariableSRIDByDefault = has(CSDLOption.defaultVariableSrid)
        options.reportsUndefinedTerms =
            has(CSDLOption.warnAboutUndefinedTerms) && !has(CSDLOption.ignoreUndefinedTerms)
        options.resolvesUndefinedTerms = has(CSDLOption.resolveUndefinedTerms)
        if has(CSDLOption.traceParsingOfElements) {
            let file = fileName(url)
            options.trace = { [self] in logTrace("\(file): \($0)") }
        }
        options.facetFindings =
            has(CSDLOption.disableFacetWarnings)
            ? .none : has(CSDLOption.strictFacetWarnings) ? .all : .some
        options.excludesServerOnly =
            excludeServerOnly || has(CSDLOption.excludeServerOnlyElements)
        options.synthesizesTargetSets = has(CSDLOption.synthesizeTargetSets)
        if let csdlFetcher {
            let bits = csdlOptions
            options.fetch = { [self] uri, namespace, base in
                if traceRequests { logTrace("\(fileName(url)): Reference \(fileName(uri))") }
                return try Self.follow(uri, namespace, from: base ?? url, bits, csdlFetcher)
            }
        }
        return options
    }

    /// Asks the fetcher about a reference that the options do not leave aside.
    private static func follow(
        _ uri: String, _ namespace: String, from url: String, _ options: Int,
        _ fetcher: CSDLFetcher
    ) throws -> CSDLReader.ReferenceAnswer {
        let base = URL(string: url)
        let target = URL(string: uri, relativeTo: base)
        let isStandard = namespace.hasPrefix("Org.OData.")
        let isExternal = target?.host != base?.host
        let bit =
            isStandard
            ? CSDLOption.ignoreStandardReferences
            : isExternal
                ? CSDLOption.ignoreExternalReferences : CSDLOption.ignoreInternalReferences
        guard options & bit == 0 else { return .leftAside }
        let address = target?.absoluteString ?? uri
        guard fetcher.accept(address, namespace) else {
            return fetcher.ignore(address, namespace) ? .leftAside : .notFollowed
        }
        return .document(Array(try fetcher.fetch(address, namespace).utf8), at: address)
    }
}
