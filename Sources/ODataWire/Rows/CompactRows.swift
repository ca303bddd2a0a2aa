import ODataText

/// The compact encoding of pages: member names once, then rows as arrays (docs/compact-rows.md).
///
/// `{"@context":…,"columns":["@etag","Id","Title"],"rows":[["W/\"1\"",7,"Saw"],…],"@nextLink":…}`; a row whose members
/// are not the columns in their order stands as the object that it is in standard JSON.
package enum CompactRows {
    /// What a client accepts and a service answers with.
    package static let mediaType = "application/vnd.offlineodata.rows+json"

    /// Columns that a page may have.
    package static let maximumColumns = 4096

    /// The page in the compact encoding; nil when it is no page, or has no rows.
    ///
    /// - Parameter page: a page in standard JSON of V4.
    package static func encode(_ page: [UInt8]) throws -> [UInt8]? {
        var reader = JSONReader(page)
        var output: [UInt8] = [UInt8(ascii: "{")]
        output.reserveCapacity(page.count)
        var isFirst = true
        var hasRows = false
        guard try reader.peek() == .object else { return nil }
        try reader.beginObject()
        while let name = try reader.nextName() {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            if name == "value" {
                guard try reader.peek() == .array, try encodeRows(&reader, page, into: &output)
                else {
                    return nil
                }
                hasRows = true
            } else {
                append(name: name, to: &output)
                let span = try field(&reader)
                output.append(contentsOf: page[span])
            }
        }
        try reader.finish()
        output.append(UInt8(ascii: "}"))
        return hasRows ? output : nil
    }

    private static func append(name: String, to output: inout [UInt8]) {
        var writer = JSONWriter()
        writer.string(name)
        output += writer.bytes
        output.append(UInt8(ascii: ":"))
    }

    /// Where the next value stands, quotation marks included.
    private static func field(_ reader: inout JSONReader) throws -> Range<Int> {
        _ = try reader.peek()
        let start = reader.offset
        try reader.skipValue()
        return start..<reader.offset
    }

    /// Writes `"columns":[…],"rows":[…]`; false when there is no row to take the columns from.
    ///
    /// Rows that say what they are (removals, links, entities of other sets) stay objects and lend no columns.
    private static func encodeRows(
        _ reader: inout JSONReader, _ page: [UInt8], into output: inout [UInt8]
    ) throws -> Bool {
        var columns: [String] = []
        var leading: [Range<Int>] = []
        try reader.beginArray()
        while try reader.nextElement() {
            guard try reader.peek() == .object else { return false }
            let start = reader.offset
            var names: [String] = []
            var values: [Range<Int>] = []
            try reader.beginObject()
            while let name = try reader.nextName() {
                names.append(name)
                values.append(try field(&reader))
            }
            let row = start..<reader.offset
            if columns.isEmpty {
                guard isPlain(names), !names.isEmpty, names.count <= maximumColumns else {
                    leading.append(row)
                    continue
                }
                columns = names
                begin(columns, leading.map { page[$0] }, &output)
                if !leading.isEmpty { output.append(UInt8(ascii: ",")) }
            } else {
                output.append(UInt8(ascii: ","))
            }
            guard names == columns else {
                output += page[row]
                continue
            }
            for (index, value) in values.enumerated() {
                output.append(UInt8(ascii: index == 0 ? "[" : ","))
                output += page[value]
            }
            output.append(UInt8(ascii: "]"))
        }
        output.append(UInt8(ascii: "]"))
        return !columns.isEmpty
    }

    private static func begin(
        _ columns: [String], _ leading: [ArraySlice<UInt8>], _ output: inout [UInt8]
    ) {
        var writer = JSONWriter()
        writer.beginArray()
        for name in columns { writer.string(name) }
        writer.endArray()
        output += "\"columns\":".utf8
        output += writer.bytes
        output += ",\"rows\":[".utf8
        for (index, row) in leading.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += row
        }
    }

    private static func isPlain(_ names: [String]) -> Bool {
        !names.contains { special.contains($0) }
    }

    /// Members that make a row more than an entity of the page's set.
    static let special: Set<String> = [
        "@odata.context", "@context", "@odata.removed", "@removed",
    ]
}
