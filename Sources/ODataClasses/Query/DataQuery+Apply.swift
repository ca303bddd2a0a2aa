import ODataModel
import ODataQuery

/// Aggregation and computed properties (Data Aggregation 4.0, section 3; URL Conventions 4.01, section 5.1.10).
extension DataQuery {
    /// Runs these steps behind those there are, before conditions and order apply; aggregates side by side become one.
    @discardableResult
    public final func apply(_ values: TransformValue...) -> DataQuery {
        options.apply += TransformValue.joined(values)
        return self
    }

    /// Groups by these paths; aggregates asked for next are made in each group.
    @discardableResult
    public final func groupBy(_ paths: PropertyPath...) -> DataQuery {
        options.apply.append(.groupBy(paths.map { .path($0.expressionPath) }, []))
        return self
    }

    /// Makes these aggregates, in each group where the step before them is ``groupBy(_:)``.
    @discardableResult
    public final func aggregate(_ values: AggregateValue...) -> DataQuery {
        if case .groupBy? = options.apply.last, let step = options.apply.popLast() {
            options.apply += GroupTransform([step]).applying(values).steps
        } else {
            options.apply += TransformValue.joined(values)
        }
        return self
    }

    /// Adds a property named `alias` that holds the value, for conditions, order and results.
    @discardableResult
    public final func compute(_ value: QueryValue, _ alias: String) -> DataQuery {
        options.compute.append(ComputeItem(value.queryExpression, alias: alias))
        return self
    }

    /// The steps that come before all other options.
    public final var transformValues: TransformValueList {
        get { TransformValueList.fromArray(options.apply.map { TransformValue.of($0) }) }
        set { options.apply = newValue.flatMap(\.steps) }
    }

    /// The first step that groups; nil when there is none. Setting replaces it, or adds it in front.
    public final var groupTransform: GroupTransform? {
        get {
            options.apply.first { Self.isGroup($0) }.map { GroupTransform([$0]) }
        }
        set {
            let position = options.apply.firstIndex { Self.isGroup($0) }
            if let position { options.apply.remove(at: position) }
            guard let step = newValue?.steps.first else { return }
            options.apply.insert(step, at: position ?? 0)
        }
    }

    private static func isGroup(_ step: Transformation) -> Bool {
        if case .groupBy = step { true } else { false }
    }

    /// Values of parameter aliases by name without `@` (section 5.3 of URL Conventions); nil when there are none.
    public final var aliasValues: DataValueMap? {
        get {
            guard !options.aliases.isEmpty else { return nil }
            return DataValueMap(
                entries: options.aliases.sorted { $0.key < $1.key }.map {
                    ($0.key, QueryCall.tree($0.value))
                })
        }
        set {
            options.aliases = Dictionary(
                (newValue?.entries() ?? []).map { ($0.key, $0.value.queryExpression) }
            ) { $1 }
        }
    }

    /// Gives a parameter alias a value; ``QueryAlias`` refers to it.
    @discardableResult
    public final func alias(_ name: String, _ value: DataValue?) -> DataQuery {
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        options.aliases[name] = DataValue.queryExpression(value)
        return self
    }
}
