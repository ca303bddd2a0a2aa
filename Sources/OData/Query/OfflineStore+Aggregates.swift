import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore

extension OfflineStore {
    /// How many entities a query finds, without reading them.
    ///
    /// - Throws: As ``fetch(_:)->[Result]``.
    public func count<E, Result>(_ query: Query<E, Result>) async throws -> Int {
        let (core, shape) = (core, query.shape)
        return try await core.run(on: core.reads) { _ in
            var counted = shape
            (counted.limit, counted.offset, counted.select, counted.expand) = (0, nil, [], [])
            counted.orderBy = []
            var asked = try counted.checked(in: core.store.graph())
            asked.includesCount = true
            let all = Int(clamping: try core.store.execute(asked).count ?? 0)
            let rest = max(0, all - (shape.offset ?? 0))
            return min(rest, shape.limit ?? rest)
        }
    }

    /// The sum of a field over the entities that a query finds; nil where none of them has a value.
    ///
    /// - Throws: As ``fetch(_:)->[Result]``; `invalidQuery` for a field that cannot be summed, `wrongType` for a sum beyond the type.
    public func sum<E, Result, Value: FieldValue>(
        of field: KeyPath<E.Fields, Field<Value>>, in query: Query<E, Result>
    ) async throws -> Value.Base? {
        try await aggregate(E.Fields(.entity)[keyPath: field].expression, .sum, query.shape)
    }

    /// The smallest value of a field among the entities that a query finds; nil where none of them has one.
    ///
    /// - Throws: As ``fetch(_:)->[Result]``; `invalidQuery` for a field that has no order.
    public func minimum<E, Result, Value: FieldValue>(
        of field: KeyPath<E.Fields, Field<Value>>, in query: Query<E, Result>
    ) async throws -> Value.Base? {
        try await aggregate(E.Fields(.entity)[keyPath: field].expression, .min, query.shape)
    }

    /// The largest value of a field among the entities that a query finds; nil where none of them has one.
    ///
    /// - Throws: As ``minimum(of:in:)``.
    public func maximum<E, Result, Value: FieldValue>(
        of field: KeyPath<E.Fields, Field<Value>>, in query: Query<E, Result>
    ) async throws -> Value.Base? {
        try await aggregate(E.Fields(.entity)[keyPath: field].expression, .max, query.shape)
    }

    /// The average of a field over the entities that a query finds and that have a value; nil where none of them has one.
    ///
    /// - Throws: As ``fetch(_:)->[Result]``; `invalidQuery` for a field that is no number.
    public func average<E, Result, Value: FieldValue>(
        of field: KeyPath<E.Fields, Field<Value>>, in query: Query<E, Result>
    ) async throws -> Value.Base.Average? where Value.Base: AveragedFieldValue {
        try await aggregate(E.Fields(.entity)[keyPath: field].expression, .average, query.shape)
    }

    private func aggregate<Value: FieldValue>(
        _ expression: ODataQuery.Expression, _ method: AggregationMethod, _ shape: QueryShape
    ) async throws -> Value? {
        let core = core
        return try await core.run(on: core.reads) { _ in
            let alias = "Aggregate_"
            var bare = QueryShape(set: shape.set, type: shape.type)
            bare.comparesWholes = shape.comparesWholes
            let asked = try bare.checked(
                in: core.store.graph(),
                applying: shape.chosenSteps + [
                    .aggregate([AggregateTerm(.expression(expression, method), alias: alias)])
                ])
            let values = try core.store.execute(asked).values.first
            guard let value = values?.dynamicValues[alias], !value.isNull else { return nil }
            return try Value.fieldValue(from: StoredValue(value))
        }
    }
}

extension QueryShape {
    /// Which entities it finds, as steps before a calculation. The order says so where there is a limit.
    var chosenSteps: [Transformation] {
        var steps: [Transformation] = []
        if let filter { steps.append(.filter(filter)) }
        if limit != nil || offset != nil {
            if !orderBy.isEmpty { steps.append(.orderBy(orderBy)) }
            if let offset { steps.append(.skip(offset)) }
            if let limit { steps.append(.top(limit)) }
        }
        return steps
    }
}
