import ODataSQL

/// The rows and links as they stand, as far as rules ask for them: of a store within a transaction, or of a table in a test.
package protocol LocalRows {
    var mapping: SchemaMapping { get }

    /// The row as it stands, whether in view or not; nil where there is none.
    func row(_ row: RowReference) throws -> StoredRow?

    /// The rows in view whose columns have these values, as they compare; none where one of them is null.
    func rows(
        in table: TableMapping, where columns: [String], equal arguments: [SQLArgument]
    ) throws -> [RowReference]

    /// The links in view that leave the row through a navigation property, which a link table stores.
    func links(of source: RowReference, through navigation: String) throws -> [LinkReference]

    /// The ids of the rows that links of a table lead from to a row.
    func sources(of target: Int64, in table: LinkTableMapping) throws -> [Int64]
}

extension LocalRows {
    /// The row as reads see it; nil when it is not there or hidden.
    package func visibleRow(_ row: RowReference) throws -> StoredRow? {
        guard let found = try self.row(row), !found.state.contains(.deleted) else { return nil }
        return found
    }
}
