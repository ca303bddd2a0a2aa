import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Ids that nested content named.
struct TouchedRows {
    var written: [Int64] = []
    var unlinked: [Int64] = []
}

/// Writes the expanded content of rows: the related rows into their table, then the links.
///
/// Confined to the connection, as the ingest it belongs to.
final class NestedIngest {
    var ingest: RowIngest
    private var reader: RowReader
    private let links: LinkIngest
    let navigation: NavigationMapping
    private let isContained: Bool
    /// Where columns carry the relation, and the rows that come tell all of it.
    private let dropping: (rows: DroppedRows, relation: ColumnRelation)?

    init(
        _ expansion: IngestExpansion, of table: TableMapping, mapping: SchemaMapping,
        database: Database, mode: RowIngest.Mode, handler: any ShadowedRowHandler,
        dropped: DroppedRows? = nil, isDelta: Bool = false, leavesAccepted: Bool = false,
        rowLimit: Int = .max, isTimeUp: @escaping () -> Bool = { false }
    ) throws {
        ingest = try RowIngest(
            expansion.plan, mapping: mapping, database: database,
            mode: mode == .first ? .mergeQuietly : .merge, handler: handler, rowLimit: rowLimit,
            dropped: dropped, isDelta: isDelta, leavesAccepted: leavesAccepted, isTimeUp: isTimeUp)
        reader = RowReader(shape: expansion.plan.shape)
        navigation = expansion.navigation
        isContained = expansion.plan.table.parent == table.id
        links = LinkIngest(
            navigation: expansion.navigation, target: expansion.plan.table, mapping: mapping,
            database: database,
            looksForBase: try handler.hasLocalChanges(in: table, database: database)
                || handler.hasLocalChanges(in: expansion.plan.table, database: database))
        guard let dropped, expansion.tellsRows, !isContained,
            case .columns(let pairs) = navigation.storage
        else {
            dropping = nil
            return
        }
        dropping = (
            dropped,
            ColumnRelation(
                source: table, target: expansion.plan.table, pairs: pairs, database: database,
                looksForBase: links.looksForBase)
        )
    }

    /// Takes one part of what a row says about the navigation property; returns the ids of the related rows it names.
    @discardableResult
    func take(
        _ part: RowNavigation, of row: IncomingRow, id: Int64, isWhole: Bool
    ) throws -> [Int64] {
        ingest.touched = TouchedRows()
        ingest.parent = isContained ? id : nil
        if part.field.kind == .object || part.field.kind == .array {
            try reader.readNested(row.bytes(part.field.span), into: &ingest)
        } else if part.field.kind != .null {
            throw ODataError(
                .invalidPayload, "Expected related entities or null, found another value.",
                at: .path(row.text(row[.id]) ?? ""))
        }
        guard let touched = ingest.touched else { return [] }
        if part.part == .delta {
            try apply(touched, to: id)
        } else {
            try replace(id, with: touched.written, isWhole: isWhole)
        }
        return touched.written
    }

    /// Takes related entities that came as values; returns the ids of their rows.
    func take(_ related: [StructureValue], id: Int64, isWhole: Bool) throws -> [Int64] {
        ingest.touched = TouchedRows()
        ingest.parent = isContained ? id : nil
        for entity in related { try ingest.receive(.entity(entity, nil)) }
        guard let touched = ingest.touched else { return [] }
        try replace(id, with: touched.written, isWhole: isWhole)
        return touched.written
    }

    private func apply(_ touched: TouchedRows, to id: Int64) throws {
        for target in touched.unlinked { try links.remove(id, target) }
        for target in touched.written { try links.add(id, target) }
        dropping?.rows.keep(touched.written, of: ingest.plan.table.id)
        try unlinked(touched.unlinked, from: id)
    }

    /// A delta says that rows are no longer related: what no other way brings has left the source, and no column of it, which
    /// nobody sends any more, will say so. One that has come with another row meanwhile says by its columns that it is there.
    private func unlinked(_ rows: [Int64], from id: Int64) throws {
        // What one row refers to may be referred to by others, which say so by their columns.
        guard let dropping, navigation.isCollection, !rows.isEmpty else { return }
        let relation = dropping.relation
        let current = try relation.rows(
            of: id, sparing: dropping.rows.spared, only: rows.count == 1 ? rows[0] : nil)
        dropping.rows.drop(
            current.intersection(rows), of: relation.target.id,
            by: DroppedRows.Relation(source: relation.source.id, path: navigation.path))
    }

