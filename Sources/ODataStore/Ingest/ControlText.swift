import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// The texts of our own columns that only some rows need.
enum ControlText {
    /// Facts that cannot be worked out from key and metadata.
    private static let kept: [(control: RowControl, name: String)] = [
        (.id, "id"), (.editLink, "editLink"), (.readLink, "readLink"),
        (.mediaReadLink, "mediaReadLink"), (.mediaEditLink, "mediaEditLink"),
        (.mediaContentType, "mediaContentType"), (.mediaETag, "mediaEtag"),
    ]

    static func isNeeded(_ row: IncomingRow) -> Bool {
        row.hasOtherControls && kept.contains { row[$0.control].isString }
    }

    /// One JSON object of the control information that is kept as it was sent.
    static func control(_ row: IncomingRow) -> String? {
        var writer = JSONWriter()
        writer.beginObject()
        for (control, name) in kept where row[control].kind == .string {
            writer.name(name)
            writer.string(row.text(row[control].span))
        }
        writer.endObject()
        return writer.text
    }

    /// As ``control(_:)`` of an entity that came as values; nil where it brings nothing of it.
    static func control(_ information: ControlInformation) -> String? {
        let kept = [
            ("id", information.id), ("editLink", information.editLink),
            ("readLink", information.readLink), ("mediaReadLink", information.mediaReadLink),
            ("mediaEditLink", information.mediaEditLink),
            ("mediaContentType", information.mediaContentType),
            ("mediaEtag", information.mediaETag),
        ].filter { $0.1 != nil }
        guard !kept.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, text) in kept {
            guard let text else { continue }
            writer.name(name)
            writer.string(text)
        }
        writer.endObject()
        return writer.text
    }

    /// As ``dynamic(_:)`` of an entity that came as values.
    static func dynamic(_ value: StructureValue, _ json: EntityJSONWriter) -> String? {
        guard !value.dynamicValues.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, content) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            if case .scalar(.string) = content {
                writer.name("\(name)@odata.type")
                writer.null()
            }
            json.writeDynamic(name, content, to: &writer)
        }
        writer.endObject()
        return writer.text
    }

    /// Dynamic properties as one JSON object, with the types that stand beside them; nil when the row brings none.
    ///
    /// A text without a type says null for it, so that a merge takes away the type of the value that it replaces.
    static func dynamic(_ row: IncomingRow) -> String? {
        guard !row.extras.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        let names = row.extras.map { row.text($0.name) }
        for (name, extra) in zip(names, row.extras) {
            if case .string = extra.field.kind, !name.contains("@"),
                !names.contains(where: { $0 == "\(name)@odata.type" || $0 == "\(name)@type" })
            {
                writer.name("\(name)@odata.type")
                writer.null()
            }
            writer.name(name)
            switch extra.field.kind {
            case .string: writer.string(row.text(extra.field.span))
            case .true: writer.boolean(true)
            case .false: writer.boolean(false)
            case .null, .missing: writer.null()
            case .number, .object, .array: writer.raw(row.bytes(extra.field.span))
            }
        }
        writer.endObject()
        return writer.text
    }

    /// The qualified name of the row's type where it is derived from the table's; nil for the table's own.
    static func derivedType(
        _ row: IncomingRow, of table: TableMapping, in graph: MetadataGraph
    ) -> String? {
        guard row.hasOtherControls, let text = row.text(row[.type]) else { return nil }
        let name = text.split(separator: "#", omittingEmptySubsequences: false).last.map(
            String.init)
        guard let name, let type = graph.structure(named: name), type != table.structure,
            graph.isA(type, table.structure)
        else { return nil }
        return graph[type].qualifiedName
    }
}
