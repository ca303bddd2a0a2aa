import ODataModel
import ODataQuery

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
    private var wholeExpansions: [(source: String, path: ExpressionPath, target: String)] {
        expand.flatMap { path, nested in
            let isWhole = nested.filter == nil && nested.limit == nil && nested.offset == nil
            return (isWhole ? [(set, path, nested.set)] : []) + nested.wholeExpansions
        }
    }

    /// The sets of which it brings all that its entities lead to.
    var broughtSets: Set<String> { Set(wholeExpansions.map(\.target)) }

    /// The navigation properties along which it brings all there is, as `Type/Property`.
    func links(in graph: MetadataGraph) -> Set<String> {
        Set(
            wholeExpansions.compactMap { source, path, _ in
                guard let id = graph.entitySet(named: source), let name = path.propertyNames?.first
                else { return nil }
                return graph[graph[id].type].name + "/" + name
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
        query.expand = options.expand
        let known = Set(expand.map(\.path))
        query.expand += selection.expand(in: graph).filter { !known.contains($0.path) }
        try QueryChecker.check(&query, graph: graph)
        return query
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
