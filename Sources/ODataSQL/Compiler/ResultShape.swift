import ODataModel

/// Which values of a result row come from which of its columns.
package struct ResultShape: Sendable, Hashable {
    /// A property's column in the result.
    package struct Column: Sendable, Hashable {
        package var mapping: ColumnMapping
        package var index: Int
        /// Where the offset companion stands.
        package var offsetIndex: Int?
    }

    package var table: TableID
    /// The type of rows without a type of their own.
    package var structure: StructureID
    package var columns: [Column] = []
    package var id: Int?
    package var etag: Int?
    package var type: Int?
    package var state: Int?
    package var control: Int?
    package var dynamic: Int?
    /// The dynamic properties that are selected; nil for all.
    package var openNames: Set<String>?
    /// For each value that orders the rows, whether it does so descending; they are the last columns.
    package var order: [Bool] = []
    /// Values that are no columns of the table.
    package var computed: [Computed] = []
    /// The position of the parent row that an expanded row belongs to.
    package var parentRow: Int?
    /// The first column of the row.
    package var start = 0
    /// Behind the last column of the row that is read.
    package var count = 0

    /// Adds values that are no columns of the table.
    mutating func take(_ list: ComputedList) {
        computed += list.shape
        count += list.items.count
    }

    init(table: TableID, structure: StructureID) {
        self.table = table
        self.structure = structure
    }

    /// The result columns of the key properties; nil when one is not read.
    package func keyColumns(of table: TableMapping) -> [Column]? {
        let keys = table.keys.compactMap { key in columns.first { $0.mapping == key } }
        return keys.count == table.keyColumns.count && !keys.isEmpty ? keys : nil
    }
}

/// The properties that a query selects, as paths.
struct Selection: Sendable {
    /// Nil selects everything.
    var paths: [String]?

    static let all = Selection(paths: nil)

    /// True when the column holds, is part of, or tells the presence of something selected.
    func includes(_ column: ColumnMapping) -> Bool {
        guard let paths else { return true }
        return paths.contains {
            $0 == column.path || column.path.hasPrefix($0 + "/") || $0.hasPrefix(column.path + "/")
        }
    }
}

extension TableMapping {
    /// The first name of a path that leads to no declared property.
    private func openName(_ path: String) -> String? {
        guard let first = path.split(separator: "/").first.map(String.init) else { return nil }
        let isDeclared = { (own: String) in own == first || own.hasPrefix(first + "/") }
        return columns.contains { isDeclared($0.path) }
            || navigations.contains { isDeclared($0.path) }
            ? nil : first
    }

    /// The SELECT list for a selection, our own columns and the key first, and the shape of its rows.
    func selectList(
        alias: String, selection: Selection, structure: StructureID, parentRow: SQLText? = nil,
        relatives: SQLText? = nil
    ) -> (sql: SQLText, shape: ResultShape) {
        var shape = ResultShape(table: id, structure: structure)
        var items: [SQLText] = []
        func add(_ column: String?) -> Int? {
            guard let column else { return nil }
            items.append("\(name: alias).\(name: column)")
            return items.count - 1
        }
        if let parentRow {
            items.append(parentRow)
            shape.parentRow = 0
        }
        shape.id = add(system.id)
        shape.etag = add(system.etag)
        shape.type = add(system.type)
        shape.state = add(system.state)
        if let relatives, let state = shape.state { items[state].append(" | \(relatives)") }
        shape.control = add(system.control)
        for (position, column) in columns.enumerated() {
            guard keyColumns.contains(position) || selection.includes(column) else { continue }
            guard let index = add(column.name) else { continue }
            let offset = column.offsetColumn.flatMap { add($0) }
            shape.columns.append(
                ResultShape.Column(mapping: column, index: index, offsetIndex: offset))
        }
        shape.openNames = selection.paths.map { Set($0.compactMap(openName)) }
        if shape.openNames?.isEmpty != true { shape.dynamic = add(system.dynamic) }
        if items.isEmpty { items.append("1") }
        shape.count = items.count
        return (items.joined(", "), shape)
    }
}
