import Foundation
import ODataClasses
import ODataModel
import SAPOData
import Testing

/// What the client made of a payload against the payload itself, which Foundation reads.
struct RecordedValues {
    /// How many values were compared.
    private(set) var count = 0

    /// Whether what was sent holds each recorded member; a replacement of ours also names the key.
    static func holds(_ recorded: String, _ sent: String) -> Bool {
        func members(_ text: String) -> [String: NSObject]? {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: NSObject]
        }
        guard let recorded = members(recorded), let sent = members(sent) else { return false }
        return recorded.allSatisfy { sent[$0.key] == $0.value }
    }

    /// The rows in V2's `d`, `d.results`, `value`, or the object itself.
    static func rows(_ json: Any) throws -> [[String: Any]] {
        var inner = json
        if let object = inner as? [String: Any], let d = object["d"] { inner = d }
        if let object = inner as? [String: Any], let rows = object["results"] ?? object["value"] {
            inner = rows
        }
        if let rows = inner as? [[String: Any]] { return rows }
        return [try #require(inner as? [String: Any])]
    }

    mutating func compare(_ entities: EntityValueList, _ rows: [[String: Any]]) throws {
        #expect(entities.length == rows.count)
        for (entity, row) in zip(entities.toArray(), rows) { try compare(entity, row) }
    }

    /// Every property of the row, nested ones too. Links that were not expanded are left aside.
    mutating func compare(_ value: StructureBase, _ row: [String: Any]) throws {
        for (name, recorded) in row
        where !name.contains("@") && !name.hasPrefix("__") && !name.hasPrefix("#") {
            if let link = recorded as? [String: Any], link["__deferred"] != nil { continue }
            let property = value.structureType.property(withName: name)
            try compare(value.optionalValue(for: property), recorded, name)
        }
    }

    private mutating func compare(_ found: DataValue?, _ recorded: Any, _ name: String) throws {
        switch (found, recorded) {
        case (nil, _): #expect(recorded is NSNull, "\(name): nothing, recorded \(recorded)")
        case (let list as EntityValueList, _):
            let rows = (recorded as? [String: Any])?["results"] ?? recorded
            try compare(list, try #require(rows as? [[String: Any]], "\(name)"))
        case (let nested as StructureBase, let row as [String: Any]): try compare(nested, row)
        case (let list as ListBase, let rows as [Any]):
            #expect(list.length == rows.count, "\(name)")
        case (let basic?, _):
            #expect(Self.text(basic) == Self.text(recorded, as: basic), "\(name)")
            count += 1
        }
    }

    private static func text(_ value: DataValue) -> String {
        if let number = Double(value.toString()), !(value is StringValue) { return "\(number)" }
        return plain(value.toString())
    }

    /// Without what says nothing: the fill of base64url, and how a duration of nothing is spelt.
    private static func plain(_ text: String) -> String {
        text == "P0D" ? "PT0S" : String(text.reversed().drop { $0 == "=" }.reversed())
    }

    /// A recorded value as the client shows values of this kind.
    private static func text(_ recorded: Any, as value: DataValue) -> String {
        if let bool = recorded as? Bool, value is BooleanValue { return bool ? "true" : "false" }
        if let number = recorded as? NSNumber { return "\(number.doubleValue)" }
        guard let text = recorded as? String else { return "\(recorded)" }
        if text.hasPrefix("/Date("), let milliseconds = Double(text.dropFirst(6).dropLast(2)) {
            let moment = Date(timeIntervalSince1970: milliseconds / 1_000)
            return String(moment.ISO8601Format().dropLast())
        }
        if !(value is StringValue), let number = Double(text) { return "\(number)" }
        return plain(text)
    }
}
