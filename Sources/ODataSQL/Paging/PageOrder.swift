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

    /// The values that order a row; nil where one is no column of the row, so that pages have to be counted.
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
            scalars.append(value?.scalar ?? .null)
            types.append(column.type.primitive ?? .int64)
        }
        return items.isEmpty ? nil : (scalars, types)
    }

    /// The rows behind those values; null sorts below every value, NaN above.
    package func after(_ values: [Scalar]) -> Expression {
        let bounds = zip(items, values).map { item, value in
            let type = Self.property(item).flatMap { table.column(path: $0) }?.type.primitive
            let bound = Bound(of: item.expression, at: value, type)
            return RowsBehindPosition.Bound(
                equal: bound.equal, beyond: item.isDescending ? bound.below : bound.above)
        }
        return RowsBehindPosition(bounds: bounds).condition
            ?? .literal(.boolean(false), .boolean)
    }
}

/// Conditions for what an expression's value may be beside a value.
private struct Bound {
    let equal: Expression
    /// Greater values; nil where there are none.
    let above: Expression?
    /// Lesser values and null; nil where there are none.
    let below: Expression?

    init(of expression: Expression, at value: Scalar, _ type: PrimitiveType?) {
        let null = Expression.literal(.null, nil)
        guard value != .null else {
            equal = .binary(.eq, expression, null)
            (above, below) = (.binary(.ne, expression, null), nil)
            return
        }
        let isNull = Expression.binary(.eq, expression, null)
        // Of numbers NaN alone is not less than or equal to infinity.
        let isNumber = Expression.binary(
            .le, expression, .literal(.double(.infinity), type ?? .double))
        if case .double(let number) = value, number.isNaN {
            equal = .unary(.not, isNumber)
            (above, below) = (nil, .binary(.or, isNumber, isNull))
            return
        }
        let literal = Expression.literal(value, type)
        equal = .binary(.eq, expression, literal)
        below = .binary(.or, .binary(.lt, expression, literal), isNull)
        let greater = Expression.binary(.gt, expression, literal)
        if case .double = value {
            above = .binary(.or, greater, .unary(.not, isNumber))
        } else {
            above = greater
        }
    }
}

extension [Expression] {
    /// The conditions joined by `and` or `or`; nil when there are none.
    package func joined(_ operation: BinaryOperator) -> Expression? {
        reduce(nil) { sum, next in sum.map { .binary(operation, $0, next) } ?? next }
    }
}
