import ODataModel
import ODataQuery
import ODataText

/// A request for data, built step by step (URL Conventions 4.01, section 5).
///
/// A service turns it into a URL, a local store into SQL; what it means is the same.
///
/// ```swift
/// let query = DataQuery().from(orders)
///     .filter(status.equal("Open") && priority.greaterThan(2))
///     .select(title, priority)
///     .expand(site)
///     .orderBy(priority, .descending).thenBy(title)
///     .top(10)
/// let entities = try service.executeQuery(query).entityList()
/// ```
///
/// Every fluent method changes the query and returns it. A query is made for one execution and belongs to one thread;
/// ``copy()`` makes another that shares nothing with it. Building throws nothing: what does not fit the metadata is a
/// ``DataQueryError`` of the execution.
///
/// See ``QueryResult`` for what comes back, and ``QueryValue`` and ``QueryFilter`` for conditions.
open class DataQuery: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time builds a query, as callers promise.

    /// Everything but the path.
    @exclusivity(unchecked) package final var options = Query(path: ResourcePath()) {
        didSet { hasPlainOptions = false }
    }
    /// True as long as nobody set options.
    final private(set) var hasPlainOptions = true
    /// What the path says.
    @exclusivity(unchecked) package final var target = Target()

    package struct Target {
        package var entitySet: EntitySet?
        package var entityType: EntityType?
        package var entityKey: EntityKey?
        package var derivedType: StructureType?
        package var propertyPath: PropertyPath?
        package var binding: (any BindingPath)?
        /// The operation by qualified or imported name, with its arguments.
        package var operation: (name: String, arguments: [NamedArgument])?
        package var call: DataMethodCall?
        package var counts = false
        package var selectsKey = false
        package var expectsSingle = false
        package var tracksChanges = false
        package var isDelta = false
        package var url: String?
        package var model: MetadataModel?
        /// `$levels` of the expansion that the query shapes.
        package var levels: Int?
        package var givesReferences = false
        package var deltaTime: GlobalDateTime?
        package var streamsResponse = false
        package var requestPath: String?
        package var queryString: String?
    }

    /// Creates a query for nothing yet.
    public override init() { super.init() }

    /// The argument, or a new query in place of nil.
    open class func newIfNull(query: DataQuery?) -> DataQuery { query ?? DataQuery() }

    // MARK: Resource

    /// Asks for the entities of a set, or for a singleton.
    @discardableResult
    open func from(_ entitySet: EntitySet) -> DataQuery {
        target.entitySet = entitySet
        return self
    }

    /// Asks for the entities of a set unless a set was named before.
    @discardableResult
    open func fromDefault(_ entitySet: EntitySet) -> DataQuery {
        if target.entitySet == nil { target.entitySet = entitySet }
        return self
    }

    /// Asks for the entity with this key (section 4.3.1).
    @discardableResult
    open func withKey(_ key: EntityKey) -> DataQuery {
        target.entityKey = key
        return self
    }

    /// Asks how many entities there are, in place of the entities (section 4.8).
    @discardableResult
    open func count() -> DataQuery {
        target.counts = true
        return self
    }

    /// Asks how many entities there are in all, beside the entities (section 5.1.7).
    @discardableResult
    open func inlineCount() -> DataQuery {
        options.includesCount = true
        return self
    }

    // MARK: Shape

    /// Asks for these properties, beside those asked for before; without any, for all structural ones (section 5.1.4).
    @discardableResult
    open func select(_ items: PropertyPath...) -> DataQuery {
        for item in items where !options.select.contains(where: { $0.path == item.expressionPath })
        {
            options.select.append(SelectTerm(item.expressionPath))
        }
        return self
    }

    /// Asks for all structural properties.
    @discardableResult
    open func selectAll() -> DataQuery {
        options.selectsAll = true
        return self
    }

    /// Asks for the key properties.
    @discardableResult
    open func selectKey() -> DataQuery {
        target.selectsKey = true
        return self
    }

    /// Asks for the entities that these paths lead to, inside each entity (section 5.1.3).
    @discardableResult
    open func expand(_ items: PropertyPath...) -> DataQuery {
        for item in items { options.expand.merge(item.expansion(NestedOptions())) }
        return self
    }

    /// Asks for the entities that the path leads to, as the other query shapes them (section 5.1.3.1).
    @discardableResult
    open func expand(_ item: PropertyPath, withQuery query: DataQuery) -> DataQuery {
        options.expand.merge(item.expansion(query.nestedOptions, kind: query.expandKind))
        return self
    }

    /// Asks for the entities that the path leads to, as the other query shapes them (section 5.1.3.1).
    @discardableResult
    open func expandWithQuery(_ item: PropertyPath, _ query: DataQuery) -> DataQuery {
        expand(item, withQuery: query)
    }

    // MARK: Restriction and order

    /// Keeps the entities that meet the condition and all conditions given before (section 5.1.2).
    @discardableResult
    open func filter(_ test: QueryFilter) -> DataQuery {
        options.filter =
            options.filter.map { .binary(.and, $0, test.expression) } ?? test.expression
        return self
    }

    /// Keeps the entities that meet the condition and all conditions given before (section 5.1.2).
    @discardableResult
    open func `where`(_ test: QueryFilter) -> DataQuery { filter(test) }

    /// Orders by the value, after the values given before (section 5.1.5).
    @discardableResult
    open func orderBy(_ value: QueryValue, _ order: SortOrder = .ascending) -> DataQuery {
        options.orderBy.append(
            OrderItem(value.queryExpression, isDescending: order == .descending))
        return self
    }

    /// Orders by the value, after the values given before (section 5.1.5).
    @discardableResult
    open func thenBy(_ value: QueryValue, _ order: SortOrder = .ascending) -> DataQuery {
        orderBy(value, order)
    }

    /// Leaves out the first results (section 5.1.6).
    @discardableResult
    open func skip(_ count: Int) -> DataQuery {
        options.skip = max(0, count)
        return self
    }

    /// Asks for at most this many results (section 5.1.6).
    @discardableResult
    open func top(_ count: Int) -> DataQuery {
        options.top = max(0, count)
        return self
    }

    /// Asks the service for pages of this size (`Prefer: odata.maxpagesize`; Protocol 4.01, section 8.2.8.5).
    @discardableResult
    open func page(_ size: Int) -> DataQuery {
        options.pageSize = max(1, size)
        return self
    }

    /// Asks for entities that match a text (section 5.1.8).
    @discardableResult
    open func search(_ text: String) -> DataQuery {
        options.search = SearchExpression(text: text)
        return self
    }

    /// Adds a query option that is not OData's (section 5.2); one of the same name is replaced.
    @discardableResult
    open func custom(_ name: String, _ value: String) -> DataQuery {
        options.customOptions.removeAll { $0.name == name }
        options.customOptions.append(CustomOption(name: name, value: value))
        return self
    }

    /// Says what an operation invoked next is bound to (section 4.5).
    @discardableResult
    open func bind(_ value: any BindingPath) -> DataQuery {
        target.binding = value
        return self
    }

    /// Says what an operation invoked next is bound to, for generated classes of older generations, which hand on any value. One
    /// that nothing can be bound to, and nil, are programming errors and trap.
    @_disfavoredOverload
    @discardableResult
    open func bind(_ value: DataValue?) -> DataQuery {
        guard let target = value as? any BindingPath else {
            preconditionFailure(
                "Expected an entity or a path to bind to, found \(DataValue.className(value)).")
        }
        return bind(target)
    }

    /// A query of the same content that shares nothing with this one.
    open func copy() -> DataQuery {
        let copy = DataQuery()
        copy.options = options
        copy.target = target
        copy.hasPlainOptions = hasPlainOptions
        return copy
    }

    /// A query of the same content that shares nothing with this one.
    open func copyMutable() -> DataQuery { copy() }

    /// The URL relative to the service root.
    open override func toString() -> String {
        if let url = target.url { return url }
        return (try? urlText()) ?? ""
    }
}
