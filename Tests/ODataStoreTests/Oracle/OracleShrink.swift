import ODataModel
import ODataQuery

/// Makes a query smaller in every way that keeps it a query, so that a difference is shown by the least one.
enum OracleShrink {
    typealias Tree = ODataQuery.Expression

    /// The smallest query that still differs, after at most so many trials.
    static func least(_ query: Query, trials: Int = 300, _ differs: (Query) -> Bool) -> Query {
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
        with { $0.top = nil }
        with { $0.skip = nil }
        with { $0.includesCount = false }
        for index in query.orderBy.indices { with { $0.orderBy.remove(at: index) } }
        for index in query.expand.indices {
            with { $0.expand.remove(at: index) }
            with { $0.expand[index].options = NestedOptions() }
            with { $0.expand[index].options.expand = [] }
            with { $0.expand[index].options.filter = nil }
            with { $0.expand[index].options.orderBy = [] }
        }
        if let filter = query.filter {
            for smaller in parts(filter) { with { $0.filter = smaller } }
        }
        for index in query.orderBy.indices {
            for smaller in parts(query.orderBy[index].expression) {
                with { $0.orderBy[index].expression = smaller }
            }
        }
        return result
    }

    /// An expression with one operand in its place, or with a smaller operand.
    private static func parts(_ tree: Tree) -> [Tree] {
        switch tree {
        case .unary(let symbol, let operand):
            return [operand] + parts(operand).map { .unary(symbol, $0) }
        case .binary(let symbol, let left, let right):
            return [left, right] + parts(left).map { .binary(symbol, $0, right) }
                + parts(right).map { .binary(symbol, left, $0) }
        case .call(let function, let arguments):
            return arguments
                + arguments.indices.flatMap { index in
                    parts(arguments[index]).map { smaller in
                        var copy = arguments
                        copy[index] = smaller
                        return .call(function, copy)
                    }
                }
        case .cast(let operand?, let type):
            return [operand] + parts(operand).map { .cast($0, type: type) }
        case .isIn(let operand, let list):
            return list.indices.map { index in
                var copy = list
                copy.remove(at: index)
                return .isIn(operand, copy)
            } + parts(operand).map { .isIn($0, list) }
        case .lambda(let operation, let path, let variable, let predicate?):
            return parts(predicate).map {
                .lambda(operation, path, variable: variable, predicate: $0)
            }
        default: return []
        }
    }
}
