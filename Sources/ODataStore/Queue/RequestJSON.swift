import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText

/// The composite columns of `_odata_request` as JSON text.
struct RequestJSON {
    private let values: ValueJSON
    private static let maximumDepth = 32

    init(graph: MetadataGraph, skipsUnknown: Bool = false) {
        values = ValueJSON(graph: graph, skipsUnknown: skipsUnknown)
    }

    /// The same, but what does not fit the metadata is left out.
    var tolerant: RequestJSON { RequestJSON(graph: values.graph, skipsUnknown: true) }

    // MARK: Writing

    func text(_ body: RequestBody) -> String {
        var writer = JSONWriter()
        write(body, to: &writer)
        return writer.text
    }

    private func write(_ body: RequestBody, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("values")
        values.write(body.values, to: &writer)
        if !body.binds.isEmpty {
            writer.name("binds")
            writer.beginArray()
            for bind in body.binds {
                writer.beginObject()
                writer.name("navigation")
                writer.string(bind.navigation)
                writer.name("rows")
                write(bind.targets, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        if !body.inline.isEmpty {
            writer.name("inline")
            writer.beginArray()
            for child in body.inline {
                writer.beginObject()
                writer.name("navigation")
                writer.string(child.navigation)
                writer.name("row")
                write(child.row, to: &writer)
                writer.name("body")
                write(child.body, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    func text(_ effects: [RequestEffect]) -> String? {
        guard !effects.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginArray()
        for effect in effects { write(effect, to: &writer) }
        writer.endArray()
        return writer.text
    }

    private func write(_ effect: RequestEffect, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("do")
        switch effect {
        case .values(let row, let change, let principal):
            writer.string("values")
            writer.name("row")
            write(row, to: &writer)
            writer.name("values")
            values.write(change, to: &writer)
            if let principal {
                writer.name("principal")
                write(principal, to: &writer)
            }
        case .addLink(let link): write(link, "addLink", to: &writer)
        case .removeLink(let link): write(link, "removeLink", to: &writer)
        case .clearLinks(let source, let navigation):
            writer.string("clearLinks")
            writer.name("source")
            write(source, to: &writer)
            writer.name("navigation")
            writer.string(navigation)
        case .hide(let row):
            writer.string("hide")
            writer.name("row")
            write(row, to: &writer)
        }
        writer.endObject()
    }

    private func write(_ link: LinkReference, _ name: String, to writer: inout JSONWriter) {
        writer.string(name)
        writer.name("source")
        write(link.source, to: &writer)
        writer.name("navigation")
        writer.string(link.navigation)
        writer.name("target")
        write(link.target, to: &writer)
    }

    func text(_ rows: [RowReference]) -> String? {
        guard !rows.isEmpty else { return nil }
        var writer = JSONWriter()
        write(rows, to: &writer)
        return writer.text
    }

    private func write(_ rows: [RowReference], to writer: inout JSONWriter) {
        writer.beginArray()
        for row in rows { write(row, to: &writer) }
        writer.endArray()
    }

    private func write(_ row: RowReference, to writer: inout JSONWriter) {
        writer.beginArray()
        writer.string(row.table)
        writer.integer(row.id)
        writer.endArray()
    }

    static func text(_ headers: HeaderFields) -> String? {
        guard !headers.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginArray()
        for field in headers.fields {
            writer.beginArray()
            writer.string(field.name)
            writer.string(field.value)
            writer.endArray()
        }
        writer.endArray()
        return writer.text
    }

    // MARK: Reading

    /// - Parameter row: what the body is of.
    func body(_ text: String, of row: RowReference) throws -> RequestBody {
        try body(JSONValue(parsing: text), row, depth: 0)
    }

    private func body(
        _ json: JSONValue?, _ row: RowReference, depth: Int
    ) throws -> RequestBody {
        guard let json, depth < Self.maximumDepth else { throw ValueJSON.damaged() }
        var result = RequestBody(values: try structure(json["values"], of: row))
        for bind in json["binds"]?.array ?? [] {
            guard let navigation = bind["navigation"]?.string else { throw ValueJSON.damaged() }
            result.binds.append(
                RequestBody.Bind(navigation: navigation, targets: try rows(bind["rows"])))
        }
        for child in json["inline"]?.array ?? [] {
            guard let navigation = child["navigation"]?.string else { throw ValueJSON.damaged() }
            let row = try self.row(child["row"])
            result.inline.append(
                RequestBody.InlineEntity(
                    navigation: navigation, row: row,
                    body: try body(child["body"], row, depth: depth + 1)))
        }
        return result
    }

    private func structure(_ json: JSONValue?, of row: RowReference) throws -> StructureValue {
        try values.structure(json, expected: values.graph.declaredType(ofTable: row.table))
    }

    func effects(_ text: String?) throws -> [RequestEffect] {
        guard let text, text != "[]" else { return [] }
        return try (try JSONValue(parsing: text).array ?? []).compactMap { json in
            do {
                return try effect(json)
            } catch let error as ODataError where values.skipsUnknown && error.code != .storage {
                return nil
            }
        }
    }

    private func effect(_ json: JSONValue) throws -> RequestEffect {
        switch json["do"]?.string {
        case "values":
            let row = try self.row(json["row"])
            return .values(
                row: row, values: try structure(json["values"], of: row),
                principal: try json["principal"].map { try self.row($0) })
        case "addLink": return .addLink(try link(json))
        case "removeLink": return .removeLink(try link(json))
        case "clearLinks":
            return .clearLinks(
                source: try row(json["source"]), navigation: json["navigation"]?.string ?? "")
        case "hide": return .hide(try row(json["row"]))
        default: throw ValueJSON.damaged()
        }
    }

    private func link(_ json: JSONValue) throws -> LinkReference {
        LinkReference(
            source: try row(json["source"]), navigation: json["navigation"]?.string ?? "",
            target: try row(json["target"]))
    }

    func rows(_ text: String?) throws -> [RowReference] {
        guard let text, text != "[]" else { return [] }
        return try rows(JSONValue(parsing: text))
    }

    private func rows(_ json: JSONValue?) throws -> [RowReference] {
        try (json?.array ?? []).map { try row($0) }
    }

    private func row(_ json: JSONValue?) throws -> RowReference {
        guard let parts = json?.array, parts.count == 2, let table = parts[0].string,
            let id = parts[1].number.flatMap({ Int64($0) })
        else { throw ValueJSON.damaged() }
        return RowReference(table: table, id: id)
    }

    static func headers(_ text: String?) throws -> HeaderFields {
        guard let text, text != "[]" else { return HeaderFields() }
        let fields = try (try JSONValue(parsing: text).array ?? []).map { field in
            guard let parts = field.array, parts.count == 2, let name = parts[0].string,
                let value = parts[1].string
            else { throw ValueJSON.damaged() }
            return HeaderFields.Field(name: name, value: value)
        }
        return HeaderFields(fields)
    }
}
