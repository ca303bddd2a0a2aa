import Foundation
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Brings in the documents that metadata refers to (CSDL 4.01, section 4.1) where its types come from them: those of the
/// service's own origin, each asked for once, so many and so large at most. What is not brought in leaves its types
/// undefined, and the sets of such types are left out; types that were known before do not go in that way.
struct MetadataReferences {
    private let connection: ServiceConnection
    private let url: String
    private let known: String?
    private let cancellation: CancellationFlag?

    /// - Parameters:
    ///   - url: where the document was read, absolute.
    ///   - known: the service's metadata as it was read before, with the schemas that were brought in then.
    init(
        _ connection: ServiceConnection, url: String, known: String? = nil,
        cancellation: CancellationFlag?
    ) {
        self.connection = connection
        self.url = url
        self.known = known
        self.cancellation = cancellation
    }

    /// A document with the schemas that it needs from others.
    struct Resolution {
        var bytes: [UInt8]
        /// Documents that are gone and whose types are as they were known before.
        var kept: [String] = []
    }

    /// The document with the schemas that it needs from others; as it is where it needs none, or none could be had.
    ///
    /// - Throws: what the transport throws, and where a document of known types is neither given nor said to be gone, why:
    ///   what fails just now must not cost a store its sets.
    func resolved(_ bytes: [UInt8], options: CSDLReader.Options) throws -> Resolution {
        let bare = Resolution(bytes: bytes)
        guard options.fetch == nil, !CSDLReader.isJSON(bytes),
            String(decoding: bytes, as: UTF8.self).contains("Reference"),
            let graph = try? CSDLReader.read(bytes, options: options), !graph.references.isEmpty
        else { return bare }
        let used = try Self.usedNames(in: bytes, limits: options.limits)
        let needed = Set(
            graph.references.flatMap(\.includes).filter {
                used.contains($0.namespace) || $0.alias.map(used.contains) ?? false
            }.map(\.namespace))
        guard !needed.isEmpty else { return bare }
        let stored = known.flatMap { try? CSDLReader.read(Array($0.utf8), options: options) }
        let former = Set(stored?.schemas.map(\.namespace) ?? [])
            .subtracting(graph.schemas.map(\.namespace))
        let documents = FetchedDocuments(maximumRequests: Self.maximumRequests)
        var following = options
        following.maximumReferences = Self.maximumDocuments
        following.fetch = { uri, namespace, base in
            guard !namespace.hasPrefix("Org.OData.") else { return .leftAside }
            // What a document brought in refers to may be needed by it.
            guard needed.contains(namespace) || !documents.isEmpty else { return .leftAside }
            guard
                let target = URL(string: uri, relativeTo: URL(string: base ?? url))?.absoluteString,
                ServiceURL.isSameOrigin(target, as: connection.root)
            else { return .notFollowed }
            switch try documents.document(at: target, { try fetch(target) }) {
            case .found(let bytes): return .document(bytes, at: target)
            // Without a network nothing is to be had; else what is known stays, so that one document keeps no set back.
            case .failed(let error)
            where former.contains(namespace) && Self.isUnanswered(error):
                throw documents.fail(error)
            case .gone where former.contains(namespace), .failed where former.contains(namespace):
                guard let stored else { return .notFollowed }
                return documents.keep(
                    Self.document(stored, at: target, naming: former), at: target)
            case .gone, .failed, .notAsked: return .notFollowed
            }
        }
        do {
            let whole = try CSDLReader.read(bytes, options: following)
            if let failure = documents.failure { throw failure }
            guard !documents.isEmpty else { return bare }
            return Resolution(bytes: Array(CSDLWriter.xml(whole).utf8), kept: documents.kept)
        } catch {
            if let failure = documents.failure { throw failure }
            guard former.isDisjoint(with: needed) else { throw error }
            return bare
        }
    }

    private static func isUnanswered(_ error: any Error) -> Bool {
        guard let error = error as? ODataError else { return true }
        let codes: [ODataError.Code] = [.network, .timeout, .cancelled]
        return codes.contains(error.code) && !(error.underlying is ForeignPage)
    }

    /// Known schemas as a document that brings in each of them.
    private static func document(
        _ stored: MetadataGraph, at url: String, naming namespaces: Set<String>
    ) -> [UInt8] {
        var graph = stored
        var reference = MetadataGraph.Reference(uri: url)
        reference.includes = namespaces.sorted().map { .init(namespace: $0) }
        graph.references = [reference]
        return Array(CSDLWriter.xml(graph).utf8)
    }

