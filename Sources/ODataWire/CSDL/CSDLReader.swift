import ODataModel
import ODataText

/// Reads metadata documents: EDMX with CSDL of V2, V3, V4.0 and V4.01 as XML, and CSDL JSON, as one frozen graph.
///
/// Versions are told apart element by element, so documents that mix them read as well. What a running service got
/// wrong without making the rest of its model wrong (an element nobody knows, a property that is declared twice, a set
/// of a type of a document that is not followed) becomes a diagnostic; what leaves no model is an error with line and
/// column.
/// References are noted, and followed only through ``Options/fetch``.
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
        /// Geospatial types without a reference system are of a variable one.
        package var hasVariableSRIDByDefault = false
        /// Terms that no document read here declares become diagnostics.
        package var reportsUndefinedTerms = false
        /// Terms that no document read here declares are made up.
        package var resolvesUndefinedTerms = false
        /// Hears of each element before it is read, with its place.
        package var trace: (@Sendable (String) -> Void)?
        /// Which facets become diagnostics.
        package var facetFindings = FacetFindings.some
        /// Annotations that only servers need are left out.
        package var excludesServerOnly = false
        /// Navigation targets without an entity set get one.
        package var synthesizesTargetSets = false
        /// Brings the documents of references; without it none is followed.
        package var fetch: Fetch?
        /// Sets of types that are not there are left out, with a diagnostic, and are no error.
        package var leavesOutUndefinedSets = false

        /// As the metadata of a running service is read: what it got wrong does not keep the rest.
        package static var runningService: Options {
            var options = Options()
            options.leavesOutUndefinedSets = true
            return options
        }

        /// Decides about a reference by its URI, its namespace, and where the document was found that it is in; nil for the
        /// document that is read.
        package typealias Fetch =
            @Sendable (_ uri: String, _ namespace: String, _ base: String?) throws
            -> ReferenceAnswer

        /// Documents that references may bring in, and how deep; those that are not followed do not count.
        package var maximumReferences = 32

        package init() {}
    }

    /// Facets that do not fit their type: not reported, reported where values would be lost, or all reported.
    package enum FacetFindings: Sendable { case none, some, all }

    /// What ``Options/fetch`` says to a reference.
    package enum ReferenceAnswer: Sendable {
        /// - Parameter at: where it was found; what it refers to is relative to that.
        case document([UInt8], at: String)
        /// Not followed, and that is as it should be.
        case leftAside
        /// Not followed; a diagnostic says so.
        case notFollowed
    }

    // Hot: Language, LargeMetadata
    /// Reads a document.
    ///
    /// - Throws: `malformedText` when it is not XML, `invalidMetadata` when it is not CSDL, `limitExceeded`.
    package static func read(
        _ bytes: [UInt8], options: Options = Options()
    ) throws -> MetadataGraph {
        var builder = CSDLBuilder(options: options)
        try builder.build(bytes)
        return builder.graph
    }

    /// True when the text is JSON: its first character opens an object.
    package static func isJSON(_ bytes: [UInt8]) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
        return text.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
            == UInt8(ascii: "{")
    }
}

/// The state of one reading: the tree, the names it defines, and the graph that grows.
struct CSDLBuilder {
    let options: CSDLReader.Options
    var places = CSDLPlaces()
    var graph = MetadataGraph(version: .v4)
    var aliases: [String: String] = [:]
    var includedNamespaces: Set<String> = []
    /// The terms of annotations as they are resolved.
    var terms: [String: String] = [:]
    /// What each qualified type name stands for.
    var kinds: [String: TypeReference.Kind] = [:]
    var enumerationCount = 0
    /// A container has said that it is the default.
    var hasDefaultContainer = false
    var typeDefinitionIndex: [String: Int] = [:]
    var typeCache: [String: ResolvedType] = [:]
    var associations: [String: Association] = [:]
    /// Associations that name undefined types; they and what uses them are left out.
    var brokenAssociations: Set<String> = []
    var relationships: [Relationship] = []
    var associationSets: [AssociationSet] = []
    var pendingTargets: [PendingTarget] = []
    /// A property is marked as a concurrency token.
    var hasConcurrencyTokens = false
    /// The document says a facet.
    var hasFacets = false
    /// Those of the type that is being read.
    var propertyNames: Set<String> = []
    /// Types that count as not written.
    var leftOut: Set<XMLNode> = []
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

