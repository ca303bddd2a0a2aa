import ODataModel
import ODataQuery

/// The direction of a sort item.
public enum SortOrder: Int, Sendable, Hashable {
    /// From small to large, null first.
    case ascending
    /// From large to small, null last.
    case descending
}

/// One value that results are ordered by (URL Conventions 4.01, section 5.1.5).
open class SortItem: ObjectBase, @unchecked Sendable {
    // Immutable.
    package final let item: OrderItem
    private final let source: QueryValue?

    package init(_ item: OrderItem, source: QueryValue? = nil) {
        self.item = item
        self.source = source
        super.init()
    }

    /// The item that orders by `value`, ascending unless said otherwise.
    public static func of(_ value: QueryValue, _ order: SortOrder = .ascending) -> SortItem {
        SortItem(
            OrderItem(value.queryExpression, isDescending: order == .descending), source: value)
    }

    /// What results are ordered by.
    open var value: QueryValue { source ?? QueryExpression(item.expression) }

    /// The direction.
    open var order: SortOrder { item.isDescending ? .descending : .ascending }

    /// The path that results are ordered by; nil when it is another expression.
    open var path: DataPath? { (source as? PropertyPath)?.toPath() }

    /// The property that results are ordered by; nil when it is no single property.
    open func toProperty() -> Property? { path?.definedProperty }

    /// The item as URL text, not percent-encoded.
    open override func toString() -> String {
        item.expression.displayText + (item.isDescending ? " desc" : "")
    }
}
