/// Rows under headings, columns aligned; on a terminal, cells are cut to what it shows.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []
    private let maximumCell: Int

    /// - Parameter isCut: whether long cells are cut; by default where people read, not where a program does.
    init(
        _ headings: [String], maximumCell: Int = 32,
        isCut: Bool = StandardStream.output.isTerminal
    ) {
        self.headings = headings
        self.maximumCell = isCut ? maximumCell : .max
    }

    mutating func append(_ cells: [String]) {
        rows.append(cells.map(cut))
    }

    /// Lines without trailing blanks; the first holds the headings.
    var lines: [String] {
        let all = [headings] + rows
        let widths = headings.indices.map { column in
            all.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            var line = ""
            for (column, cell) in row.enumerated() where column < widths.count {
                line += cell
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func cut(_ text: String) -> String {
        let line = String(text.map { $0.isNewline ? " " : $0 })
        return line.count <= maximumCell ? line : line.prefix(maximumCell - 1) + "…"
    }
}
