import ODataModel
import ODataQuery

/// Walks over expression trees and the places of a query that hold them.
enum OracleTrees {
    typealias Tree = ODataQuery.Expression

    /// The tree with every part replaced, operands first.
    static func mapped(_ tree: Tree, _ change: (Tree) -> Tree) -> Tree {
        let inner: Tree
        switch tree {
        case .unary(let symbol, let operand): inner = .unary(symbol, mapped(operand, change))
        case .binary(let symbol, let left, let right):
            inner = .binary(symbol, mapped(left, change), mapped(right, change))
        case .isIn(let operand, let members):
            inner = .isIn(mapped(operand, change), members.map { mapped($0, change) })
        case .call(let function, let arguments):
            inner = .call(function, arguments.map { mapped($0, change) })
        case .cast(let operand?, let type): inner = .cast(mapped(operand, change), type: type)
        case .lambda(let symbol, let path, let variable, let predicate?):
            inner = .lambda(
                symbol, path, variable: variable, predicate: mapped(predicate, change))
        case .count(let path, let filter?):
            inner = .count(path, filter: mapped(filter, change))
        default: inner = tree
        }
        return change(inner)
    }

    /// The query with the trees of its filter, order and computed values changed, those of expanded rows too.
    static func mapped(_ query: Query, _ change: (Tree) -> Tree) -> Query {
        var query = query
        query.filter = query.filter.map { mapped($0, change) }
        for index in query.orderBy.indices {
            query.orderBy[index].expression = mapped(query.orderBy[index].expression, change)
        }
        for index in query.compute.indices {
            query.compute[index].expression = mapped(query.compute[index].expression, change)
        }
        for index in query.expand.indices {
            let filter = query.expand[index].options.filter
            query.expand[index].options.filter = filter.map { mapped($0, change) }
        }
        return query
    }

    /// The smallest tree of which the same holds.
    static func least(_ tree: Tree, _ holds: (Tree) -> Bool) -> Tree {
        var best = tree
        while let smaller = parts(best).first(where: holds) { best = smaller }
        return best
    }

    /// Smaller trees of the same kind: an operand in place of the whole, or a smaller operand.
    static func parts(_ tree: Tree) -> [Tree] {
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
            return list.indices.filter { _ in list.count > 1 }.map { index in
                var copy = list
                copy.remove(at: index)
                return .isIn(operand, copy)
            } + parts(operand).map { .isIn($0, list) }
        case .lambda(let operation, let path, let variable, let predicate?):
            return parts(predicate).map {
                .lambda(operation, path, variable: variable, predicate: $0)
            }
        case .count(let path, let filter?):
            return [.count(path, filter: nil)] + parts(filter).map { .count(path, filter: $0) }
        default: return []
        }
    }
}
