import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

/// Writes the rows of a result as the JSON objects that ``EntityJSONWriter`` would make of them, from where SQLite put them:
/// no entity, value or text is made in between.
///
/// Only for rows that are nothing but columns, which most answers have; all others go the general way.
struct RowJSON {
    private let writer: EntityJSONWriter
    private let table: TableMapping
    private let members: [Member]
    private let keySlots: [Int]
    private let tagName: [UInt8]
    private let versions: RowVersions?
    /// The rows bring their tags, as those of other databases than SQLite do.
    private let hasTags: Bool
    private var lastTag: (version: Int64, text: String)?

    /// A property that is written.
    struct Member: Sendable {
        var slot: Int
        /// As it stands in front of the value: `"Name":`.
        var name: [UInt8]
        var type: TypeReference
    }

    /// The properties that rows of a table may have, made once for each model.
    static func members(of table: TableMapping, in graph: MetadataGraph) -> [Member] {
        graph[table.structure].properties.enumerated().compactMap { slot, property in
            guard !property.isNavigation, property.type.primitive != .stream else { return nil }
            return Member(slot: slot, name: member(property.name), type: property.type)
        }
    }

    /// False where rows of a table have to go the general way whatever is in them.
    static func mayWrite(_ exchange: Exchange, _ table: TableMapping) -> Bool {
        isAsked(of: exchange, table) && table.system.type == nil && table.system.dynamic == nil
            && table.system.control == nil && table.system.etag == nil
    }

    /// Whether what the request asks for of a table is no more than its columns.
    private static func isAsked(of exchange: Exchange, _ table: TableMapping) -> Bool {
        exchange.format.level != .full && !exchange.omitsNulls
            && exchange.model.streams[table.id] == nil
    }

    /// Nil where the rows have to go the general way.
    init?(_ exchange: Exchange, _ plan: CollectionPlan, _ result: ResultPage) throws {
        let (table, graph) = (plan.target.table, exchange.graph)
        guard Self.isAsked(of: exchange, table), plan.target.cast == nil,
            plan.original.expand.isEmpty, !plan.hasSelectOptions,
            result.chunks.allSatisfy({ $0.isPlain && $0.declaredType == table.structure })
        else { return nil }
        writer = exchange.writer
        self.table = table
        let kept = plan.keptSlots(of: table.structure, graph: graph)
        let all = exchange.model.rowMembers[table.id] ?? Self.members(of: table, in: graph)
        members = kept.map { kept in all.filter { kept.contains($0.slot) } } ?? all
        keySlots = table.keyColumns.compactMap { table.columns[$0].slots.first }
        tagName = exchange.format.level == .none ? [] : Self.member(writer.control("etag"))
        hasTags = table.system.etag != nil
        versions =
            table.isWritable && !hasTags
            ? try RowVersions(exchange.log, table, rows: result.rowCount) : nil
    }

    private static func member(_ name: String) -> [UInt8] {
        var text = JSONWriter(reservingBytes: name.utf8.count + 3)
        text.name(name)
        return text.bytes
    }

    /// What names a row in the change log.
    func key(of row: Int, in chunk: SQLiteRowChunk) throws -> RowKey {
        if keySlots.count == 1,
            case .integer(let number) = chunk.plainCell(row: row, slot: keySlots[0])
        {
            return RowKey(text: String(number))
        }
        let key = keySlots.map { chunk.value(row: row, slot: $0)?.scalar ?? .null }
        return try TargetRows.rowKey(key, of: table)
    }

    /// The entity tag of a row; nil for rows of views, which have none.
    mutating func tag(of row: Int, in chunk: SQLiteRowChunk) throws -> String? {
        guard let versions else { return hasTags ? chunk.etag(row: row) : nil }
        return text(try versions.version(of: key(of: row, in: chunk)))
    }

    private mutating func text(_ version: Int64) -> String {
        if let lastTag, lastTag.version == version { return lastTag.text }
        let text = EntityTagger.text(version).description
        lastTag = (version, text)
        return text
    }

    // Hot: ServerFigures
    /// Appends a row; one without a key is no entity and left out.
    mutating func append(_ row: Int, of chunk: SQLiteRowChunk, to json: inout JSONWriter) throws {
        guard isEntity(row, chunk) else { return }
        json.beginObject()
        try appendMembers(of: row, chunk, tag: tag(of: row, in: chunk), to: &json)
        json.endObject()
    }

    // Hot: ServerFigures
    /// As ``append(_:of:to:)`` for a row whose key is known to be this one.
    mutating func append(
        _ row: Int, of chunk: SQLiteRowChunk, key: RowKey, to json: inout JSONWriter
    ) throws {
        json.beginObject()
        let tag = try versions.map { text(try $0.version(of: key)) }
        appendMembers(of: row, chunk, tag: tag, to: &json)
        json.endObject()
    }

    /// Nothing addresses a row without a key.
    func isEntity(_ row: Int, _ chunk: SQLiteRowChunk) -> Bool {
        keySlots.allSatisfy { slot in
            switch chunk.plainCell(row: row, slot: slot) {
            case .absent, .null: false
            case .text, .integer, .boolean, .real: true
            case .other:
                chunk.value(row: row, slot: slot)?.scalar.map { $0 != .null } ?? false
            }
        }
    }

    /// What stands in the object of a row.
    func appendMembers(
        of row: Int, _ chunk: SQLiteRowChunk, tag: String?, to json: inout JSONWriter
    ) {
        if let tag, !tagName.isEmpty {
            json.fragment(tagName, expectsValue: true)
            json.string(tag)
        }
        // By position: to take a member out of the list counts references to all that it holds.
        for position in members.indices {
            let slot = members[position].slot
            let cell = chunk.plainCell(row: row, slot: slot)
            if case .absent = cell { continue }
            if case .other = cell {
                guard let value = chunk.value(row: row, slot: slot) else { continue }
                json.fragment(members[position].name, expectsValue: true)
                writer.write(value, as: members[position].type, to: &json)
                continue
            }
            json.fragment(members[position].name, expectsValue: true)
            append(cell, members[position].type, to: &json)
        }
    }

    private func append(_ cell: PlainCell, _ type: TypeReference, to json: inout JSONWriter) {
        switch cell {
        case .text(let bytes): json.string(utf8: bytes)
        case .integer(let value) where type.enumeration == nil && !writer.quotesLongNumbers:
            json.integer(value)
        case .integer(let value): writer.write(.scalar(.integer(value)), as: type, to: &json)
        case .boolean(let value): json.boolean(value)
        case .real(let value): writer.write(.scalar(.double(value)), as: type, to: &json)
        case .absent, .null, .other: json.null()
        }
    }
}
