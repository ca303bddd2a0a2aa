import ODataModel
import ODataQuery
import ODataText

/// The query as the value that writers, compilers and engines read.
extension DataQuery {
    /// The document that the query's set, type or operation belongs to.
    package final var model: MetadataModel? {
        target.entitySet?.model ?? target.entityType?.model ?? target.model
    }

    /// The dialect of the document's version; V4 when no document is known.
    package final var dialect: Dialect {
        model.map { Dialect.of($0.graph.version) } ?? .v4
    }

    /// The whole query, path and options, not checked against metadata.
    package final var query: Query {
        var query = options
        query.path = path
        for argument in target.operation?.arguments ?? [] where argument.isJSON {
            query.aliases[argument.name] = argument.value
        }
        query.select += defaultSelect
        if target.selectsKey, let type = entityType {
            for property in type.definition.key {
                let path = ExpressionPath(property.path)
                guard !query.select.contains(where: { $0.path == path }) else { continue }
                query.select.append(SelectTerm(path))
            }
        }
        query.nestSelections()
        return query
    }

    /// The set and key value of a query for one entity by its one key property with nothing else asked for; nil for
    /// any other query.
    package final var keyRead: (set: EntitySet, key: Scalar)? {
        guard hasPlainOptions, let set = target.entitySet, let entry = target.entityKey?.onlyValue,
            target.isKeyOnly, !set.selectsByDefault, set.onlyKey == entry.name,
            let scalar = entry.value.scalarValue()
        else { return nil }
        return (set, scalar)
    }

    /// What the set selects for queries of its entities that select nothing themselves.
    private var defaultSelect: [SelectTerm] {
        guard options.select.isEmpty, !options.selectsAll, options.apply.isEmpty,
            !target.selectsKey, !target.counts, !target.givesReferences,
            target.operation == nil, target.call == nil, target.binding == nil,
            target.propertyPath == nil, let set = target.entitySet
        else { return [] }
        return set.currentSettings.defaultSelect.map { SelectTerm($0.expressionPath) }
    }

    private var path: ResourcePath {
        var path = ResourcePath()
        if let binding = target.binding {
            path = BindingTarget.path(of: binding)
        } else if let set = target.entitySet, target.operation == nil {
            path.segments.append(.entitySet(set.localName))
        }
        if let operation = target.operation {
            path.segments.append(
                .operation(operation.name, operation.arguments.map(\.addressed)))
        }
        if let key = target.entityKey {
            path.segments.append(.key(key.keyValues))
        }
        if let type = target.derivedType {
            path.segments.append(.typeCast(type.qualifiedName))
        }
        if let property = target.propertyPath {
            for segment in property.expressionPath.segments {
                if case .property(let name) = segment { path.segments.append(.property(name)) }
                if case .typeCast(let name) = segment { path.segments.append(.typeCast(name)) }
                if case .key(let key) = segment { path.segments.append(.key(key)) }
            }
        }
        if target.counts {
            path.segments.append(.count)
        } else if target.givesReferences {
            path.segments.append(.ref)
        }
        return path
    }

    /// The query with typed literals, checked where the document is known; one made from ``url`` is parsed.
    ///
    /// - Throws: What `QueryChecker` and `URLParser` throw.
    package final func checkedQuery() throws -> Query {
        guard let url = target.url else { return try checked(query) }
        var query = try URLParser.parse(url, graph: model?.graph, dialect: dialect)
        query.pageSize = options.pageSize
        return try checked(query)
    }

    /// The query with typed literals, checked where the document is known.
    package final func checked(_ query: Query) throws -> Query {
        guard let graph = model?.graph else { return query }
        var query = query
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// True when ``query`` says all there is to say and the document is known.
    package final var isTyped: Bool { target.url == nil && model != nil }

    /// The URL relative to the service root, with literals of the types that the document says where it is known.
    package final func urlText() throws -> String {
        if let url = target.url { return url }
        let checked = (try? checkedQuery()) ?? query
        return try URLWriter.text(checked, graph: model?.graph, dialect: dialect)
    }

    /// Takes over a parsed query; the path is kept by its first set and key.
    package convenience init(_ query: Query, in document: CSDLDocument) {
        self.init()
        options = query
        options.path = ResourcePath()
        target.model = document.model
        if case .entitySet(let name)? = query.path.segments.first {
            target.entitySet = document.entitySet(named: name)
        }
    }
}

extension NamedArgument {
    /// True for collections and structures, which must not stand in a path (URL Conventions 4.01, section 5.1.1.14.2).
    fileprivate var isJSON: Bool { if case .json = value { true } else { false } }

