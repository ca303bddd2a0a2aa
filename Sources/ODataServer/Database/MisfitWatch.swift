import GRDB
import Logging
import ODataModel
import ODataSQL
import ODataText
import Synchronization

/// Finds values that are none of their column's type among the rows that changed while a service runs: those that were
/// there before are told at its start.
///
/// What it costs grows with the changes, not with the reads: a read that follows no change looks at one number, and one
/// that follows many looks at some of them.
final class MisfitWatch: Sendable {
    private let checked: Mutex<Int64>
    private let observer: ServiceObserver

    /// - Parameter sequence: the last change before the start.
    init(after sequence: Int64, observer: ServiceObserver) {
        checked = Mutex(sequence)
        self.observer = observer
    }

    /// Looks at what changed since the last time, and logs what does not fit.
    ///
    /// It is for the log alone: what keeps it from looking is logged, too, and costs no answer.
    ///
    /// - Returns: Where the change log stands; nil where that is not known.
    func look(_ database: Database, _ model: ServiceModel) -> Int64? {
        var current: Int64?
        do {
            guard !model.isMirror, !model.isDocument else { return nil }
            let last = try ChangeLog(database).currentSequence()
            current = last
            try lookAtChanges(to: last, database, model)
        } catch {
            Logger(label: "odata.service").warning(
                "What changed could not be looked at for values that do not fit: \(error)")
        }
        return current
    }

    private func lookAtChanges(
        to current: Int64, _ database: Database, _ model: ServiceModel
    ) throws {
        let known = checked.withLock { $0 }
        guard current > known else { return }
        let changes: [Row]
        do {
            changes = try Row.fetchAll(
                try database.cachedStatement(
                    sql: """
                        SELECT sequence, table_name, key FROM _odata_changes
                        WHERE sequence > ? ORDER BY sequence LIMIT \(Self.rowsPerLook)
                        """), arguments: [known])
        } catch {
            // What cannot be looked at keeps no later read.
            _ = advance(from: known, to: min(current, known + Int64(Self.rowsPerLook)))
            throw error
        }
        let isAll = changes.count < Self.rowsPerLook
        let last = isAll ? current : changes.last?.integer("sequence") ?? current
        // Two readers at once: one of them looks. Where it is interrupted, the next one goes on behind these.
        guard advance(from: known, to: last) else { return }
        let tables = Dictionary(
            model.mapping.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<[String]> = []
        for change in changes {
            guard let name = change.text("table_name"), let key = change.text("key"),
                let table = tables[name], seen.insert([name, key]).inserted
            else { continue }
            for column in try misfits(of: RowKey(text: key), in: table, database) {
                tell(column, table, key)
            }
        }
    }

    private func advance(from known: Int64, to last: Int64) -> Bool {
        checked.withLock { checked in
            guard checked == known else { return false }
            checked = last
            return true
        }
    }

    private func misfits(
        of key: RowKey, in table: TableMapping, _ database: Database
    ) throws -> [ODataSQL.ColumnMapping] {
        guard let values = key.values, values.count == table.keys.count else { return [] }
        var found: [ODataSQL.ColumnMapping] = []
        let condition = table.keys.map { "\(SQLName.quoted($0.name)) = ?" }
            .joined(separator: " AND ")
        for part in table.columns.chunks(of: Self.columnsPerLook) {
            let conditions = part.map { column in
                let typing = ColumnTyping(column.type.primitive ?? .string, column.encoding)
                return "(\(typing.misfit(SQLName.quoted(column.name), range: column.range)))"
            }
            let row = try Row.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT \(conditions.joined(separator: ", ")) "
                        + "FROM \(SQLName.quoted(table.name)) WHERE \(condition)"),
                arguments: StatementArguments(values))
            guard let row else { return [] }
            for (position, column) in part.enumerated()
            where Int64.fromDatabaseValue(row[position]) == 1 {
                found.append(column)
            }
        }
        return found
    }

    private func tell(_ column: ODataSQL.ColumnMapping, _ table: TableMapping, _ key: String) {
        let type = column.type.primitive?.name ?? "PrimitiveType"
        let sentence =
            "Conversion error: \(table.name).\(column.name) of the row \(key) is no Edm.\(type)"
            + " and is shown as null."
        observer.noteConversion(sentence)
        Logger(label: "odata.service").warning("\(sentence)")
    }

    private static let rowsPerLook = 1_000
    private static let columnsPerLook = 100
}
