import ODataSQL
import ODataText
import ODataWire

/// The log of changes as one request sees it: of SQLite, where places are numbers in the order of commits, or of another
/// product, which says itself what a place is.
extension Exchange {
    /// Changed rows of one page, and where the delta ends.
    struct ChangedPage {
        var through: String
        /// One more than the page holds, where more follow.
        var rows: [ChangeLog.ChangedRow]
    }

    /// Where the log stands now; nil where changes of the table are not noted.
    func logMark(of table: TableMapping) throws -> String? {
        switch source {
        case .sqlite: String(try log.currentSequence())
        case .served(let rows): try rows.logMark(of: table.name)
        }
    }

    /// The rows of a table that changed since a token; nil for one that is not known any more.
    ///
    /// - Throws: 400 for a place that the log's database never named.
    func changedRows(
        of table: TableMapping, _ position: DeltaPosition, limit: Int
    ) throws -> ChangedPage? {
        guard position.identity == logIdentity else { return nil }
        guard case .served(let served) = source else {
            return try sequencedRows(of: table, position, limit: limit)
        }
        let span = LogSpan(
            table: table.name, from: position.from, until: position.until,
            through: position.through,
            after: position.after, limit: limit)
        guard let found = try served.loggedRows(span) else { return nil }
        return ChangedPage(
            through: found.through,
            rows: try found.rows.map { row in
                let key = try zip(table.keys, row.key).map { try $0.encoding.scalar(from: $1) }
                return ChangeLog.ChangedRow(
                    key: try TargetRows.rowKey(key, of: table), first: row.first, last: row.last,
                    seen: row.seen)
            })
    }

    private func sequencedRows(
        of table: TableMapping, _ position: DeltaPosition, limit: Int
    ) throws -> ChangedPage? {
        guard let from = Int64(position.from) else { throw DeltaPosition.foreign }
        let current = try log.currentSequence()
        guard try from >= log.expiredSequence(), from <= current,
            try from >= log.trackedSince(table.name)
        else { return nil }
        let end = try position.through.map(Self.sequence) ?? current
        var rows = try log.changedRows(
            table: table.name, from: from, through: end, after: position.after, limit: limit)
        if let until = try position.until.map(Self.sequence) {
            for index in rows.indices where rows[index].first <= until {
                rows[index].seen = try log.sequences(
                    of: rows[index].key, table: table.name, from: from, through: end)
            }
        }
        return ChangedPage(through: String(end), rows: rows)
    }

    private static func sequence(_ mark: String) throws -> Int64 {
        guard let number = Int64(mark) else { throw DeltaPosition.foreign }
        return number
    }

    /// Names the log, and which of its rows the client may see.
    var logIdentity: String { model.logIdentity + (access?.mark ?? "") }
}
