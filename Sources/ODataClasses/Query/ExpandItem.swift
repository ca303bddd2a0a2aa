import ODataModel
import ODataQuery

/// One relation that a query expands (URL Conventions 4.01, section 5.1.3).
open class ExpandItem: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes an item, as callers promise.
    /// Where the expanded entities are.
    public final let path: DataPath
    /// What shapes them; nil where nothing does.
    public final private(set) var query: DataQuery?
    /// True for an item that execution added and the application did not ask for.
    public final var isHidden = false
    private final let kind: ExpandTerm.Kind?

    package init(_ path: DataPath, _ query: DataQuery?, kind: ExpandTerm.Kind? = nil) {
        self.path = path
        self.query = query
        self.kind = kind
        super.init()
    }

    /// The expansion of a path.
    public static func of(_ path: PropertyPath) -> ExpandItem { ExpandItem(path.toPath(), nil) }

    /// Lets a query shape the expanded entities, and returns the item.
    @discardableResult
    open func withQuery(_ query: DataQuery) -> ExpandItem {
        self.query = query
        return self
    }

    /// The property that is expanded; nil when the path ends otherwise.
    open func toProperty() -> Property? { path.definedProperty }

    /// The item as the clause that writers read, nested where the path goes through several relations.
    package final var term: ExpandTerm {
        path.expansion(query?.nestedOptions ?? NestedOptions(), kind: kind ?? query?.expandKind)
    }

    /// The path and, where there is one, the query.
    open override func toString() -> String {
        query.map { "\(path.toString())(\($0.toString()))" } ?? path.toString()
    }
}

/// Expand items, in order.
open class ExpandItemList: MetadataList<ExpandItem>, @unchecked Sendable {}

/// One property that a query selects (URL Conventions 4.01, section 5.1.4).
open class SelectItem: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes an item, as callers promise.
    /// What is selected.
    public final let path: DataPath
    /// True for an item that execution added and the application did not ask for.
    public final var isHidden = false
    private final let options: NestedOptions?

    package init(_ path: DataPath, options: NestedOptions? = nil) {
        self.path = path
        self.options = options
        super.init()
    }

    /// The selection of a path.
    public static func of(_ path: PropertyPath) -> SelectItem { SelectItem(path.toPath()) }

    /// The property that is selected; nil when the path ends otherwise.
    open func toProperty() -> Property? { path.definedProperty }

    package final var term: SelectTerm { SelectTerm(path.expressionPath, options: options) }

    /// The path.
    open override func toString() -> String { path.toString() }
}

/// Select items, in order.
open class SelectItemList: MetadataList<SelectItem>, @unchecked Sendable {}

extension EntitySet {
    /// What queries of the set select that select nothing themselves (URL Conventions 4.01, section 5.1.4); empty, as it is
    /// at first, stands for all structural properties, which `DataQuery.selectAll()` always asks for. Assign a new list to
    /// change it.
    public var defaultSelect: SelectItemList {
        get { SelectItemList.fromArray(currentSettings.defaultSelect.map { SelectItem.of($0) }) }
        set {
            let paths = newValue.map(\.path)
            changeSettings { $0.defaultSelect = paths }
        }
    }
}
