import ODataSQL
import ODataSyncPlan

/// What rules of local writes ask, answered from the file.
extension StoreTransaction: LocalRows {
    func row(_ row: RowReference) throws -> StoredRow? {
        try access(row.table).row(id: row.id)
    }

    func rows(
        in table: TableMapping, where columns: [String], equal arguments: [SQLArgument]
    ) throws -> [RowReference] {
        try access(table).ids(where: columns, equal: arguments).map { reference(table, $0) }
    }

    func links(of source: RowReference, through navigation: String) throws -> [LinkReference] {
        try links.links(source: source, navigation: navigation)
    }

    func sources(of target: Int64, in table: LinkTableMapping) throws -> [Int64] {
        try links.sources(of: target, in: table)
    }
}
