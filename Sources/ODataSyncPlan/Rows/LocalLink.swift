import ODataText

/// Links of rows created here. `Orders(~local-7)` can never be a key predicate, because no literal begins with `~`;
/// it resolves for the life of the store, also after the service has given the row a key.
package enum LocalLink {
    package static func text(_ row: RowReference) -> String {
        "\(row.table)(~local-\(row.id.magnitude))"
    }

    /// The row that the text names; nil when it is not a link of this form.
    package static func row(_ link: String) -> RowReference? {
        guard let open = link.firstRange(of: "(~local-"), link.last == ")" else { return nil }
        guard let number = Int64(link[open.upperBound...].dropLast()), number > 0 else {
            return nil
        }
        return RowReference(table: String(link[..<open.lowerBound]), id: -number)
    }

    /// The text of `_odata_control` for such a row.
    package static func control(for row: RowReference) -> String {
        var writer = JSONWriter()
        let link = text(row)
        writer.beginObject()
        for name in ["id", "readLink", "editLink"] {
            writer.name(name)
            writer.string(link)
        }
        writer.endObject()
        return writer.text
    }
}
