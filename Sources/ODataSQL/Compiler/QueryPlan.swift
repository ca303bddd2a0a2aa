import ODataModel
import ODataQuery

/// The statements that answer a query, and how to read their rows.
package struct QueryPlan: Sendable {
    package enum Result: Sendable, Hashable {
        case entities
        case entity
        /// One property of one entity: slots from the entity down, and the type of the value.
        case property(slots: [Int], type: TypeReference, isRaw: Bool)
        /// Only the number: the statement is ``countStatement``.
        case count
        /// Keys only, as `/$ref` asks.
        case references(isCollection: Bool)
        /// The media stream of one entity (`/$value`).
        case media
    }

    package var table: TableID
    /// The type of the result's entities, after casts.
    package var structure: StructureID
    package var result: Result
    /// Reads the rows; nil when only the count is asked for.
    package var statement: SQLStatement?
    /// Counts the rows before skip and top; nil unless asked for.
    package var countStatement: SQLStatement?
    package var shape: ResultShape
    package var expands: [ExpandPlan]
    /// The rows are no entities: `$apply` made them, and all their values are computed.
    package var isDerived = false

    /// The path names its rows, by a key or a link: some may be known by nothing else.
    package var namesRows = false

    /// How many rows there are at most; nil where the query does not say.
    package var top: Int?

    /// The tables that the statements read, once for each place where they do.
    package var tables: [String] {
        (statement?.tables ?? []) + (countStatement?.tables ?? []) + expands.flatMap(\.tables)
    }

    /// How many columns the rows have, with those of related rows.
    package var columnCount: Int { expands.compactMap(\.joined?.count).max() ?? shape.count }
}

/// One expanded navigation property: one statement for all parent rows.
///
/// The statement takes the parents' identities as a JSON array (``SQLStatement/arguments(parentRows:)``): internal ids, or
/// arrays of key values where the parent table has none. Rows come in the order of the parents, each with its parent's
/// position in the array.
package struct ExpandPlan: Sendable {
    package var navigation: NavigationMapping
    package var kind: ExpandTerm.Kind
    package var table: TableID
    /// Reads the rows; nil for `/$count`.
    package var statement: SQLStatement?
    /// Parent position and number of rows before skip and top; nil unless asked for.
    package var countStatement: SQLStatement?
    package var shape: ResultShape
    package var children: [ExpandPlan]
    /// The same without a look at the parents' table; nil where that takes more than one column.
    package var byColumn: ByColumn?
    /// The shape of the related row within the rows of the parents, where their statement reads it: then neither of the
    /// other statements is run.
    package var joined: ResultShape?
    /// How the parents' statement can read the rows; nil where it cannot.
    var join: RelatedRowJoin?

    /// Statements for the values of one column of the parents, which mostly are read with them, instead of their
    /// identities.
    package struct ByColumn: Sendable {
        /// Nil for the internal id.
        package var column: ColumnMapping?
        package var statement: SQLStatement?
        package var countStatement: SQLStatement?
    }
    /// As ``QueryPlan/tables``, with those of nested expansions.
    package var tables: [String] {
        (statement?.tables ?? []) + (countStatement?.tables ?? []) + children.flatMap(\.tables)
    }

    /// The rows are no entities: `$apply` made them for each parent, and all their values are computed.
    package var isDerived = false
    /// The name of a collection that no property declares; nil for the navigation property's own.
    package var alias: String?
    /// The column of the parents' result that the statements are told instead of identities; nil where they are told those.
    package var parentIndex: Int?
}
