import ODataQuery

/// The way from an entity to a property of it or of a related one. A ``FieldSet`` is made of one, and makes its fields of it.
public struct FieldPath: Sendable, Hashable {
    let path: ExpressionPath
    /// How many `any` and `all` it stands in: their variables have different names.
    let depth: Int

    /// The entity itself.
    static let entity = FieldPath(path: ExpressionPath([]), depth: 0)

    init(path: ExpressionPath, depth: Int) {
        self.path = path
        self.depth = depth
    }

    func appending(_ property: String) -> FieldPath { appending(.property(property)) }

    private func appending(_ segment: ExpressionPath.Segment) -> FieldPath {
        FieldPath(
            path: ExpressionPath(root: path.root, path.segments + [segment]), depth: depth)
    }

    /// A structural property.
    public func field<Value: FieldValue>(_ property: String) -> Field<Value> {
        Field(.path(appending(property).path))
    }

    /// A property that an open type does not declare: an entity that has none counts as one without a value, and one that
    /// is of another type as another one.
    public func dynamic<Value: FieldValue>(
        _ property: String, as type: Value.Type = Value.self
    ) -> Field<Value?> { Field(.path(appending(property).path)) }

    /// The fields of a derived type, by its qualified name; entities of other types have no values in them.
    public func derived<Fields: FieldSet>(
        _ type: String, as fields: Fields.Type = Fields.self
    ) -> Fields { Fields(appending(.typeCast(type))) }

    /// The entity is of a type, by its qualified name, or of one derived from that.
    public func isOf(_ type: String) -> Condition {
        let isEntity = path.root == .it && path.segments.isEmpty
        return Condition(.isOf(isEntity ? nil : .path(path), type: type))
    }

    /// The fields of a complex property.
    public func complex<Fields: FieldSet>(_ property: String) -> Fields {
        Fields(appending(property))
    }

    /// A single-valued navigation property.
    public func toOne<E: Entity>(_ property: String) -> ToOne<E> { ToOne(appending(property)) }

    /// A collection-valued navigation property.
    public func toMany<E: Entity>(_ property: String) -> ToMany<E> { ToMany(appending(property)) }
}

extension ExpressionPath {
    /// Properties and types joined by `/`, as paths of tables have them.
    var names: String {
        segments.compactMap { segment in
            switch segment {
            case .property(let name), .typeCast(let name): name
            default: nil
            }
        }.joined(separator: "/")
    }
}

/// A single-valued navigation property in a query; the fields of what it leads to are members of it.
@dynamicMemberLookup
public struct ToOne<E: Entity>: Sendable {
    let path: FieldPath

    init(_ path: FieldPath) { self.path = path }

    /// A field of the related entity.
    public subscript<Value: FieldValue>(
        dynamicMember field: any KeyPath<E.Fields, Field<Value>> & Sendable
    ) -> Field<Value> { E.Fields(path)[keyPath: field] }

    /// An entity behind the related one.
    public subscript<Next: Entity>(
        dynamicMember link: any KeyPath<E.Fields, ToOne<Next>> & Sendable
    ) -> ToOne<Next> { E.Fields(path)[keyPath: link] }

    /// Entities behind the related one.
    public subscript<Next: Entity>(
        dynamicMember links: any KeyPath<E.Fields, ToMany<Next>> & Sendable
    ) -> ToMany<Next> { E.Fields(path)[keyPath: links] }

    /// It leads nowhere.
    public var isNull: Condition { Condition(.eq, .path(path.path), .null) }
}

/// A collection-valued navigation property in a query.
public struct ToMany<E: Entity>: Sendable {
    let path: FieldPath

    init(_ path: FieldPath) { self.path = path }

    /// The condition holds for one of the entities at least.
    public func any(_ condition: (E.Fields) -> Condition) -> Condition { lambda(.any, condition) }

    /// The condition holds for every one of the entities, also where there are none.
    public func all(_ condition: (E.Fields) -> Condition) -> Condition { lambda(.all, condition) }

    /// There are none.
    public var isEmpty: Condition {
        Condition(
            .unary(.not, .lambda(.any, path.path, variable: variable, predicate: nil)))
    }

    /// How many there are.
    public var count: Field<Int> { Field(.count(path.path, filter: nil)) }

    private var variable: String { "e\(path.depth + 1)" }

    private func lambda(
        _ operation: LambdaOperator, _ condition: (E.Fields) -> Condition
    ) -> Condition {
        let inner = FieldPath(
            path: ExpressionPath(root: .variable(variable), []), depth: path.depth + 1)
        let condition = condition(E.Fields(inner))
        return Condition(
            .lambda(
                operation, path.path, variable: variable, predicate: condition.expression),
            comparesWholes: condition.comparesWholes)
    }
}
