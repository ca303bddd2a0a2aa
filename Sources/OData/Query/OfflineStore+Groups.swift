import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan

extension OfflineStore {
    /// What is calculated of the entities that a query finds, for each group that has the same values in some fields; groups
    /// come in the order of these.
    ///
    /// ```swift
    /// for (status, (count, cost)) in try await store.groups(
    ///     of: WorkOrder.all, by: \.status, with: .count, .average(\.cost)) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - query: Whose conditions say which entities there are; its order counts where it has a limit.
    ///   - key: Fields of the entities themselves, or of their complex values.
    ///   - aggregate: What is calculated.
    /// - Throws: As ``fetch(_:)->[Result]``; `notImplemented` for a key that lies behind a link, `invalidQuery` for a field that an
    ///   aggregate cannot be made of, `wrongType` for a sum beyond the type.
    public func groups<E, Result, each Key: FieldValue, each Value: FieldValue>(
        of query: Query<E, Result>, by key: repeat KeyPath<E.Fields, Field<each Key>>,
        with aggregate: repeat Aggregate<E, each Value>
    ) async throws -> [(key: (repeat each Key), values: (repeat each Value))] {
        let fields = E.Fields(.entity)
        var keys: [ODataQuery.Expression] = []
        repeat keys.append(fields[keyPath: each key].expression)
        var terms: [AggregateTerm] = []
        repeat terms.append(
            AggregateTerm((each aggregate).value, alias: "Aggregate\(terms.count)_"))
        let (core, shape, grouping) = (core, query.shape, Grouping(keys: keys, terms: terms))
        return try await core.run(on: core.reads) { _ in
            let model = try core.model()
            let asked = try grouping.query(over: shape, in: model.graph)
            let (names, aliases) = (grouping.names, grouping.terms.compactMap(\.alias))
            return try core.store.execute(asked).values.map { values in
                var reader = GroupReader(
                    values: values, names: names, aliases: aliases, model: model)
                let key = (repeat try reader.key((each Key).self))
                return (key, (repeat try reader.value((each Value).self)))
            }
        }
    }
}

/// What entities are grouped by, and what is calculated of them.
private struct Grouping: Sendable {
    let keys: [ODataQuery.Expression]
    let terms: [AggregateTerm]

    func query(over shape: QueryShape, in graph: MetadataGraph) throws -> ODataQuery.Query {
        let paths = try keys.map { try path($0, shape, graph) }
        var bare = QueryShape(set: shape.set, type: shape.type)
        bare.comparesWholes = shape.comparesWholes
        bare.orderBy = keys.map { OrderItem($0) }
        return try bare.checked(
            in: graph,
            applying: shape.chosenSteps + [.groupBy(paths.map { .path($0) }, [.aggregate(terms)])])
    }

    /// - Throws: `notImplemented` for what is no property of the entities: a group without a value would be one of entities
    ///   that have none, and of those whose related entity is not here.
    private func path(
        _ expression: ODataQuery.Expression, _ shape: QueryShape, _ graph: MetadataGraph
    ) throws -> ExpressionPath {
        var type = shape.type.flatMap { graph.structure(named: $0) }
        type = type ?? graph.declaredType(ofTable: shape.set)
        guard case .path(let path) = expression, let names = path.propertyNames, !names.isEmpty
        else { throw Self.notOwn(shape) }
        for name in names {
            // What is not there the checker says.
            guard let owner = type, let slot = graph[owner].slot(named: name) else { break }
            let property = graph[owner].properties[slot]
            guard !property.isNavigation else { throw Self.notOwn(shape) }
            type = property.type.structure
        }
        return path
    }

    private static func notOwn(_ shape: QueryShape) -> ODataError {
        ODataError(
            .notImplemented, "Expected to group by properties of the entities themselves.",
            at: shape.set)
    }

    /// The names on the way to each of the keys.
    var names: [[String]] {
        keys.map { if case .path(let path) = $0 { path.propertyNames ?? [] } else { [] } }
    }
}

/// Reads a group: its keys, then its values, one after the other.
private struct GroupReader {
    let values: StructureValue
    let names: [[String]]
    let aliases: [String]
    let model: RowModel
    private var position = 0

    init(values: StructureValue, names: [[String]], aliases: [String], model: RowModel) {
        (self.values, self.names, self.aliases, self.model) = (values, names, aliases, model)
    }

    mutating func key<Key: FieldValue>(_ type: Key.Type) throws(ODataError) -> Key {
        defer { position += 1 }
        return try Row(values, id: 0, [], model).value(at: names[position][...])
    }

    mutating func value<Value: FieldValue>(_ type: Value.Type) throws(ODataError) -> Value {
        defer { position += 1 }
        let found = values.dynamicValues[aliases[position - names.count]] ?? .null
        return try Value.fieldValue(from: StoredValue(found))
    }
}