    private func replace(_ id: Int64, with related: [Int64], isWhole: Bool) throws {
        let gone = try links.replace(id, with: related, isWhole: isWhole)
        try ingest.removeContained(gone)
        guard let dropping else { return }
        let relation = dropping.relation
        dropping.rows.keep(related, of: relation.target.id)
        guard isWhole else { return }
        let current = try relation.rows(of: id, sparing: dropping.rows.spared)
        dropping.rows.drop(
            current.subtracting(related), of: relation.target.id,
            by: DroppedRows.Relation(source: relation.source.id, path: navigation.path))
    }

    /// Takes rows of a further page of an expanded collection, until it ends or the transaction should.
    ///
    /// - Returns: true when the page ended.
    func takeRest(_ page: inout RowPage, of open: inout OpenNavigation) throws -> Bool {
        ingest.touched = TouchedRows()
        ingest.parent = isContained ? open.row : nil
        let isComplete = try reader.read(&page, into: &ingest)
        guard let touched = ingest.touched else { return isComplete }
        try apply(touched, to: open.row)
        open.related += touched.written
        return isComplete
    }

    /// The collection has been read to its end: links that no page of it named go.
    func close(_ open: OpenNavigation) throws {
        guard !open.isDelta else { return }
        try replace(open.row, with: open.related, isWhole: true)
    }

    /// Collections below the ones taken since the last call that go on elsewhere.
    func takeOpenNavigations(below path: [Int]) -> [OpenNavigation] {
        ingest.takeOpenNavigations().map { open in
            var open = open
            open.path = path + open.path
            return open
        }
    }

    /// Takes an entity that a flat delta names beside the rows it is related to.
    func takeEntity(_ bytes: UnsafeRawBufferPointer) throws {
        guard !isContained else { return }
        ingest.touched = nil
        try reader.readNested(bytes, into: &ingest)
    }

    /// Takes a link that a flat delta adds or deletes.
    ///
    /// - Returns: false when nobody knows what it leads to.
    func take(_ link: FlatLink, from row: Int64, isAdded: Bool) throws -> Bool {
        guard let target = link.target else {
            // A deleted link to one needs no target.
            if !isAdded { _ = try links.replace(row, with: [], isWhole: true) }
            return !isAdded
        }
        if isAdded, try ingest.id(ofEntity: target) == nil {
            // The entity itself comes with its own set; until then its key is all there is.
            var writer = JSONWriter()
            writer.beginObject()
            writer.name("@odata.id")
            writer.string(target)
            writer.endObject()
            try Array(writer.text.utf8).withUnsafeBytes { try takeEntity($0) }
        }
        guard let related = try ingest.id(ofEntity: target) else { return !isAdded }
        if isAdded {
            try links.add(row, related)
            dropping?.rows.keep([related], of: ingest.plan.table.id)
        } else {
            try links.remove(row, related)
            try unlinked([related], from: row)
        }
        return true
    }

    func finish() throws -> IngestCounts {
        try ingest.finish()
        var counts = ingest.counts
        // Received and page limits count the rows of the page itself.
        counts.received = 0
        return counts
    }
}

/// What an added or deleted link of the 4.0 delta form says.
struct FlatLink {
    var source: String
    var relationship: String
    var target: String?

    init(_ row: IncomingRow) throws {
        var members: [String: String] = [:]
        var reader = row.reader(row.raw)
        try reader.beginObject()
        while let name = try reader.nextName() {
            if ["source", "relationship", "target"].contains(name), try reader.peek() == .string {
                members[name] = try reader.readString()
            } else {
                try reader.skipValue()
            }
        }
        guard let source = members["source"], let relationship = members["relationship"] else {
            throw ODataError(
                .invalidPayload, "Expected a link with its source and relationship, found less.")
        }
        self.source = source
        self.relationship = relationship
        target = members["target"]
    }

    /// - Throws: `invalidPayload` for ends that are not named by their ids.
    init(_ change: LinkChange) throws {
        guard let source = change.source.id, let target = change.target.id else {
            throw ODataError(.invalidPayload, "Expected a link between ids, found keys.")
        }
        self.source = source
        relationship = change.relationship
        self.target = target
    }
}
