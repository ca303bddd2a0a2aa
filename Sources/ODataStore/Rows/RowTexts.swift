import ODataModel
import ODataSQL
import Synchronization

/// The statements that rows of one table are read and written with, and what their columns are: made once for a mapping and
/// shared by all who read or write a row. Columns stand in one order everywhere: our own, then those of the properties with
/// their companions, the dynamic properties last; of a base image its kind follows.
final class TableTexts: Sendable {
    /// A column of a property, as far as most values need it: nothing of it has a count of references.
    struct Column: Sendable {
        /// The slot of a property of the entity itself; -1 within a complex value.
        let slot: Int
        let owner: StructureID
        let encoding: ColumnEncoding
        let hasOrder: Bool
        let hasOffset: Bool

        var storedCount: Int { 1 + (hasOrder ? 1 : 0) + (hasOffset ? 1 : 0) }

        /// True where two values of one type certainly stand in the column as the same; false also where only their stored form
        /// tells.
        func surelyHolds(_ value: StructureValue, as other: StructureValue) -> Bool {
            guard value.slots.indices.contains(slot), other.slots.indices.contains(slot) else {
                return false
            }
            guard case .scalar(let new)? = value.slots[slot],
                case .scalar(let present)? = other.slots[slot]
            else { return value.slots[slot] == nil && other.slots[slot] == nil }
            switch (new, present) {
            case (.null, .null): return true
            case (.integer(let a), .integer(let b)): return a == b
            case (.boolean(let a), .boolean(let b)): return a == b
            case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
            case (.date(let a), .date(let b)): return a == b
            case (.decimal(let a), .decimal(let b)):
                guard case .scaledDecimal = encoding else { return false }
                return a == b
            case (.dateTimeOffset(let a), .dateTimeOffset(let b)):
                return a.seconds == b.seconds && a.picoseconds == b.picoseconds
                    && a.offsetMinutes == b.offsetMinutes
            default: return false
            }
        }
    }

    let table: TableMapping
    let graph: MetadataGraph
    let encoder: RowEncoder
    let json: StoredJSON
    /// In the order of the table's columns.
    let columns: [Column]
    /// The same of the base images; nil for those themselves.
    let base: TableTexts?
    /// The service never hears of rows of this table.
    let isClientOnly: Bool

    let select: String
    let idOfKey: String
    /// Takes every column; the row is made or written over.
    let write: String
    /// Copies a row into the base images, with the request that is the cause.
    let keepImage: String
    let setState: String
    let delete: String
    let columnCount: Int
    private let names: [String]
    private let updateStart: String
    private let updateEnd: String
    /// The updates that stay prepared, by what they set.
    private let kept = Mutex<[[Int]: String]>([:])
    /// What finds rows, by the columns of the model's relations: as many as it has.
    private let finders = Mutex<[[String]: String]>([:])

    convenience init(_ table: TableMapping, _ graph: MetadataGraph) {
        self.init(table, graph, base: TableTexts(table.baseTable, graph, base: nil))
    }

    private init(_ table: TableMapping, _ graph: MetadataGraph, base: TableTexts?) {
        self.table = table
        self.graph = graph
        self.base = base
        encoder = RowEncoder(table: table, graph: graph)
        json = StoredJSON(graph: graph)
        columns = table.columns.map {
            Column(
                slot: $0.slots.count == 1 ? $0.slots[0] : -1, owner: $0.owner,
                encoding: $0.encoding, hasOrder: $0.orderColumn != nil,
                hasOffset: $0.offsetColumn != nil)
        }
        isClientOnly = graph.isClientOnly(table.entitySet)
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
        let kind = base == nil ? ", _odata_base_kind" : ""
        select = "SELECT \(all)\(kind) FROM \(name) WHERE \(id) = ?"
        idOfKey = "SELECT \(id) FROM \(name) WHERE \(key)"
        write =
            "INSERT INTO \(name) (\(all)) VALUES (\(marks))"
            + " ON CONFLICT (\(id)) DO UPDATE SET \(updates)"
        let state = SQLName.quoted(system.state ?? "_odata_state")
        // What was accepted and not yet downloaded stays known; the rest follows from the queue.
        let copied = names.map {
            $0 == state ? "\($0) & \(EntityState.ofService.rawValue)" : $0
        }
        keepImage =
            "INSERT INTO \(SQLName.quoted(table.baseName)) (\(all), _odata_base_kind,"
            + " _odata_base_request) SELECT \(copied.joined(separator: ", ")), 0, ?"
            + " FROM \(name) WHERE \(id) = ?"
        setState = "UPDATE \(name) SET \(state) = ? WHERE \(id) = ?"
        delete = "DELETE FROM \(name) WHERE \(id) = ?"
    }

    /// Finds the rows in view whose columns have certain values.
    func ids(where columns: [String]) -> String {
        if let known = finders.withLock({ $0[columns] }) { return known }
        var condition = columns.map { SQLName.quoted($0) + " = ?" }.joined(separator: " AND ")
        if let state = table.system.state {
            condition +=
                " AND (\(SQLName.quoted(state)) & \(EntityState.deleted.rawValue)) = 0"
        }
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let text = "SELECT \(id) FROM \(SQLName.quoted(table.name)) WHERE \(condition)"
        finders.withLock { $0[columns] = text }
        return text
    }

    /// Sets some columns, by their positions, of a row. Only as many as an app has forms stay prepared.
    func update(_ columns: [Int]) -> (text: String, isKept: Bool) {
        if let known = kept.withLock({ $0[columns] }) { return (known, true) }
        let text =
            updateStart + columns.map { names[$0] }.joined(separator: " = ?, ") + updateEnd
        let isKept = kept.withLock { kept in
            guard kept.count < Self.maximumKept else { return false }
            kept[columns] = text
            return true
        }
        return (text, isKept)
    }

    private static let maximumKept = 24
}

/// The texts of the tables of one mapping, made when they are first needed; any thread may ask.
final class RowTexts: Sendable {
    private let texts = Mutex<[String: TableTexts]>([:])

    /// - Parameter path: The table's, see ``TableMapping/path``.
    func texts(of path: String, in mapping: SchemaMapping) throws -> TableTexts {
        if let known = texts.withLock({ $0[path] }) { return known }
        return texts(of: try mapping.existingTable(path: path), in: mapping.graph)
    }

    func texts(of table: TableMapping, in graph: MetadataGraph) -> TableTexts {
        if let known = texts.withLock({ $0[table.path] }) { return known }
        let made = TableTexts(table, graph)
        texts.withLock { $0[table.path] = made }
        return made
    }
}
