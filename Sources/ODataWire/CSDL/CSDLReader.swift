import ODataModel
import ODataText

/// Reads metadata documents: EDMX with CSDL of V2, V3, V4.0 and V4.01 (XML), as one frozen graph.
///
/// Versions are told apart element by element, so documents that mix them read as well. Unknown elements and attributes
/// become diagnostics; what would make the model wrong is an error with line and column. References are noted and
/// never fetched.
package enum CSDLReader {
    /// What a caller may switch off or lend.
    package struct Options: Sendable {
        package var limits = XMLLimits(maximumBytes: 64 << 20)
        /// Names need not be CSDL identifiers.
        package var allowsAnyName = false
        package var ignoresAnnotations = false
        package var ignoresXMLAnnotations = false
        /// Decimals without a scale are of variable scale.
        package var hasVariableScaleByDefault = false
        /// Namespaces that documents may name without a reference.
        package var namespaces: [MetadataGraph.Reference.Include] = []

        package init() {}
    }

    /// Reads a document.
    ///
    /// - Throws: `malformedText` when it is not XML, `invalidMetadata` when it is not CSDL, `limitExceeded`.
    package static func read(
        _ bytes: [UInt8], options: Options = Options()
    ) throws -> MetadataGraph {
        let document = try XMLDocument(bytes, limits: options.limits)
        var builder = CSDLBuilder(document: document, options: options)
        try builder.build()
        return builder.graph
    }
}

/// The state of one reading: the tree, the names it defines, and the graph that grows.
struct CSDLBuilder {
    let document: XMLDocument
    let options: CSDLReader.Options
    var graph = MetadataGraph(version: .v4)
    var aliases: [String: String] = [:]
    var includedNamespaces: Set<String> = []
    /// What each qualified type name stands for.
    var kinds: [String: TypeReference.Kind] = [:]
    var enumerationCount = 0
    var typeDefinitionIndex: [String: Int] = [:]
    var typeCache: [String: ResolvedType] = [:]
    var associations: [String: Association] = [:]
    /// Associations that name undefined types; they and what uses them are left out.
    var brokenAssociations: Set<String> = []
    var relationships: [Relationship] = []
    var associationSets: [AssociationSet] = []
    var pendingTargets: [PendingTarget] = []
    /// Offsets of the elements that structures came from, for errors found later.
    var structureOffsets: [Int] = []

    struct ResolvedType {
        var kind: TypeReference.Kind
        var isCollection: Bool
        var typeDefinition: String?
        var facets = TypeFacetValues()
    }

    struct PendingTarget {
        var target: String
        var annotations: [AnnotationDefinition]
    }

    static let edmxNamespaces = [
        "http://docs.oasis-open.org/odata/ns/edmx",
        "http://schemas.microsoft.com/ado/2007/06/edmx",
    ]
    static let metadataNamespace =
        "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
    static let edmNamespaces = [
        "http://docs.oasis-open.org/odata/ns/edm",
        // Some services leave the namespace of schemas out.
        "",
        "http://schemas.microsoft.com/ado/2006/04/edm",
        "http://schemas.microsoft.com/ado/2007/05/edm",
        "http://schemas.microsoft.com/ado/2008/01/edm",
        "http://schemas.microsoft.com/ado/2008/09/edm",
        "http://schemas.microsoft.com/ado/2009/08/edm",
        "http://schemas.microsoft.com/ado/2009/11/edm",
    ]

    init(document: XMLDocument, options: CSDLReader.Options) {
        self.document = document
        self.options = options
        for include in options.namespaces {
            includedNamespaces.insert(include.namespace)
            if let alias = include.alias { aliases[alias] = include.namespace }
        }
    }

    mutating func build() throws {
        let schemas = try findSchemas()
        guard !schemas.isEmpty else { throw error("Expected a Schema, found none.", document.root) }
        for schema in schemas { try collectAliases(schema) }
        for schema in schemas { try collectNames(schema) }
        for schema in schemas { try readAssociations(schema) }
        for schema in schemas { try readSchema(schema) }
        try checkStructures()
        try applyTargets()
        markConcurrencyTokens()
        pairNavigations()
        try graph.freeze()
        bindAssociationSets()
    }

    func error(_ message: String, _ element: XMLElement) -> ODataError {
        error(message, at: element.offset)
    }

    func error(_ message: String, at offset: Int) -> ODataError {
        ODataError(.invalidMetadata, message, at: document.position(offset))
    }

    mutating func diagnose(_ message: String, _ element: XMLElement) {
        guard graph.diagnostics.count < 1000 else { return }
        graph.diagnostics.append("\(document.position(element.offset)): \(message)")
    }

    /// Replaces an alias in front of a name by the namespace it stands for.
    func unaliased(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
        let prefix = String(name[..<dot])
        if let namespace = aliases[prefix] { return namespace + name[dot...] }
        if kinds[name] != nil { return name }
        if let namespace = Self.customaryAliases[prefix] { return namespace + name[dot...] }
        if prefix == "Self", let schema = graph.schemas.first {
            return schema.namespace + name[dot...]
        }
        return name
    }

    /// What a type name stands for, aliases resolved; names without a schema are looked for in every schema.
    func kind(named name: String) -> (name: String, kind: TypeReference.Kind)? {
        let qualified = unaliased(name)
        if let kind = kinds[qualified] { return (qualified, kind) }
        guard !name.utf8.contains(UInt8(ascii: ".")) else { return nil }
        for schema in graph.schemas {
            let candidate = "\(schema.namespace).\(name)"
            if let kind = kinds[candidate] { return (candidate, kind) }
        }
        return nil
    }

    /// Aliases that documents use without declaring them.
    private static let customaryAliases = [
        "Core": "Org.OData.Core.V1", "Capabilities": "Org.OData.Capabilities.V1",
        "Measures": "Org.OData.Measures.V1", "Validation": "Org.OData.Validation.V1",
        "Aggregation": "Org.OData.Aggregation.V1", "Authorization": "Org.OData.Authorization.V1",
        "Repeatability": "Org.OData.Repeatability.V1",
    ]
}
