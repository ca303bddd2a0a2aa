import ODataModel
import ODataQuery

/// What a query selects and expands, item by item, and how it shapes expanded entities.
extension DataQuery {
    /// What is selected; empty when nothing was named.
    public final var selectItems: SelectItemList {
        get {
            SelectItemList.fromArray(
                options.select.map {
                    SelectItem(DataPath.of($0.path, in: entityType), options: $0.options)
                })
        }
        set { options.select = newValue.map(\.term) }
    }

    /// What is expanded.
    public final var expandItems: ExpandItemList {
        get {
            ExpandItemList.fromArray(
                options.expand.map { term in
                    let query = DataQuery(term.options)
                    query.target.model = model
                    let path = DataPath.of(term.path, in: entityType)
                    if let type = (path.dataType.itemType ?? path.dataType) as? EntityType {
                        query.entityType = type
                    }
                    return ExpandItem(
                        path, term.options.isEmpty ? nil : query, kind: term.kind)
                })
        }
        set {
            options.expand = []
            for item in newValue { options.expand.merge(item.term) }
        }
    }

    /// A query for expanded entities that are shaped so.
    package convenience init(_ nested: NestedOptions) {
        self.init()
        options.take(nested)
        target.levels = nested.levels
    }

    /// The query as the options of an expand item.
    package final var nestedOptions: NestedOptions {
        var nested = NestedOptions(query)
        nested.levels = target.levels
        nested.aliases = options.aliases
        return nested
    }

    /// What an expand item gives that this query shapes.
    final var expandKind: ExpandTerm.Kind {
        target.counts ? .count : target.givesReferences ? .references : .entities
    }

    /// How often an expansion is repeated at what it leads to (`$levels`); `Int.max` for as often as it goes, nil for
    /// once. Only for queries that shape expanded entities.
    public final var levelCount: Int? {
        get { target.levels }
        set { target.levels = newValue.map { max(0, $0) } }
    }

    /// Repeats the expansion that this query shapes; `Int.max` for as often as it goes.
    @discardableResult
    public final func levels(_ count: Int) -> DataQuery {
        levelCount = count
        return self
    }

    /// True when links are asked for in place of what they lead to (`$ref`).
    public final var referencesOnly: Bool {
        get { target.givesReferences }
        set { target.givesReferences = newValue }
    }
}

extension Query {
    /// Takes over the options that a query shares with expand items.
    mutating func take(_ nested: NestedOptions) {
        filter = nested.filter
        orderBy = nested.orderBy
        skip = nested.skip
        top = nested.top
        select = nested.select
        selectsAll = nested.selectsAll
        expand = nested.expand
        includesCount = nested.includesCount
        search = nested.search
        compute = nested.compute
        apply = nested.apply
        period = nested.period
        aliases = nested.aliases
    }
}

extension DataPath {
    /// The path that an expression names, with the properties that the type declares.
    package static func of(_ path: ExpressionPath, in type: StructureType?) -> DataPath {
        var segments: [Segment] = []
        var current = type
        switch path.root {
        case .it: break
        case .this: segments.append(.lambda("$this"))
        case .these: segments.append(.lambda("$these"))
        case .root: segments.append(.lambda("$root"))
        case .variable(let name): segments.append(.lambda(name))
        }
        if path.root != .it { current = nil }
        for segment in path.segments {
            switch segment {
            case .property(let name):
                guard let property = current?.property(named: name) else {
                    segments.append(.dynamic(name))
                    current = nil
                    continue
                }
                segments.append(.property(property))
                current = (property.dataType.itemType ?? property.dataType) as? StructureType
            case .typeCast(let name):
                guard let model = current?.model, let id = model.graph.structure(named: name)
                else {
                    segments.append(.dynamic(name))
                    current = nil
                    continue
                }
                current = model[id]
                segments.append(.cast(model[id]))
            case .key(let values):
                segments.append(.key(EntityKey(values)))
            case .function(let name, _), .annotation(let name):
                segments.append(.dynamic(name))
                current = nil
            case .filter:
                current = nil
            }
        }
        return DataPath(segments)
    }
}

extension EntityKey {
    /// The key of literal values; a single value without a name stands under an empty one.
    package convenience init(_ values: [KeyValue]) {
        self.init()
        for value in values {
            guard case .literal(let scalar, let type) = value.value else { continue }
            with(
                name: value.name ?? "",
                value: DataValue.of(scalar, type ?? scalar.naturalType ?? .untyped))
        }
    }

    /// The key as paths write it; a single value stands without its name.
    package final var keyValues: [KeyValue] {
        let isSingle = map.size == 1
        return map.entries().map {
            KeyValue(name: isSingle ? nil : $0.key, value: $0.value.queryExpression)
        }
    }
}
