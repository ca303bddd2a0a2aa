import ODataModel
import ODataQuery

/// What was set, for reading and for setting without the fluent methods.
extension DataQuery {
    /// The set that is asked; an undefined one until it is known.
    public final var entitySet: EntitySet? {
        get { target.entitySet }
        set { target.entitySet = newValue }
    }

    /// The type of the entities: the derived type where one was named, else that of the set.
    public final var entityType: EntityType? {
        get {
            (target.derivedType as? EntityType) ?? target.entityType ?? target.entitySet?.entityType
        }
        set { target.entityType = newValue }
    }

    /// The key of the one entity that is asked for.
    public final var entityKey: EntityKey? {
        get { target.entityKey }
        set { target.entityKey = newValue }
    }

    /// The type that the path casts to.
    public final var derivedType: StructureType? {
        get { target.derivedType }
        set { target.derivedType = newValue }
    }

    /// The property of the entity that is asked for in place of the entity.
    public final var propertyPath: PropertyPath? {
        get { target.propertyPath }
        set { target.propertyPath = newValue }
    }

    /// The condition; nil when there is none.
    public final var queryFilter: QueryFilter? {
        get { options.filter.map { QueryFilter($0, in: model) } }
        set { options.filter = newValue?.expression }
    }

    /// What the results are ordered by.
    public final var sortItems: SortItemList {
        get { SortItemList.fromArray(options.orderBy.map { SortItem($0) }) }
        set { options.orderBy = newValue.map(\.item) }
    }

    /// True when all structural properties were asked for.
    public final var allSelected: Bool {
        get { options.selectsAll }
        set { options.selectsAll = newValue }
    }

    /// True when the key properties were asked for.
    public final var keySelected: Bool {
        get { target.selectsKey }
        set { target.selectsKey = newValue }
    }

    /// True when only the number of entities is asked for.
    public final var countOnly: Bool {
        get { target.counts }
        set { target.counts = newValue }
    }

    /// True when the number of all entities is asked for beside them.
    public final var countInline: Bool {
        get { options.includesCount }
        set { options.includesCount = newValue }
    }

    /// How many results are left out at the beginning.
    public final var skipCount: Int? {
        get { options.skip }
        set { options.skip = newValue }
    }

    /// How many results are asked for at most.
    public final var topCount: Int? {
        get { options.top }
        set { options.top = newValue }
    }

    /// The size of pages to prefer.
    public final var pageSize: Int? {
        get { options.pageSize }
        set { options.pageSize = newValue }
    }

    /// The token of the next page (Protocol 4.01, section 11.2.6.7).
    public final var skipToken: String? {
        get { options.skipToken }
        set { options.skipToken = newValue }
    }

    /// The token that says which changes are asked for (Protocol 4.01, section 11.3).
    public final var deltaToken: String? {
        get { options.deltaToken }
        set { options.deltaToken = newValue }
    }

    /// True to ask the service to keep track of later changes (Protocol 4.01, section 8.2.8.9).
    public final var trackChanges: Bool {
        get { target.tracksChanges }
        set { target.tracksChanges = newValue }
    }

    /// True when the answer holds changes.
    public final var deltaResponse: Bool {
        get { target.isDelta }
        set { target.isDelta = newValue }
    }

    /// True when one result is expected.
    public final var expectSingle: Bool {
        get { target.expectsSingle }
        set { target.expectsSingle = newValue }
    }

    /// The text that results match.
    public final var searchText: String? {
        get { options.search?.plainText }
        set { options.search = newValue.map { SearchExpression(text: $0) } }
    }

    /// The options that are not OData's; nil when there are none.
    public final var customOptions: StringMap? {
        get {
            guard !options.customOptions.isEmpty else { return nil }
            return StringMap(entries: options.customOptions.map { ($0.name, $0.value) })
        }
        set {
            options.customOptions =
                newValue?.entries().map { CustomOption(name: $0.key, value: $0.value) } ?? []
        }
    }

    /// A URL relative to the service root that is used as it is; the set then only types the result.
    public final var url: String? {
        get { target.url }
        set { target.url = newValue }
    }

    /// The format that the answer should have (see `DataFormat`); nil for the service's own choice.
    public final var dataFormat: Int? {
        get {
            switch options.format {
            case "atom": DataFormat.atom
            case "json": DataFormat.json
            case "xml": DataFormat.xml
            default: nil
            }
        }
        set {
            switch newValue {
            case DataFormat.atom?: options.format = "atom"
            case DataFormat.json?: options.format = "json"
            case DataFormat.xml?: options.format = "xml"
            default: options.format = nil
            }
        }
    }

    /// When the state that changes are asked for was; nil where a token says it.
    public final var deltaTime: GlobalDateTime? {
        get { target.deltaTime }
        set { target.deltaTime = newValue }
    }

    /// True to read the answer entity by entity.
    public final var streamResponse: Bool {
        get { target.streamsResponse }
        set { target.streamsResponse = newValue }
    }

    /// The path that the query was read from; nil for a query that was built.
    public final var requestPath: String? {
        get { target.requestPath }
        set { target.requestPath = newValue }
    }

    /// The text behind `?` that the query was read from; nil for a query that was built.
    public final var queryString: String? {
        get { target.queryString }
        set { target.queryString = newValue }
    }
}

/// Sort items in order of importance.
open class SortItemList: TypedList<SortItem>, @unchecked Sendable {
    // Confined as its base class says.
}