    /// The argument as paths have it: collections and structures by an alias of its name.
    fileprivate var addressed: NamedArgument {
        isJSON ? NamedArgument(name: name, value: .alias(name)) : self
    }
}

extension DataQuery.Target {
    /// True when only the set, the type and the key may be named.
    fileprivate var isKeyOnly: Bool {
        derivedType == nil && propertyPath == nil && binding == nil && operation == nil
            && call == nil && !counts && !selectsKey && !tracksChanges && !isDelta && url == nil
    }
}

/// Where a bound operation starts.
enum BindingTarget {
    static func path(of binding: any BindingPath) -> ResourcePath {
        if let set = binding as? EntitySet {
            return ResourcePath([.entitySet(set.localName)])
        }
        if let path = binding as? DataPath, let names = path.expressionPath.propertyNames {
            return ResourcePath(
                names.enumerated().map { $0 == 0 ? .entitySet($1) : .property($1) })
        }
        guard let entity = binding as? EntityValue else { return ResourcePath() }
        var path = ResourcePath([.entitySet(entity.entitySet.localName)])
        let names = entity.entityType.definition.key.map(\.name)
        let values = entity.keyScalars.compactMap { $0 }
        if values.count == names.count, !values.isEmpty {
            path.segments.append(
                .key(
                    zip(names, values).map {
                        KeyValue(name: names.count == 1 ? nil : $0, value: .literal($1, nil))
                    }))
        }
        return path
    }
}

extension PropertyPath {
    /// The path as nested expansions, one for each navigation property on it; `options` apply to the last.
    final func expansion(
        _ options: NestedOptions, kind: ExpandTerm.Kind? = nil
    ) -> ExpandTerm {
        var groups: [[ExpressionPath.Segment]] = [[]]
        for segment in toPath().segments {
            if case .property(let property) = segment {
                groups[groups.count - 1].append(.property(property.name))
                if property.isNavigation { groups.append([]) }
            } else if case .dynamic(let name) = segment {
                groups[groups.count - 1].append(.property(name))
            } else if case .cast(let type) = segment {
                groups[groups.count - 1].append(.typeCast(type.qualifiedName))
            }
        }
        groups.removeAll(where: \.isEmpty)
        var item = ExpandTerm(
            ExpressionPath(groups.last ?? []), kind: kind ?? .entities, options: options)
        for group in groups.dropLast().reversed() {
            var outer = NestedOptions()
            outer.expand = [item]
            item = ExpandTerm(ExpressionPath(group), options: outer)
        }
        return item
    }
}

extension [ExpandTerm] {
    /// Adds an expansion; one of the same path takes over the options that are new.
    mutating func merge(_ item: ExpandTerm) {
        guard let position = firstIndex(where: { $0.path == item.path }) else {
            append(item)
            return
        }
        let nested = item.options.expand
        var options = item.options
        options.expand = []
        if !options.isEmpty {
            let known = self[position].options.expand
            self[position].options = options
            self[position].options.expand = known
        }
        for item in nested { self[position].options.expand.merge(item) }
    }
}

extension Query {
    /// Moves selections of an expanded entity's properties into its expansion.
    mutating func nestSelections() {
        guard !expand.isEmpty else { return }
        var kept: [SelectTerm] = []
        for item in select where !Self.place(item, in: &expand) { kept.append(item) }
        select = kept
    }

    private static func place(_ item: SelectTerm, in expand: inout [ExpandTerm]) -> Bool {
        for position in expand.indices {
            let prefix = expand[position].path.segments
            guard item.path.segments.starts(with: prefix),
                item.path.segments.count > prefix.count
            else { continue }
            var rest = item
            rest.path = ExpressionPath(Array(item.path.segments.dropFirst(prefix.count)))
            if !place(rest, in: &expand[position].options.expand) {
                expand[position].options.select.append(rest)
            }
            return true
        }
        return false
    }
}
