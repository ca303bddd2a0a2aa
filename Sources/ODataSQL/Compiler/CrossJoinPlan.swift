import ODataModel

/// The statements that answer a cross join of entity sets (URL Conventions 4.01, section 4.15): one for the rows, whatever
/// the number of sets, and one for their number.
package struct CrossJoinPlan: Sendable {
    /// What is read of one of the sets.
    package struct Part: Sendable {
        package var table: TableMapping
        /// Where the rows of the statement hold the entity.
        package var shape: ResultShape
        /// What is expanded below the entity, by statements of their own.
        package var expands: [ExpandPlan]
    }

    /// In the order of the sets.
    package var parts: [Part]
    package var statement: SQLStatement
    package var countStatement: SQLStatement
    /// The columns with the values that order the rows.
    package var order: Range<Int>
    /// How many rows there are at most.
    package var top: Int?

    package var columnCount: Int { order.upperBound }

    /// The tables that the statements read, once for each place where they do.
    package var tables: [String] {
        statement.tables + countStatement.tables + parts.flatMap { $0.expands.flatMap(\.tables) }
    }
}
