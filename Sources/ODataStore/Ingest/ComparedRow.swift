import GRDB
import ODataSQL
import ODataText
import ODataWire

/// What is here of a row that comes, as one statement tells: which row it is, and whether anything of it is another.
struct ComparedRow {
    let found: FoundRow
    let differs: Bool
    /// A column differs that an index has.
    let changesIndex: Bool
}

extension RowIngest {
    // Hot: Sweep, LongestWrite
    /// Writes a row of a table without local changes: looks for it and compares it by one statement, and writes where it
    /// differs the columns of indexes only if one of them does, because SQLite writes an index anew for each column that
    /// is set, changed or not.
    ///
    /// - Returns: nil where that cannot be asked for at once; nothing is written then.
    mutating func mergeCompared(_ row: IncomingRow, _ statements: RowStatements) throws -> Int64? {
        guard !hasLocalChanges, identified == nil else { return nil }
        guard let comparison = try statements.comparison(database, sql, indexColumns()) else {
            return nil
        }
        try bindAlone(row, to: comparison)
        guard let compared = try comparison.first({ Self.compared($0) }) else {
            return try insertAlone(row, statements)
        }
        let found = compared.found
        if let id = try met(found, statements) { return id }
        guard found.state.isDisjoint(with: IngestSQL.shadowed) else {
            return try writeBase(row, id: found.id, statements)
        }
        guard compared.differs else {
            seen?.insert(found.id)
            noteAside(found.id)
            return found.id
        }
        guard !compared.changesIndex,
            let update = try statements.narrowUpdate(database, sql, state, indexColumns())
        else {
            let update = try statements.update(database, sql, state)
            return try updated(update, id: found.id, try bindAlone(row, to: update))
        }
        return try updated(update, id: found.id, try bindAlone(row, to: update))
    }

    /// The id of a row that is here just as it comes, so that nothing is to be written; nil for every other.
    mutating func known(_ row: IncomingRow) throws -> Int64? {
        guard case .entity = row.kind, !hasLocalChanges, hasKey(row) else { return nil }
        let statements = try statements(for: row)
        guard let comparison = try statements.comparison(database, sql, indexColumns()) else {
            return nil
        }
        try bindAlone(row, to: comparison)
        guard let compared = try comparison.first({ Self.compared($0) }), !compared.differs,
            compared.found.state.isDisjoint(with: IngestSQL.shadowed)
        else { return nil }
        return compared.found.id
    }

    private static func compared(_ columns: borrowing ColumnReader) -> ComparedRow {
        ComparedRow(
            found: found(columns, isOnlyBase: false), differs: columns.int64(3) != 0,
            changesIndex: columns.int64(4) != 0)
    }

    /// The columns that indexes of the table have, read once.
    private mutating func indexColumns() throws -> Set<String> {
        if let indexed { return indexed }
        let names = try String.fetchSet(
            database,
            sql: "SELECT i.name FROM pragma_index_list(?) l, pragma_index_info(l.name) i"
                + " WHERE i.name IS NOT NULL", arguments: [plan.table.name])
        indexed = names
        return names
    }
}
