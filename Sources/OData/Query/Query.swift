import ODataModel
import ODataQuery

/// What to read: the entities of a set that a condition holds for, in an order, with what they lead to.
///
/// A value: each call gives another query. Nothing is read before a store is asked.
///
/// ```swift
/// WorkOrder.all.where { $0.status == .open && $0.site.city.hasPrefix("W") }.order(by: \.title)
/// ```
public struct Query<E: Entity, Result: Sendable>: Sendable {
    var shape: QueryShape
    let decode: @Sendable (Row) throws(ODataError) -> Result

    /// Only entities that the condition holds for, beside the conditions so far.
    public func `where`(_ condition: (E.Fields) -> Condition) -> Self {
        let condition = condition(E.Fields(.entity))
        let added = condition.expression
        return changed { shape in
            shape.filter = shape.filter.map { .binary(.and, $0, added) } ?? added
            if condition.comparesWholes { shape.comparesWholes = true }
        }
    }

    /// Orders by a field, behind the orders so far.
    public func order<Value: FieldValue>(
        by field: KeyPath<E.Fields, Field<Value>>, _ direction: Direction = .ascending
    ) -> Self {
        let item = OrderItem(
            E.Fields(.entity)[keyPath: field].expression, isDescending: direction == .descending)
        return changed { $0.orderBy.append(item) }
    }

    /// Reads so many entities at most.
    public func limit(_ count: Int) -> Self { changed { $0.limit = max(0, count) } }

    /// Passes over so many entities first.
    public func offset(_ count: Int) -> Self { changed { $0.offset = max(0, count) } }

    private func changed(_ change: (inout QueryShape) -> Void) -> Self {
        var query = self
        change(&query.shape)
        return query
    }
}

extension Query where Result == E {
    /// All entities of a set.
    public static func all(_ type: E.Type) -> Query<E, E> {
        Query<E, E>(
            shape: QueryShape(of: E.self), decode: { row throws(ODataError) in try E(row) })
    }

    /// Only the entities of a derived type, as such: with what that type adds.
    ///
    /// ```swift
    /// Animal.all.where { $0.name == "Rex" }.of(Dog.self).where { $0.breed == "Lab" }
    /// ```
    ///
    /// Asking the store throws `invalidQuery` where the type is not derived from the one so far, or of another set.
    public func of<Derived: Entity>(_ type: Derived.Type) -> Query<Derived, Derived> {
        var shape = shape
        shape.type = Derived.typeName
        // A name that no service has: the type belongs to another set.
        if Derived.entitySet != E.entitySet { shape.type = "\(Derived.entitySet)/\(E.entitySet)" }
        return Query<Derived, Derived>(
            shape: shape, decode: { row throws(ODataError) in try Derived(row) })
    }

    /// Reads with each entity the one that a link leads to.
    public func expand<Next: Entity>(_ link: KeyPath<E.Fields, ToOne<Next>>) -> Self {
        changed {
            $0.expand.append(
                (E.Fields(.entity)[keyPath: link].path.path, QueryShape(of: Next.self)))
        }
    }

    /// Reads with each entity the one that a link leads to, and what that leads to.
    public func expand<Next: Entity>(
        _ link: KeyPath<E.Fields, ToOne<Next>>,
        _ nested: (Query<Next, Next>) -> Query<Next, Next>
    ) -> Self {
        let shape = nested(.all(Next.self)).shape
        return changed { $0.expand.append((E.Fields(.entity)[keyPath: link].path.path, shape)) }
    }

    /// Reads with each entity those that its links lead to; what is inside may be restricted and ordered as a query.
    public func expand<Next: Entity>(
        _ links: KeyPath<E.Fields, ToMany<Next>>,
        _ nested: (Query<Next, Next>) -> Query<Next, Next> = { $0 }
    ) -> Self {
        let shape = nested(.all(Next.self)).shape
        return changed { $0.expand.append((E.Fields(.entity)[keyPath: links].path.path, shape)) }
    }

    /// Reads these fields only: one value, or a tuple of several, for each entity. They may be fields of what a single-valued
    /// link leads to, `\.site.city`: where that is nothing they have no value.
    public func select<each Value: FieldValue>(
        _ field: repeat KeyPath<E.Fields, Field<each Value>>
    ) -> Query<E, (repeat each Value)> {
        let fields = E.Fields(.entity)
        var selected: [ODataQuery.Expression] = []
        repeat selected.append(fields[keyPath: each field].expression)
        var shape = shape
        shape.select = selected
        let names = shape.selectedNames
        return Query<E, (repeat each Value)>(shape: shape) { row throws(ODataError) in
            var reader = SelectedFields(row: row, names: names)
            return (repeat try reader.next((each Value).self))
        }
    }
}

/// Reads the selected fields of a row one after the other.
private struct SelectedFields {
    let row: Row
    let names: [[String]]
    private var position = 0

    init(row: Row, names: [[String]]) {
        self.row = row
        self.names = names
    }

    mutating func next<Value: FieldValue>(_ type: Value.Type) throws(ODataError) -> Value {
        defer { position += 1 }
        return try row.value(at: names[position][...])
    }
}
