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
/// undefined, and the sets of such types are left out.
struct MetadataReferences {
    private let connection: ServiceConnection
    private let url: String
    private let cancellation: CancellationFlag?

    /// - Parameter url: where the document was read, absolute.
    init(_ connection: ServiceConnection, url: String, cancellation: CancellationFlag?) {
        self.connection = connection
        self.url = url
        self.cancellation = cancellation
    }

    /// The document with the schemas that it needs from others; as it is where it needs none, or none could be had.
    ///
    /// - Throws: what the transport throws: a network that fails just now must not cost a store its sets.
    func resolved(_ bytes: [UInt8], options: CSDLReader.Options) throws -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard options.fetch == nil, !CSDLReader.isJSON(bytes), text.contains("Reference "),
            let graph = try? CSDLReader.read(bytes, options: options)
        else { return bytes }
        let used = Self.usedNames(in: text)
        let needed = Set(
            graph.references.flatMap(\.includes).filter {
                used.contains($0.namespace) || $0.alias.map(used.contains) ?? false
            }.map(\.namespace))
        guard !needed.isEmpty else { return bytes }
        let documents = FetchedDocuments(maximumRequests: Self.maximumRequests)
        var following = options
        following.maximumReferences = Self.maximumDocuments
        following.fetch = { uri, namespace in
            guard !namespace.hasPrefix("Org.OData.") else { return .leftAside }
            // What a document brought in refers to may be needed by it.
            guard needed.contains(namespace) || !documents.isEmpty else { return .leftAside }
            guard let target = URL(string: uri, relativeTo: URL(string: url))?.absoluteString,
                ServiceURL.isSameOrigin(target, as: connection.root)
            else { return .notFollowed }
            return try documents.document(at: target) { try fetch(target) }
                .map { .document($0) } ?? .notFollowed
        }
        let whole = try? CSDLReader.read(bytes, options: following)
        if let failure = documents.failure { throw failure }
        guard let whole, !documents.isEmpty else { return bytes }
        return Array(CSDLWriter.xml(whole).utf8)
    }

    /// Nil where the service does not give it.
    private func fetch(_ target: String) throws -> [UInt8]? {
        let answer = try connection.exchange(
            RequestMessage(
                method: "GET", url: target,
                headers: ["Accept": "application/xml", "OData-MaxVersion": "4.01"]),
            limit: Self.maximumBytes, cancellation: cancellation)
        guard answer.status == 200,
            ServiceMarks().origin(of: answer, to: .metadata) != .foreign
        else { return nil }
        return answer.body
    }

    /// The namespaces and aliases that types, base types and operations of a document are named with; terms and the types
    /// of records in annotations aside.
    static func usedNames(in text: String) -> Set<String> {
        var names: Set<String> = []
        for tag in text.utf8.split(separator: UInt8(ascii: "<")) {
            let tag = Substring(tag)
            let element = tag.prefix { $0.isLetter || $0 == ":" }
            guard elements.contains(String(element.split(separator: ":").last ?? "")) else {
                continue
            }
            for attribute in attributes {
                guard let found = tag.firstRange(of: attribute) else { continue }
                var value = tag[found.upperBound...].prefix { $0 != "\"" }
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
        " Type=\"", " EntityType=\"", " BaseType=\"", " UnderlyingType=\"", " Function=\"",
        " Action=\"", " Extends=\"",
    ]

    private static let maximumDocuments = 16
    /// Documents that are not there cost a request as well.
    private static let maximumRequests = 64
    private static let maximumBytes = 16 << 20
}

/// Documents by their URLs: one may declare several namespaces.
private final class FetchedDocuments: @unchecked Sendable {
    // Confined to the thread that reads the metadata.
    /// Nil for one that is not there.
    private var documents: [String: [UInt8]?] = [:]
    private let maximumRequests: Int
    /// Why one could not be asked for.
    private(set) var failure: ODataError?

    init(maximumRequests: Int) { self.maximumRequests = maximumRequests }

    var isEmpty: Bool { documents.values.allSatisfy { $0 == nil } }

    func document(at url: String, _ fetch: () throws -> [UInt8]?) throws -> [UInt8]? {
        if let known = documents[url] { return known }
        guard documents.count < maximumRequests else { return nil }
        do {
            let found = try fetch()
            documents.updateValue(found, forKey: url)
            return found
        } catch let error as ODataError {
            if [.network, .timeout, .cancelled].contains(error.code) { failure = error }
            throw error
        }
    }
}
