import ODataModel
import ODataText

/// System query options as text (URL Conventions 4.01, section 5.1.2 and following).
struct OptionsWriter {
    let graph: MetadataGraph?
    let dialect: Dialect
    /// Values written in the place of parameter aliases; nil writes aliases as such.
    var inlined: [String: Expression]?
    /// As ``ExpressionWriter/keepsTypes``.
    var keepsTypes = false

    /// `$name=value` for each option that is set, in the order filter, order, page, count, select, expand, the rest.
    func shared(_ options: NestedOptions, isNested: Bool = false) throws -> [String] {
        var parts: [String] = []
        if let filter = options.filter { parts.append("$filter=\(try encoded(filter))") }
        if !options.orderBy.isEmpty {
            parts.append("$orderby=\(try orderText(options.orderBy))")
        }
        if let skip = options.skip { parts.append("$skip=\(skip)") }
        if let top = options.top { parts.append("$top=\(top)") }
        if options.includesCount { parts.append("$count=true") }
        let select = (options.selectsAll ? ["*"] : []) + (try options.select.map(selectText))
        if !select.isEmpty { parts.append("$select=\(select.joined(separator: ","))") }
        if !options.expand.isEmpty {
            let items = try options.expand.map(expandText)
            parts.append("$expand=\(items.joined(separator: ","))")
        }
        if let search = options.search {
            parts.append("$search=\(text { $0.write(search: search) })")
        }
        if !options.compute.isEmpty {
            let items = try options.compute.map { item in
                try text { try $0.write(compute: item) }
            }
            parts.append("$compute=\(items.joined(separator: ","))")
        }
        if !options.apply.isEmpty {
            parts.append("$apply=\(try text { try $0.write(apply: options.apply) })")
        }
        parts += try options.period.map { "\($0.kind.rawValue)=\(try encoded($0.value))" }
        if let levels = options.levels {
            parts.append("$levels=\(levels == Int.max ? "max" : String(levels))")
        }
        if isNested, inlined == nil { parts += try aliases(options.aliases) }
        return parts
    }

    func aliases(_ aliases: [String: Expression]) throws -> [String] {
        try aliases.sorted { $0.key < $1.key }.map {
            "@\(PercentCoding.encode($0.key, for: .query))=\(try encoded($0.value))"
        }
    }

    private func orderText(_ items: [OrderItem]) throws -> String {
        try items.map { item in try text { try $0.write(order: item) } }.joined(separator: ",")
    }

    private func text(_ write: (inout ExpressionWriter) throws -> Void) rethrows -> String {
        var writer = ExpressionWriter(
            graph: graph, dialect: dialect, encoding: .query, inlining: inlined ?? [:])
        writer.keepsTypes = keepsTypes
        try write(&writer)
        return writer.output
    }

    private func encoded(_ expression: Expression) throws -> String {
        try text { try $0.write(expression) }
    }

    private func pathText(_ path: ExpressionPath) throws -> String {
        try text { try $0.write(path) }
    }

    private func selectText(_ item: SelectTerm) throws -> String {
        var path = item.path
        var signature = ""
        if case .function(let name, let parameters)? = path.segments.last {
            path.segments[path.segments.count - 1] = .typeCast(name)
            signature = "(\(parameters.map(\.name).joined(separator: ",")))"
        }
        return try pathText(path) + signature + nested(item.options ?? NestedOptions())
    }

    private func expandText(_ item: ExpandTerm) throws -> String {
        var text = item.path.segments.isEmpty ? "" : try pathText(item.path)
        if item.isStar { text += text.isEmpty ? "*" : "/*" }
        switch item.kind {
        case .entities: break
        case .references: text += "/$ref"
        case .count: text += "/$count"
        }
        return text + (try nested(item.options))
    }

    private func nested(_ options: NestedOptions) throws -> String {
        var writer = self
        writer.inlined?.merge(options.aliases) { $1 }
        let parts = try writer.shared(options, isNested: true)
        return parts.isEmpty ? "" : "(\(parts.joined(separator: ";")))"
    }

    // MARK: V2

    /// The options of V2: nested expansion and selection as paths, `$inlinecount` and a custom `search`.
    func sharedAsPaths(_ query: Query) throws -> [String] {
        try checkPathsSuffice(query.expand)
        for (name, isUsed) in [
            ("$compute", !query.compute.isEmpty), ("$apply", !query.apply.isEmpty),
            ("$at, $from or $to", !query.period.isEmpty),
        ]
        where isUsed {
            throw ODataError(.invalidQuery, "Expected no \(name): OData V2 has none.")
        }
        var plain = NestedOptions(query)
        plain.select = []
        plain.selectsAll = false
        plain.expand = []
        plain.includesCount = false
        plain.search = nil
        var parts = try shared(plain)
        if query.includesCount { parts.append("$inlinecount=allpages") }
        let select = PathExpansion.selectPaths(
            query.select, selectsAll: query.selectsAll, query.expand)
        if !select.isEmpty { parts.append("$select=\(joined(select))") }
        let expand = PathExpansion.expandPaths(query.expand)
        if !expand.isEmpty { parts.append("$expand=\(joined(expand))") }
        if let search = query.search {
            parts.append("search=\(PercentCoding.encode(search.plainText, for: .query))")
        }
        return parts
    }

    private func joined(_ paths: [[String]]) -> String {
        paths.map { names in
            names.map { PercentCoding.encode($0, for: .query) }.joined(separator: "/")
        }.joined(separator: ",")
    }

    private func checkPathsSuffice(_ items: [ExpandTerm]) throws {
        for item in items {
            var options = item.options
            options.select = []
            options.selectsAll = false
            options.expand = []
            guard options.isEmpty, item.kind == .entities, !item.isStar,
                item.path.propertyNames != nil
            else {
                throw ODataError(
                    .invalidQuery,
                    "Expected only $select and $expand inside $expand: OData V2 has no other.",
                    at: .path(item.path.propertyNames?.joined(separator: "/") ?? "$expand"))
            }
            try checkPathsSuffice(item.options.expand)
        }
    }
}
