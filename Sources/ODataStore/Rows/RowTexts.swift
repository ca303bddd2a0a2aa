import ODataSQL
import Synchronization

/// The statements that rows of one table are read and written with. Columns stand in one order everywhere: our own, then
/// those of the properties with their companions, the dynamic properties last.
final class TableTexts: Sendable {
    let select: String
    let idOfKey: String
    /// Takes every column; the row is made or written over.
    let write: String
    let setState: String
    let delete: String
    let columnCount: Int
    private let names: [String]
    private let updateStart: String
    private let updateEnd: String
    /// The updates that stay prepared, by what they set.
    private let kept = Mutex<Set<String>>([])

    init(_ table: TableMapping) {
        let system = table.system
        let own = [
            system.id, system.etag, system.sources, system.state, system.type, system.parent,
            system.control,
        ]
        let names =
            (own.compactMap { $0 } + table.columns.flatMap(\.storedColumns)
            + [system.dynamic].compactMap { $0 }).map { SQLName.quoted($0) }
        let name = SQLName.quoted(table.name)
        let id = SQLName.quoted(system.id ?? "_odata_id")
        let all = names.joined(separator: ", ")
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let updates = names.filter { $0 != id }.map { "\($0) = excluded.\($0)" }
            .joined(separator: ", ")
        let key = table.uniqueColumns.map { SQLName.quoted($0) + " = ?" }
            .joined(separator: " AND ")
        columnCount = names.count
        self.names = names
        updateStart = "UPDATE \(name) SET "
        updateEnd = " = ? WHERE \(id) = ?"
        select = "SELECT \(all) FROM \(name) WHERE \(id) = ?"
        idOfKey = "SELECT \(id) FROM \(name) WHERE \(key)"
        write =
            "INSERT INTO \(name) (\(all)) VALUES (\(marks))"
            + " ON CONFLICT (\(id)) DO UPDATE SET \(updates)"
        setState =
            "UPDATE \(name) SET \(SQLName.quoted(system.state ?? "_odata_state")) = ?"
            + " WHERE \(id) = ?"
        delete = "DELETE FROM \(name) WHERE \(id) = ?"
    }

    /// Sets some columns, by their positions, of a row. Only as many as an app has forms stay prepared.
    func update(_ columns: [Int]) -> (text: String, isKept: Bool) {
        let text =
            updateStart + columns.map { names[$0] }.joined(separator: " = ?, ") + updateEnd
        let isKept = kept.withLock { kept in
            if kept.contains(text) { return true }
            guard kept.count < Self.maximumKept else { return false }
            kept.insert(text)
            return true
        }
        return (text, isKept)
    }

    private static let maximumKept = 24
}

/// The texts of the tables of one mapping, made when they are first needed; any thread may ask.
final class RowTexts: Sendable {
    private let texts = Mutex<[String: TableTexts]>([:])

    func texts(of table: TableMapping) -> TableTexts {
        if let known = texts.withLock({ $0[table.name] }) { return known }
        let made = TableTexts(table)
        texts.withLock { $0[table.name] = made }
        return made
    }
}
