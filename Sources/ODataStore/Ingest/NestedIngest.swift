import GRDB
import ODataSQL
import ODataText
import ODataWire

/// An expanded collection of which a page brought only the beginning.
package struct OpenNavigation: Sendable, Hashable {
    /// The row that the related rows belong to.
    package var row: Int64
    package var navigation: NavigationMapping
    /// Where the rest is.
    package var nextLink: String

    package init(row: Int64, navigation: NavigationMapping, nextLink: String) {
        self.row = row
        self.navigation = navigation
        self.nextLink = nextLink
    }
}

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

    init(
        _ expansion: IngestExpansion, of table: TableMapping, mapping: SchemaMapping,
        database: Database, mode: RowIngest.Mode, handler: any ShadowedRowHandler
    ) throws {
        ingest = try RowIngest(
            expansion.plan, mapping: mapping, database: database,
            mode: mode == .first ? .mergeQuietly : .merge, handler: handler)
        reader = RowReader(shape: expansion.plan.shape)
        navigation = expansion.navigation
        isContained = expansion.plan.table.parent == table.id
        links = LinkIngest(
            navigation: expansion.navigation, target: expansion.plan.table, mapping: mapping,
            database: database,
            looksForBase: try handler.hasLocalChanges(in: table, database: database)
                || handler.hasLocalChanges(in: expansion.plan.table, database: database))
    }

    /// Takes one part of what a row says about the navigation property.
    func take(_ part: RowNavigation, of row: IncomingRow, id: Int64, isWhole: Bool) throws {
        ingest.touched = TouchedRows()
        ingest.parent = isContained ? id : nil
        if part.field.kind == .object || part.field.kind == .array {
            try reader.readNested(row.bytes(part.field.span), into: &ingest)
        } else if part.field.kind != .null {
            throw ODataError(
                .invalidPayload, "Expected related entities or null, found another value.",
                at: .path(row.text(row[.id]) ?? ""))
        }
        guard let touched = ingest.touched else { return }
        if part.part == .delta {
            for target in touched.unlinked { try links.remove(id, target) }
            for target in touched.written { try links.add(id, target) }
        } else {
            let gone = try links.replace(id, with: touched.written, isWhole: isWhole)
            for row in gone { try ingest.removeContained(id: row) }
        }
    }

    /// Takes an entity that a flat delta names beside the rows it is related to.
    func takeEntity(_ bytes: UnsafeRawBufferPointer) throws {
        guard !isContained else { return }
        ingest.touched = nil
        try reader.readNested(bytes, into: &ingest)
    }

    /// Takes a link that a flat delta adds or deletes.
    func take(_ link: FlatLink, from row: Int64, isAdded: Bool) throws {
        guard let target = link.target else {
            // A deleted link to one needs no target.
            if !isAdded { _ = try links.replace(row, with: [], isWhole: true) }
            return
        }
        guard let related = try ingest.id(ofEntity: target) else { return }
        if isAdded { try links.add(row, related) } else { try links.remove(row, related) }
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
}