    /// What the service gives at a URL. That there is nothing is said by 404 and 410 alone: anything else may be so just now.
    private func fetch(_ target: String) throws -> FetchedDocument {
        let answer = try connection.exchange(
            RequestMessage(
                method: "GET", url: target,
                headers: ["Accept": "application/xml", "OData-MaxVersion": "4.01"]),
            limit: Self.maximumBytes, cancellation: cancellation)
        if [404, 410].contains(answer.status) { return .gone }
        guard answer.status == 200 || ServiceMarks().origin(of: answer, to: .metadata) == .service
        else { return .failed(ForeignAnswer.error(answer, of: target)) }
        guard answer.status == 200 else {
            return .failed(ErrorPayload(answer).error(status: answer.status).during(target))
        }
        guard Self.isDocument(answer) else {
            return .failed(ForeignAnswer.error(answer, of: target))
        }
        return .found(answer.body)
    }

    /// Metadata by its marks and its outermost element.
    private static func isDocument(_ answer: ResponseMessage) -> Bool {
        guard ServiceMarks().origin(of: answer, to: .metadata) != .foreign else { return false }
        guard !CSDLReader.isJSON(answer.body) else { return true }
        let limits = XMLLimits(maximumBytes: maximumBytes)
        let root = try? XMLDocument(answer.body, limits: limits).root.name.localName
        return root == "Edmx" || root == "Schema"
    }

    /// The namespaces and aliases that types, base types and operations of a document are named with; terms and the types
    /// of records in annotations aside.
    private static func usedNames(in bytes: [UInt8], limits: XMLLimits) throws -> Set<String> {
        var names: Set<String> = []
        var waiting = [try XMLDocument(bytes, limits: limits).root]
        while let element = waiting.popLast() {
            waiting += element.children
            guard elements.contains(element.name.localName) else { continue }
            for attribute in attributes {
                guard var value = element.attribute(attribute)?[...] else { continue }
                if value.hasPrefix("Collection(") { value = value.dropFirst(11) }
                guard let dot = value.lastIndex(of: ".") else { continue }
                names.insert(String(value[..<dot]))
            }
        }
        return names
    }

    private static let elements: Set<String> = [
        "Property", "NavigationProperty", "EntityType", "ComplexType", "EnumType",
        "TypeDefinition", "EntitySet", "Singleton", "Parameter", "ReturnType", "FunctionImport",
        "ActionImport", "EntityContainer", "Term",
    ]
    private static let attributes = [
        "Type", "EntityType", "BaseType", "UnderlyingType", "Function", "Action", "Extends",
    ]

    private static let maximumDocuments = 16
    /// Documents that are not there cost a request as well.
    private static let maximumRequests = 64
    private static let maximumBytes = 16 << 20
}

/// What is known of a document at a URL.
private enum FetchedDocument {
    case found([UInt8])
    /// The service says that there is none.
    case gone
    /// Nobody knows whether there is one.
    case failed(any Error)
    case notAsked
}

/// Documents by their URLs: one may declare several namespaces.
private final class FetchedDocuments: @unchecked Sendable {
    // Confined to the thread that reads the metadata.
    private var documents: [String: FetchedDocument] = [:]
    private let maximumRequests: Int
    /// Why the metadata cannot be read now.
    private(set) var failure: (any Error)?
    /// Where documents were whose types are taken from what was known.
    private(set) var kept: [String] = []
    private(set) var isEmpty = true

    init(maximumRequests: Int) { self.maximumRequests = maximumRequests }

    /// - Throws: a network that fails, or the end that was asked for.
    func document(
        at url: String, _ fetch: () throws -> FetchedDocument
    ) throws -> FetchedDocument {
        if let known = documents[url] { return known }
        guard documents.count < maximumRequests else { return .notAsked }
        let found: FetchedDocument
        do {
            found = try fetch()
        } catch let error as ODataError
            where [.network, .timeout, .cancelled].contains(error.code)
        {
            throw fail(error)
        } catch {
            found = .failed(error)
        }
        if case .found = found { isEmpty = false }
        documents[url] = found
        return found
    }

    func fail(_ error: any Error) -> any Error {
        failure = error
        return error
    }

    func keep(_ bytes: [UInt8], at url: String) -> CSDLReader.ReferenceAnswer {
        isEmpty = false
        if !kept.contains(url) { kept.append(url) }
        return .document(bytes, at: url)
    }
}
