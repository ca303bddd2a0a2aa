import GRDB
import ODataModel
import ODataSQL
import ODataText

/// Links that stand in tables of their own, and the rows whose entities they change.
///
/// A link is part of both its entities, and a contained row of the one that contains it: their tags and the change log
/// say so.
struct LinkRows {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    private var database: Database { get throws { try exchange.database } }
    private var mapping: SchemaMapping { exchange.model.mapping }

    /// The quoted names of a table of links, as seen from the row that has the navigation property.
    struct Ends {
        let table: String
        let here: String
        let there: String
        /// A row here has at most one there, and the other way round.
        let isToOne: Bool
        let isInverseToOne: Bool

        init(_ link: LinkTableMapping, isReversed: Bool) {
            table = SQLName.quoted(link.name)
            let (source, target) = (
                SQLName.quoted(link.sourceColumn), SQLName.quoted(link.targetColumn)
            )
            (here, there) = isReversed ? (target, source) : (source, target)
            isToOne = isReversed ? link.isInverseToOne : link.isToOne
            isInverseToOne = isReversed ? link.isToOne : link.isInverseToOne
        }
    }

    private func ends(_ navigation: NavigationMapping) -> Ends? {
        guard case .linkTable(let index, let isReversed) = navigation.storage else { return nil }
        return Ends(mapping.linkTables[index], isReversed: isReversed)
    }

    /// Links two rows; where one has room for a single link, the one it had is gone.
    func add(
        _ navigation: NavigationMapping, from source: Int64, of table: TableMapping,
        to target: Int64
    ) throws {
        guard let ends = ends(navigation) else { return }
        if ends.isToOne { try remove(navigation, from: source, of: table, to: nil) }
        if ends.isInverseToOne {
            let before = try Int64.fetchAll(
                database, sql: "SELECT \(ends.here) FROM \(ends.table) WHERE \(ends.there) = ?",
                arguments: [target])
            for other in before where other != source {
                try remove(navigation, from: other, of: table, to: target)
            }
        }
        try database.execute(
            sql: "INSERT OR IGNORE INTO \(ends.table) (\(ends.here), \(ends.there)) VALUES (?, ?)",
            arguments: [source, target])
        guard try database.changesCount > 0 else { return }
        try touch(source, of: table)
        try touch(target, of: mapping[navigation.target])
    }

    /// Takes links of a row away, all of them or the one to a target.
    func remove(
        _ navigation: NavigationMapping, from source: Int64, of table: TableMapping,
        to target: Int64?
    ) throws {
        guard let ends = ends(navigation) else { return }
        let targets = try Int64.fetchAll(
            database,
            sql:
                "DELETE FROM \(ends.table) WHERE \(ends.here) = ?1 AND (?2 IS NULL OR \(ends.there) = ?2)"
                + " RETURNING \(ends.there)", arguments: [source, target])
        guard !targets.isEmpty else { return }
        try touch(source, of: table)
        for target in targets { try touch(target, of: mapping[navigation.target]) }
    }

    /// Notes a row as changed, or the one that it is part of.
    func touch(_ row: Int64, of table: TableMapping) throws {
        var (row, table) = (row, table)
        while let parent = table.parent {
            let column = SQLName.quoted(table.system.parent ?? "_odata_parent")
            let up = try Int64.fetchOne(
                database,
                sql: "SELECT \(column) FROM \(SQLName.quoted(table.name)) WHERE _odata_id = ?",
                arguments: [row])
            guard let up else { return }
            (row, table) = (up, mapping[parent])
        }
        guard table.isWritable else { return }
        let start = try exchange.log.currentSequence()
        _ = try exchange.log.touch(table, where: "t._odata_id = \(row)", since: start)
    }

    /// Notes the entity that a row is part of as changed; nothing for rows that are part of none.
    func touchContainer(of row: RowTarget) throws {
        guard row.table.parent != nil, let id = try TargetRows(exchange, sees: .all).rowID(of: row)
        else {
            return
        }
        try touch(id, of: row.table)
    }

    /// Notes everything that is linked with a row by tables of links, before the row is deleted.
    func touchLinked(with row: Int64, of table: TableMapping) throws {
        for link in mapping.linkTables {
            for isReversed in [false, true] {
                let (here, there) =
                    isReversed ? (link.target, link.source) : (link.source, link.target)
                guard here == table.id else { continue }
                let ends = Ends(link, isReversed: isReversed)
                let others = try Int64.fetchAll(
                    database, sql: "SELECT \(ends.there) FROM \(ends.table) WHERE \(ends.here) = ?",
                    arguments: [row])
                for other in others { try touch(other, of: mapping[there]) }
            }
        }
    }
}