    init(options: CSDLReader.Options) {
        self.options = options
        for include in options.namespaces {
            includedNamespaces.insert(include.namespace)
            if let alias = include.alias { aliases[alias] = include.namespace }
        }
    }

    mutating func build(_ bytes: [UInt8]) throws {
        let root = try parse(bytes)
        var schemas = try findSchemas(root)
        guard !schemas.isEmpty else { throw error("Expected a Schema, found none.", root) }
        schemas += try followReferences()
        for schema in schemas { try collectAliases(schema) }
        leaveOutBaselessTypes(schemas)
        try readReferenceAnnotations(of: root)
        for schema in schemas { try collectNames(schema) }
        // What was resolved before all names were known may mean something else now.
        terms = [:]
        for schema in schemas { try readAssociations(schema) }
        for schema in schemas { try readSchema(schema) }
        try checkStructures()
        try applyTargets()
        alignImports()
        mapServiceAttributes()
        markConcurrencyTokens()
        pairNavigations()
        try graph.freeze()
        if options.resolvesUndefinedTerms { resolveUndefinedTerms() }
        bindAssociationSets()
        // A look at every property of a large model is one at memory that left the cache long ago.
        if hasConcurrencyTokens { annotateConcurrencyTokens() }
        if options.synthesizesTargetSets { synthesizeTargetSets() }
        if options.excludesServerOnly { removeServerOnlyAnnotations() }
        reportFindings()
    }

    /// The tree of a document in either form; what JSON says is put into the elements of XML.
    mutating func parse(_ bytes: [UInt8]) throws -> XMLNode {
        guard CSDLReader.isJSON(bytes) else {
            return traced(try places.add(bytes, limits: options.limits))
        }
        guard bytes.count <= options.limits.maximumBytes else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(options.limits.maximumBytes) bytes of metadata.")
        }
        let value = try JSONValue(parsing: bytes, limits: JSONLimits(depth: 100))
        var translation = try CSDLJSONTranslation(value)
        let root = try translation.document()
        return traced(places.add(root, paths: translation.paths))
    }

    /// Tells ``CSDLReader/Options/trace`` of the element and of all inside it, in the order of the document.
    private func traced(_ root: XMLNode) -> XMLNode {
        guard let trace = options.trace else { return root }
        var waiting = [root]
        while let element = waiting.popLast() {
            let name = element.attribute("Name") ?? element.attribute("Namespace")
            trace(
                "\(places.location(element.offset)): \(element.name.localName)"
                    + (name.map { " \($0)" } ?? ""))
            waiting += element.children.reversed()
        }
        return root
    }

    func error(_ message: String, _ element: XMLNode) -> ODataError {
        error(message, at: element.offset)
    }

    func error(_ message: String, at offset: Int) -> ODataError {
        ODataError(.invalidMetadata, message, at: places.location(offset))
    }

    mutating func diagnose(_ message: String, _ element: XMLNode) {
        guard graph.diagnostics.count < 1000 else { return }
        graph.diagnostics.append("\(places.location(element.offset)): \(message)")
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
    static let customaryAliases = [
        "Core": "Org.OData.Core.V1", "Capabilities": "Org.OData.Capabilities.V1",
        "Measures": "Org.OData.Measures.V1", "Validation": "Org.OData.Validation.V1",
        "Aggregation": "Org.OData.Aggregation.V1", "Authorization": "Org.OData.Authorization.V1",
        "Repeatability": "Org.OData.Repeatability.V1",
    ]
}
