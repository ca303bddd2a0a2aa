import ODataModel
import ODataQuery

/// Makes a query smaller in every way that keeps it a query, so that a difference is shown by the least one.
enum OracleShrink {
    /// The smallest query that still differs, after at most so many trials.
    static func least(_ query: Query, trials: Int = 400, _ differs: (Query) -> Bool) -> Query {
        var (best, left) = (query, trials)
        var isSmaller = true
        while isSmaller, left > 0 {
            isSmaller = false
            for candidate in candidates(best) where left > 0 {
                left -= 1
                if differs(candidate) {
                    best = candidate
                    isSmaller = true
                    break
                }
            }
        }
        return best
    }

    /// The least data for which the query still differs: rows are left out by halves, then one by one.
    static func least(
        _ data: OracleData, trials: Int = 60, _ differs: (OracleData) -> Bool
    ) -> OracleData {
        var (best, left) = (data, trials)
        for set in OracleData.sets {
            var length = max(1, best.rows(of: set).count)
            while length > 0, left > 0 {
                var start = 0
                while start < best.rows(of: set).count, left > 0 {
                    let end = min(start + length, best.rows(of: set).count)
                    let smaller = best.without(start..<end, of: set)
                    left -= 1
                    if differs(smaller) { best = smaller } else { start = end }
                }
                length /= 2
            }
        }
        return best
    }

    private static func candidates(_ query: Query) -> [Query] {
        var result: [Query] = []
        func with(_ change: (inout Query) -> Void) {
            var copy = query
            change(&copy)
            if copy != query { result.append(copy) }
        }
        with { $0.expand = [] }
        with { $0.select = [] }
        with { $0.orderBy = [] }
        with { $0.filter = nil }
        with { $0.search = nil }
        with { $0.compute = [] }
        with { $0.apply = [] }
        with { $0.top = nil }
        with { $0.skip = nil }
        with { $0.pageSize = nil }
        with { $0.includesCount = false }
        with { $0.path.segments = Array($0.path.segments.prefix(1)) }
        for index in query.orderBy.indices { with { $0.orderBy.remove(at: index) } }
        for index in query.compute.indices { with { $0.compute.remove(at: index) } }
        for index in query.select.indices { with { $0.select.remove(at: index) } }
        for index in query.expand.indices {
            with { $0.expand.remove(at: index) }
            for options in smaller(query.expand[index].options) {
                with { $0.expand[index].options = options }
            }
        }
        if let filter = query.filter {
            for smaller in OracleTrees.parts(filter) { with { $0.filter = smaller } }
        }
        for index in query.orderBy.indices {
            for smaller in OracleTrees.parts(query.orderBy[index].expression) {
                with { $0.orderBy[index].expression = smaller }
            }
        }
        for index in query.compute.indices {
            for smaller in OracleTrees.parts(query.compute[index].expression) {
                with { $0.compute[index].expression = smaller }
            }
        }
        for steps in smaller(query.apply) { with { $0.apply = steps } }
        return result
    }

    private static func smaller(_ options: NestedOptions) -> [NestedOptions] {
        var result = [NestedOptions()]
        func with(_ change: (inout NestedOptions) -> Void) {
            var copy = options
            change(&copy)
            if copy != options { result.append(copy) }
        }
        with { $0.expand = [] }
        with { $0.filter = nil }
        with { $0.orderBy = [] }
        with { $0.select = [] }
        with { $0.compute = [] }
        with { $0.search = nil }
        with { $0.top = nil }
        with { $0.skip = nil }
        with { $0.levels = nil }
        with { $0.includesCount = false }
        for index in options.orderBy.indices { with { $0.orderBy.remove(at: index) } }
        if let filter = options.filter {
            for smaller in OracleTrees.parts(filter) { with { $0.filter = smaller } }
        }
        for index in options.expand.indices {
            for inner in smaller(options.expand[index].options) {
                with { $0.expand[index].options = inner }
            }
        }
        return result
    }

    private static func smaller(_ steps: [Transformation]) -> [[Transformation]] {
        var result: [[Transformation]] = []
        for index in steps.indices {
            var copy = steps
            copy.remove(at: index)
            result.append(copy)
            for step in smaller(steps[index]) {
                copy = steps
                copy[index] = step
                result.append(copy)
            }
        }
        return result
    }

    private static func smaller(_ step: Transformation) -> [Transformation] {
        func fewer(_ terms: [AggregateTerm]) -> [[AggregateTerm]] {
            terms.indices.map { index in
                var copy = terms
                copy.remove(at: index)
                return copy
            }
        }
        switch step {
        case .filter(let condition): return OracleTrees.parts(condition).map { .filter($0) }
        case .aggregate(let terms) where terms.count > 1:
            return fewer(terms).map { .aggregate($0) }
        case .groupBy(let groupings, let inner):
            let paths = groupings.indices.filter { _ in groupings.count > 1 }.map { index in
                var copy = groupings
                copy.remove(at: index)
                return Transformation.groupBy(copy, inner)
            }
            return paths + smaller(inner).map { .groupBy(groupings, $0) }
        case .concat(let sequences):
            return sequences.indices.flatMap { index in
                smaller(sequences[index]).map { steps in
                    var copy = sequences
                    copy[index] = steps
                    return Transformation.concat(copy)
                }
            }
        case .join(let path, let alias, let steps, let isOuter):
            return smaller(steps).map { .join(path, alias: alias, $0, isOuter: isOuter) }
        case .nest(let terms): return smaller(terms).map { .nest($0) }
        case .addNested(let path, let terms): return smaller(terms).map { .addNested(path, $0) }
        case .orderBy(let items) where items.count > 1:
            return items.map { .orderBy([$0]) }
        case .compute(let items):
            return items.flatMap { item in
                OracleTrees.parts(item.expression).map {
                    .compute([ComputeItem($0, alias: item.alias)])
                }
            }
        default: return []
        }
    }

    private static func smaller(_ terms: [NestedTerm]) -> [[NestedTerm]] {
        terms.indices.flatMap { index -> [[NestedTerm]] in
            var fewer = terms
            fewer.remove(at: index)
            let simpler = smaller(terms[index].steps).map { steps in
                var copy = terms
                copy[index].steps = steps
                return copy
            }
            return (fewer.isEmpty ? [] : [fewer]) + simpler
        }
    }
}
