import ODataSQL
import Synchronization

/// The texts of the statements that make rows, the one used last for each table: one creation as a rule names the columns that
/// the last one named, and to write the text anew took as long as to find its statement and to bind the values.
final class InsertTexts: Sendable {
    private struct Kept {
        var columns: [String]
        var text: String
    }

    private struct State {
        var inserts: [TableID: Kept] = [:]
        var keys: [TableID: String] = [:]
    }

    private let state = Mutex(State())

    // Hot: ServerFigures
    /// Makes a row with values for these columns.
    func text(into table: TableMapping, _ columns: [String]) -> String {
        state.withLock { state in
            if let kept = state.inserts[table.id], kept.columns == columns { return kept.text }
            let text = Self.text(into: table.name, columns)
            state.inserts[table.id] = Kept(columns: columns, text: text)
            return text
        }
    }

    private static func text(into table: String, _ columns: [String]) -> String {
        let name = SQLName.quoted(table)
        guard !columns.isEmpty else { return "INSERT INTO \(name) DEFAULT VALUES" }
        let list = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(name) (\(list)) VALUES (\(marks))"
    }

    /// Reads the key of the row that has a row id.
    func keyText(of table: TableMapping, rowID: String) -> String {
        state.withLock { state in
            if let text = state.keys[table.id] { return text }
            let list = table.keys.flatMap(\.storedColumns).map { SQLName.quoted($0) }
                .joined(separator: ", ")
            let text =
                "SELECT \(list.isEmpty ? "1" : list) FROM \(SQLName.quoted(table.name))"
                + " WHERE \(rowID) = ?"
            state.keys[table.id] = text
            return text
        }
    }
}
