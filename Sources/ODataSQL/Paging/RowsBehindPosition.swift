import ODataModel
import ODataQuery

/// The condition for the rows that come behind a row in a total order, built in one place for all who read in pages: pages
/// stay apart while rows come and go, because each begins behind the last row of the one before and not at a number
/// (Protocol 4.01, section 11.2.6.7).
///
/// Of each value that orders the rows it is told what the same value means and what a later one; who asks decides how null
/// and the numbers that are none compare.
struct RowsBehindPosition<Condition: JoinedCondition> {
    /// How the rows behind compare with one of the values of the row before them.
    struct Bound {
        /// Rows with the same value.
        let equal: Condition
        /// Rows with a later value; nil where none is later.
        let beyond: Condition?
    }

    /// From the value that decides first to the one that decides last.
    let bounds: [Bound]

    /// Nil where no row is behind the last value of all.
    var condition: Condition? {
        var alternatives: [Condition] = []
        var equal: [Condition] = []
        for bound in bounds {
            if let beyond = bound.beyond { alternatives.append(.all(equal + [beyond])) }
            equal.append(bound.equal)
        }
        return alternatives.isEmpty ? nil : .any(alternatives)
    }
}

/// A condition that is joined with others: an expression of a query, or SQL.
protocol JoinedCondition {
    /// True where all are; there is at least one.
    static func all(_ conditions: [Self]) -> Self
    /// True where one is; there is at least one.
    static func any(_ conditions: [Self]) -> Self
}

extension Expression: JoinedCondition {
    static func all(_ conditions: [Expression]) -> Expression {
        conditions.joined(.and) ?? .literal(.boolean(true), .boolean)
    }

    static func any(_ conditions: [Expression]) -> Expression {
        conditions.joined(.or) ?? .literal(.boolean(false), .boolean)
    }
}

extension SQLText: JoinedCondition {
    static func all(_ conditions: [SQLText]) -> SQLText { "(\(conditions.joined(" AND ")))" }
    static func any(_ conditions: [SQLText]) -> SQLText { "(\(conditions.joined(" OR ")))" }
}
