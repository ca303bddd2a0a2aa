import ODataModel
import ODataQuery
import ODataSyncPlan

/// What a query asks for, without its types.
struct QueryShape: Sendable {
    let set: String
    /// The qualified name of a type derived from that of the set; nil for all of it.
    var type: String?
    var filter: ODataQuery.Expression?
    /// Whether the filter compares with lists or complex values.
    var comparesWholes = false
    var orderBy: [OrderItem] = []
    var limit: Int?
    var offset: Int?
    /// Empty for whole entities.
    var select: [ODataQuery.Expression] = []
    var expand: [(path: ExpressionPath, shape: QueryShape)] = []

    init(set: String, type: String? = nil) {
        self.set = set
        self.type = type
    }

    init<E: Entity>(of entity: E.Type) { self.init(set: E.entitySet, type: E.typeName) }

    /// The names on the way to each of the selected properties.
    var selectedNames: [[String]] {
        select.map { expression in
            guard case .path(let path) = expression else { return [] }
            return path.propertyNames ?? []
        }
    }

    /// What it expands without conditions, at any depth.
    private var wholeExpansions: [(source: QueryShape, path: ExpressionPath, target: String)] {
        expand.flatMap { path, nested in
            let isWhole = nested.filter == nil && nested.limit == nil && nested.offset == nil
            return (isWhole ? [(self, path, nested.set)] : []) + nested.wholeExpansions
        }
    }

    /// The type of what it finds: of the set, of a table of contained entities, or the derived one that it asks for.
    private func type(in graph: MetadataGraph) -> StructureID? {
        type.map { graph.structure(named: $0) } ?? graph.declaredType(ofTable: set)
    }

    /// The sets of which it brings all that its entities lead to.
    var broughtSets: Set<String> { Set(wholeExpansions.map(\.target)) }

    /// The navigation properties along which it brings all there is, as `Type/Property`.
    func links(in graph: MetadataGraph) -> Set<String> {
        Set(
            wholeExpansions.compactMap { source, path, _ in
                guard let type = source.type(in: graph), let name = path.propertyNames?.first
                else { return nil }
                return graph[type].name + "/" + name
            })
    }

    /// The query as the engine takes it, checked against the metadata.
    ///
    /// - Throws: `unknownName` and `invalidQuery` for what does not fit, `notImplemented` for selected fields that are no
    ///   properties, and for comparisons with lists and complex values.
    func checked(
        in graph: MetadataGraph, applying steps: [Transformation] = []
    ) throws -> ODataQuery.Query {
        guard graph.entitySet(named: set) != nil else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found none of this name.",
                at: set)
        }
        var query = ODataQuery.Query(entitySet: set)
        if let type { query.path.segments.append(.typeCast(type)) }
        query.apply = steps
        let options = try options()
        query.filter = options.filter
        query.orderBy = options.orderBy
        query.top = options.top
        query.skip = options.skip
        let selection = try SelectedFieldTree(of: self, in: graph)
        query.select = selection.select(in: graph)
        query.expand = Self.merged(options.expand, selection.expand(in: graph))
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// What is expanded, and what selected fields need beside it; an expanded entity is whole already.
    private static func merged(_ expand: [ExpandTerm], _ selected: [ExpandTerm]) -> [ExpandTerm] {
        var expand = expand
        for term in selected {
            if let place = expand.firstIndex(where: { $0.path == term.path }) {
                expand[place].options.expand = merged(
                    expand[place].options.expand, term.options.expand)
            } else {
                expand.append(term)
            }
        }
        return expand
    }

    private func options() throws -> NestedOptions {
        guard !comparesWholes else {
            throw ODataError(
                .notImplemented, "Expected to compare with single values, found a whole one.",
                at: set)
        }
        var options = NestedOptions()
        options.filter = filter
        options.orderBy = orderBy
        options.top = limit
        options.skip = offset
        options.expand = try expand.map { ExpandTerm($0.path, options: try $0.shape.options()) }
        return options
    }
}
