import ODataModel
import ODataQuery

/// The total order of the rows of a paged read, and the condition for the rows behind one of them: pages stay apart
/// while rows come and go (Protocol 4.01, section 11.2.6.7).
package struct PageOrder: Sendable {
    /// What is asked for, then the key properties that it does not name.
    package let items: [OrderItem]
    private let table: TableMapping

    package init(_ orderBy: [OrderItem], table: TableMapping) {
        let named = Set(orderBy.compactMap(Self.property))
        items =
            orderBy
            + table.keys.filter { !named.contains($0.path) }
            .map { OrderItem(.path(ExpressionPath($0.path))) }
        self.table = table
    }

    /// The property that an order item names; nil for anything but a column of the row itself.
    package static func property(_ item: OrderItem) -> String? {
        guard case .path(let path) = item.expression, path.root == .it,
            let names = path.propertyNames
        else { return nil }
        return names.joined(separator: "/")
    }

    /// The values that order a row; nil where one is no column of the row or cannot be written down, so that pages
    /// have to be counted.
    package func values(
        of row: StructureValue
    ) -> (scalars: [Scalar], types: [PrimitiveType])? {
        var scalars: [Scalar] = []
        var types: [PrimitiveType] = []
        for item in items {
            guard let path = Self.property(item), let column = table.column(path: path),
                column.encoding != .json
            else { return nil }
            var value: ODataValue? = .structure(row)
            for slot in column.slots {
                let slots = value?.structure?.slots ?? []
                value = slots.indices.contains(slot) ? slots[slot] : nil
            }
            let scalar = value?.scalar ?? .null
            if case .double(let number) = scalar, !number.isFinite { return nil }
            scalars.append(scalar)
            types.append(column.type.primitive ?? .int64)
        }
        return items.isEmpty ? nil : (scalars, types)
    }

    /// The rows behind those values; null sorts below every value.
    package func after(_ values: [Scalar]) -> Expression {
        var alternatives: [Expression] = []
        var equal: [Expression] = []
        for (item, value) in zip(items, values) {
            let type = Self.property(item).flatMap { table.column(path: $0) }?.type.primitive
            let literal = Expression.literal(value, value == .null ? nil : type)
            if let beyond = Self.beyond(item, value, literal) {
                alternatives.append((equal + [beyond]).joined(.and) ?? beyond)
            }
            equal.append(.binary(.eq, item.expression, literal))
        }
        return alternatives.joined(.or) ?? .literal(.boolean(false), .boolean)
    }

    private static func beyond(
        _ item: OrderItem, _ value: Scalar, _ literal: Expression
    ) -> Expression? {
        let null = Expression.literal(.null, nil)
        if value == .null {
            return item.isDescending ? nil : .binary(.ne, item.expression, null)
        }
        guard item.isDescending else { return .binary(.gt, item.expression, literal) }
        return .binary(
            .or, .binary(.lt, item.expression, literal), .binary(.eq, item.expression, null))
    }
}

extension [Expression] {
    /// The conditions joined by `and` or `or`; nil when there are none.
    package func joined(_ operation: BinaryOperator) -> Expression? {
        reduce(nil) { sum, next in sum.map { .binary(operation, $0, next) } ?? next }
    }
}
