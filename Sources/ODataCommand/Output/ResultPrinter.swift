import ODataClasses
import ODataModel
import ODataText

/// Writes results of queries: JSON, or a table for people.
struct ResultPrinter {
    let console: Console
    let graph: MetadataGraph

    /// What a query returned; `count` is the number of all matching entities where it was asked for.
    func print(_ value: DataValue?, count: Int64? = nil) {
        let json = ResultJSON(graph: graph).value(value)
        if console.isJSON {
            console.print(Self.payload(json, count: count).text)
        } else {
            for line in Self.lines(json) { console.print(line) }
            if let count { console.note("count: \(count)") }
        }
    }

    /// A list goes under `value`, as in a payload; everything else is written as it is.
    static func payload(_ json: JSONValue, count: Int64?) -> JSONValue {
        guard case .array = json else { return json }
        var object = JSONObject()
        if let count { object["@odata.count"] = .number(String(count)) }
        object["value"] = json
        return .object(object)
    }

    /// A table for a list of objects, `name: value` lines for one object, the bare value otherwise.
    static func lines(_ json: JSONValue) -> [String] {
        switch json {
        case .array(let items):
            guard let first = items.first?.object else { return items.map { ResultJSON.cell($0) } }
            var names = first.members.map(\.name)
            for item in items {
                for member in item.object?.members ?? [] where !names.contains(member.name) {
                    names.append(member.name)
                }
            }
            var table = TextTable(names)
            for item in items { table.append(names.map { ResultJSON.cell(item[$0]) }) }
            return table.lines
        case .object(let object):
            return object.members.map { "\($0.name): \(ResultJSON.cell($0.value))" }
        default: return [ResultJSON.cell(json)]
        }
    }
}
