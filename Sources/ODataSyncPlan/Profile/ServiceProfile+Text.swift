import ODataQuery
import ODataText

/// A profile as JSON, the form in which a store keeps it.
extension ServiceProfile {
    /// One object; members that say nothing are left out.
    package var text: String {
        var object = JSONObject([.init(name: "reads", value: .object(reads.json))])
        let (keys, updates, met) = json
        if let keys { object["keys"] = .string(keys.rawValue) }
        if let updates { object["updates"] = .string(updates.rawValue) }
        if !met.isEmpty { object["met"] = .array(met.map(\.rawValue).sorted().map { .string($0) }) }
        if !pins.values.isEmpty {
            object["pins"] = .object(
                JSONObject(
                    pins.values.sorted { $0.key < $1.key }.map {
                        .init(name: $0.key, value: .string($0.value))
                    }))
        }
        return JSONValue.object(object).text
    }

    /// Reads ``text``; members and entries of later versions are passed over. Nil for a text that is no object.
    package init?(text: String) {
        guard let value = try? JSONValue(parsing: Array(text.utf8), duplicates: .keepLast),
            let object = value.object
        else { return nil }
        var pins = ProfilePins()
        for member in object["pins"]?.object?.members ?? [] {
            if let text = member.value.string { try? pins.pin(member.name, text) }
        }
        let met = (object["met"]?.array ?? []).compactMap(\.string)
        self.init(
            reads: object["reads"]?.object.map { ReadProfile(json: $0) } ?? ReadProfile(),
            pins: pins, keys: object["keys"]?.string.flatMap { KeyStyle(rawValue: $0) },
            updates: object["updates"]?.string.flatMap { UpdateMethod(rawValue: $0) },
            met: Set(met.compactMap { ProfileEntry(rawValue: $0) }))
    }
}

extension ReadProfile {
    var json: JSONObject {
        var object = JSONObject()
        if let format { object["format"] = .string(format.rawValue) }
        if !untracked.isEmpty { object["untracked"] = Self.json(untracked) }
        if !unexpanded.isEmpty { object["unexpanded"] = Self.json(unexpanded) }
        if let refusedBatch { object["refusedBatch"] = .number(String(refusedBatch)) }
        return object
    }

    init(json: JSONObject) {
        format = json["format"]?.string.flatMap { ReadForm.Format(rawValue: $0) }
        untracked = Self.statuses(json["untracked"])
        unexpanded = Self.statuses(json["unexpanded"])
        refusedBatch = Self.status(json["refusedBatch"])
    }

    private static func json(_ statuses: [String: Int]) -> JSONValue {
        .object(
            JSONObject(
                statuses.sorted { $0.key < $1.key }.map {
                    .init(name: $0.key, value: .number(String($0.value)))
                }))
    }

    private static func statuses(_ value: JSONValue?) -> [String: Int] {
        var statuses: [String: Int] = [:]
        for member in value?.object?.members ?? [] { statuses[member.name] = status(member.value) }
        return statuses
    }

    private static func status(_ value: JSONValue?) -> Int? {
        guard case .number(let text)? = value else { return nil }
        return Int(text)
    }
}
