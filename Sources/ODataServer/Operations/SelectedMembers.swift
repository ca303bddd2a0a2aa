import ODataModel
import ODataQuery
import ODataText

/// Options inside `$select` that leave out and order members of collections (URL Conventions 4.01, section 5.1.4.1).
///
/// They are met behind the read: a collection is one value of its row.
struct SelectedMembers {
    private typealias Term = (path: [String], options: NestedOptions)

    private let graph: MetadataGraph
    private let evaluator: ExpressionEvaluator
    private let terms: [Term]

    init(_ query: Query, graph: MetadataGraph) {
        self.graph = graph
        var evaluator = ExpressionEvaluator(graph: graph)
        evaluator.aliases = query.aliases
        self.evaluator = evaluator
        terms = Self.terms(query.select, below: [])
    }

    private static func terms(_ items: [SelectTerm], below path: [String]) -> [Term] {
        items.flatMap { item -> [Term] in
            guard let options = item.options, let names = item.path.propertyNames else { return [] }
            let own: [Term] = options.narrows ? [(path + names, options)] : []
            return own + terms(options.select, below: path + names)
        }
    }

    /// The row with the members of its collections that are selected, in the order asked for.
    func applied(to row: StructureValue) throws -> StructureValue {
        try terms.reduce(row) { try applied($1.options, at: $1.path[...], to: $0) }
    }

    private func applied(
        _ options: NestedOptions, at path: ArraySlice<String>, to row: StructureValue
    ) throws -> StructureValue {
        guard let name = path.first, let slot = graph[row.type].slot(named: name),
            row.slots.indices.contains(slot)
        else { return row }
        var row = row
        switch row.slots[slot] {
        case .list(let members)? where path.count == 1:
            row.slots[slot] = .list(try narrowed(members, options))
        case .structure(let inner)? where path.count > 1:
            row.slots[slot] = .structure(try applied(options, at: path.dropFirst(), to: inner))
        case .scalar(.null)?, nil: break
        default:
            throw ODataError(
                .invalidQuery, "Expected a collection for options of $select that narrow it.",
                at: .path(name), status: 400)
        }
        return row
    }

    private func narrowed(
        _ members: [ODataValue], _ options: NestedOptions
    ) throws -> [ODataValue] {
        var evaluator = evaluator
        evaluator.aliases.merge(options.aliases) { $1 }
        var kept = members
        if let filter = options.filter {
            kept = try kept.filter {
                try evaluator.evaluate(filter, for: $0) == .scalar(.boolean(true))
            }
        }
        if !options.orderBy.isEmpty {
            let keyed = try kept.enumerated().map { position, member in
                (
                    position, member,
                    try options.orderBy.map {
                        try evaluator.evaluate($0.expression, for: member).scalar ?? .null
                    }
                )
            }
            kept = keyed.sorted { first, second in
                ListEvaluator.isOrdered(first.2, second.2, options.orderBy)
                    ?? (first.0 < second.0)
            }.map(\.1)
        }
        if let skip = options.skip { kept.removeFirst(min(skip, kept.count)) }
        if let top = options.top { kept.removeLast(max(0, kept.count - top)) }
        return kept
    }
}

extension SelectedMembers {
    /// - Throws: 501 for options inside `$select` that are not carried out, and where none is.
    static func check(_ query: Query) throws {
        try check(query.select, mayNarrow: query.apply.isEmpty && query.compute.isEmpty)
        try check(query.expand)
    }

    private static func check(_ items: [ExpandTerm]) throws {
        for item in items {
            try check(item.options.select, mayNarrow: false)
            try check(item.options.expand)
        }
    }

    private static func check(_ items: [SelectTerm], mayNarrow: Bool) throws {
        for case let options? in items.map(\.options) {
            let refused = [
                options.search.map { _ in "$search" }, options.includesCount ? "$count" : nil,
                options.compute.isEmpty ? nil : "$compute", options.apply.isEmpty ? nil : "$apply",
                options.expand.isEmpty ? nil : "$expand", options.levels.map { _ in "$levels" },
                !mayNarrow && options.narrows ? "$filter, $orderby, $top or $skip" : nil,
            ].compactMap { $0 }
            if let name = refused.first {
                throw ODataError(
                    .notImplemented, "The service does not support \(name) inside this $select.",
                    status: 501)
            }
            try check(options.select, mayNarrow: mayNarrow)
        }
    }
}

extension NestedOptions {
    /// True where members of a collection are left out or ordered.
    fileprivate var narrows: Bool {
        filter != nil || !orderBy.isEmpty || top != nil || skip != nil
    }
}
