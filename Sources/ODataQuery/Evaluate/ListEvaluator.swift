import ODataModel

/// Filters, orders and pages values in memory as a service would (URL Conventions 4.01, sections 5.1.2, 5.1.5 and 5.1.6).
package struct ListEvaluator {
    package var evaluator: ExpressionEvaluator

    package init(_ evaluator: ExpressionEvaluator) {
        self.evaluator = evaluator
    }

    /// The positions in `values` of what the query keeps, in its order: filtered, sorted (equal values stay as they
    /// were), then `skip` and `top`.
    package func positions(_ query: Query, of values: [StructureValue]) throws -> [Int] {
        var evaluator = evaluator
        evaluator.aliases.merge(query.aliases) { $1 }
        var kept = Array(values.indices)
        if let filter = query.filter {
            kept = try kept.filter { try evaluator.holds(filter, for: values[$0]) }
        }
        if !query.orderBy.isEmpty {
            let keys = try Dictionary(
                uniqueKeysWithValues: kept.map { position in
                    (
                        position,
                        try query.orderBy.map {
                            try evaluator.evaluate($0.expression, for: .structure(values[position]))
                                .scalar ?? .null
                        }
                    )
                })
            kept.sort { first, second in
                Self.isOrdered(keys[first] ?? [], keys[second] ?? [], query.orderBy)
                    ?? (first < second)
            }
        }
        if let skip = query.skip { kept.removeFirst(min(skip, kept.count)) }
        if let top = query.top { kept.removeLast(max(0, kept.count - top)) }
        return kept
    }

    package func apply(_ query: Query, to values: [StructureValue]) throws -> [StructureValue] {
        try positions(query, of: values).map { values[$0] }
    }

    /// Null comes before all values when ascending; nil when the keys are equal.
    package static func isOrdered(
        _ first: [Scalar], _ second: [Scalar], _ items: [OrderItem]
    ) -> Bool? {
        for (index, item) in items.enumerated() {
            let (a, b) = (ComparableScalar(first[index]), ComparableScalar(second[index]))
            if a < b { return !item.isDescending }
            if b < a { return item.isDescending }
        }
        return nil
    }
}
