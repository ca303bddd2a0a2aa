import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension FuzzTarget {
    static func readJSON(_ bytes: [UInt8]) {
        tolerating {
            let value = try JSONValue(parsing: bytes)
            let written = value.bytes
            let again = try JSONValue(parsing: written)
            precondition(again == value, "Expected the same JSON again.")
        }
        // Pieces that end anywhere must make no difference.
        let whole = Result { try JSONValue(parsing: bytes) }
        let size = max(1, Int(bytes.first ?? 1) % 7)
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        let inPieces = Result {
            var reader = JSONReader(source: ByteParts(pieces), bufferSize: 16)
            let value = try reader.readValue()
            try reader.finish()
            return value
        }
        switch (whole, inPieces) {
        case (.success(let first), .success(let second)): precondition(first == second)
        case (.failure, .failure): break
        default:
            precondition(
                bytes.starts(with: [0xef, 0xbb, 0xbf]), "Expected pieces to read as the whole.")
        }
        readEntities(bytes)
        readRows(bytes)
        tolerating { _ = try ErrorPayload(json: bytes) }
        tolerating { _ = try ServiceDocument(json: bytes) }
    }

    private static func readEntities(_ bytes: [UInt8]) {
        guard let model, let tool = model.structure(named: "Ws.Tool") else {
            preconditionFailure("Expected the model to be read.")
        }
        let set = model.entitySet(named: "Tools")
        for dialect in [Dialect.v4, .v2] {
            let reader = EntityJSONReader(model, dialect: dialect)
            tolerating {
                let page = try reader.page(bytes, of: tool, in: set)
                _ = try EntityJSONWriter(model, dialect: dialect).page(page, of: tool, in: set)
            }
            tolerating { _ = try reader.entity(bytes, of: tool, in: set) }
            tolerating { _ = try reader.property(bytes, as: TypeReference(.structure(tool))) }
            tolerating { _ = try reader.references(bytes) }
            let service = EntityJSONReader(model, dialect: dialect, isRequest: true)
            tolerating { _ = try service.entity(bytes, of: tool, in: set) }
        }
    }

    /// Rows are the same whether they come whole, in pieces, or in the compact encoding.
    private static func readRows(_ bytes: [UInt8]) {
        let whole = Result { try rows(RowPage(bytes)) }
        let size = max(1, Int(bytes.last ?? 1) % 11)
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        let inPieces = Result { try rows(RowPage(source: ByteParts(pieces))) }
        precondition(
            (try? whole.get()) == (try? inPieces.get()), "Expected the same rows in pieces.")
        tolerating {
            guard let compact = try CompactRows.encode(bytes), case .success(let rows) = whole
            else { return }
            let again = try self.rows(RowPage(compact))
            precondition(again == rows, "Expected the same rows in the compact encoding.")
        }
        _ = bytes.withUnsafeBytes(PageTail.nextLink)
    }

    private static let shape = RowShape(
        path: "Tools", columns: ["Id", "Title", "Price", "Size", "Size/Height", "Tags"],
        navigations: ["Parts"])

    private static func rows(_ page: consuming RowPage) throws -> [String] {
        var reader = RowReader(shape: shape)
        var sink = RowText()
        while try !reader.read(&page, into: &sink) {}
        return sink.lines
    }

    static func readAtom(_ bytes: [UInt8]) {
        guard let model, let tool = model.structure(named: "Ws.Tool") else {
            preconditionFailure("Expected the model to be read.")
        }
        let set = model.entitySet(named: "Tools")
        let reader = AtomReader(model)
        tolerating {
            let page = try reader.page(bytes, of: tool, in: set)
            _ = try EntityJSONWriter(model, dialect: .v4).page(page, of: tool, in: set)
        }
        tolerating { _ = try reader.entity(bytes, of: tool, in: set) }
        tolerating { _ = try AtomReader(model, isRequest: true).entity(bytes, of: tool, in: set) }
        tolerating { _ = try reader.property(bytes, as: TypeReference(.structure(tool))) }
        for type in [PrimitiveType.geography, .geometryCollection] {
            tolerating { _ = try reader.property(bytes, as: TypeReference(.primitive(type))) }
        }
        tolerating { _ = try reader.reference(bytes) }
        tolerating { _ = try reader.references(bytes) }
        tolerating { _ = try ErrorPayload(xml: bytes) }
        tolerating { _ = try ServiceDocument(xml: bytes) }
    }
}

/// What rows say, a line for each.
private struct RowText: RowSink {
    var lines: [String] = []

    mutating func receive(_ row: IncomingRow) throws {
        var parts = ["\(row.kind)"]
        for field in row.fields { parts.append("\(field.kind) \(row.text(field) ?? "")") }
        for control in RowControl.allCases {
            parts.append("\(row[control].kind) \(row.text(row[control]) ?? "")")
        }
        for navigation in row.navigations {
            parts.append("\(navigation.part) \(row.text(navigation.field) ?? "")")
        }
        if row.kind == .removed { _ = try row.removal() }
        lines.append(parts.joined(separator: ", "))
    }
}
