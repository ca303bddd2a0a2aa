import Foundation
import ODataQuery
import ODataText

/// A service in memory that knows the truth: every effect of every write, by whom and in which order.
///
/// Paths, payloads and rules are its own, written from the texts; only the reading and writing of JSON is the product's. One worker of a
/// simulation runs at a time, so that nothing here needs a lock.
final class FieldService: @unchecked Sendable {
    static let root = "http://service.test/"

    /// More exchanges than any schedule needs.
    private static let patience = 3_000

    let traits: FieldTraits
    var model: FieldModel
    var rows: [String: [FieldKey: FieldRow]] = [:]
    /// What was changed, in order: for deltas.
    private(set) var changes: [(set: String, key: FieldKey)] = []
    private(set) var effects: [FieldEffect] = []
    /// What a client should not have asked, with the clause.
    var remarks: [String] = []
    /// The client and the name of each row of which a change was refused for what others had done.
    private(set) var conflicts: Set<String> = []
    /// A set is not there any more, or was not for a while.
    var hasGivenUp = false
    /// The type of a property has changed.
    var hasChanged = false
    /// The names of rows that were deleted, and by which client; 0 for others.
    private(set) var removals: [(name: String, client: Int)] = []
    private(set) var exchanges = 0
    /// The names of rows that are or were there, by set and key.
    private var names: [String: String] = [:]
    private var nextRow = 1
    private var nextKey = 1
    /// The first answers of repeatable requests by their identity, with what was asked.
    private var answers: [String: (asked: String, answer: ResponseMessage)] = [:]
    /// The states of rows that pages have brought to each client, by their tags.
    private var delivered: [Int: Set<String>] = [:]
    /// Who asks now.
    private(set) var client = 0
    /// What `$1` and its like stand for in the change set that is carried out now.
    var references: [String: String] = [:]

    /// What others do up to now, before anybody is answered.
    var others: (() -> Void)?
    /// Whether it fails now and then, as its traits say.
    var isFaulty = true
    private var random: SeededGenerator

    init(_ traits: FieldTraits, seed: UInt64) {
        self.traits = traits
        random = SeededGenerator(seed: seed ^ 0x9E37_79B9)
        model = FieldModel(traits)
        for set in model.sets.keys { rows[set] = [:] }
    }

    // MARK: What others do

    /// Adds a row that no client made.
    func add(_ values: [String: JSONValue], to set: String) {
        let key: FieldKey =
            model.givesKey(of: set) ? .number(takeKey()) : .text("s\(takeKey())")
        store(FieldRow(set: set, key: key, number: takeNumber(), values: values))
    }

    /// What is there when a schedule begins.
    func fill() {
        for number in 1...5 {
            add(
                [
                    "Name": .string("s\(number)"), "Text": .string("sample \(number)"),
                    "Size": .number("\(number * 2)"), "Extra": .string("extra"),
                ], to: "Orders")
        }
        guard traits.hasItems, let order = sorted("Orders").first else { return }
        for number in 1...2 {
            add(
                [
                    "Name": .string("i\(number)"), "Text": .string("item \(number)"),
                    "OrderKey": order.key.json, "Done": .boolean(false),
                ], to: "Items")
        }
    }

    func change(_ key: FieldKey, in set: String, _ change: (inout FieldRow) -> Void) {
        guard var row = rows[set]?[key] else { return }
        change(&row)
        row.author = 0
        row.version += 1
        store(row)
    }

    func remove(_ key: FieldKey, from set: String, by client: Int = 0) {
        guard let row = rows[set]?.removeValue(forKey: key) else { return }
        changes.append((set, key))
        removals.append((row.name, client))
    }

    /// The name of the row that is or was at an address.
    func name(at url: String) -> String? { FieldTarget(url).flatMap { names[$0.path] } }

    /// Whether there is something at an address.
    func isThere(_ url: String) -> Bool {
        guard let (set, key) = FieldTarget(url)?.place, let key else { return false }
        return rows[set]?[key] != nil
    }

    /// All rows of a set, by key.
    func sorted(_ set: String) -> [FieldRow] {
        (rows[set] ?? [:]).values.sorted { $0.key < $1.key }
    }

    func takeKey() -> Int {
        defer { nextKey += 1 }
        return nextKey
    }

    func takeNumber() -> Int {
        defer { nextRow += 1 }
        return nextRow
    }

    func store(_ row: FieldRow) {
        rows[row.set, default: [:]][row.key] = row
        names["\(row.set)(\(row.key))"] = row.name
        changes.append((row.set, row.key))
    }

    func note(_ kind: FieldEffect.Kind, _ row: FieldRow, over old: FieldRow?, wasTagged: Bool) {
        effects.append(
            FieldEffect(
                kind: kind, client: client, set: row.set, row: row.number, name: row.name,
                before: old?.text ?? "", after: kind == .delete ? "" : row.text,
                wasTagged: wasTagged, wasUnseen: old.map(isUnseen) ?? false, exchange: exchanges))
    }

    /// A page or a delta has this state of a row.
    func deliver(_ row: FieldRow) { delivered[client, default: []].insert(row.tag) }

    private func isUnseen(_ row: FieldRow) -> Bool {
        // What was there in the beginning came with the store that a client starts from.
        row.author != client && row.version > 1 && delivered[client]?.contains(row.tag) != true
    }

    /// Everything that a failed change set takes back.
    struct Snapshot {
        fileprivate let rows: [String: [FieldKey: FieldRow]]
        fileprivate let changes: Int
        fileprivate let effects: Int
        fileprivate let removals: Int
        fileprivate let answers: [String: (asked: String, answer: ResponseMessage)]
    }

    var snapshot: Snapshot {
        Snapshot(
            rows: rows, changes: changes.count, effects: effects.count, removals: removals.count,
            answers: answers)
    }

    func restore(_ old: Snapshot) {
        rows = old.rows
        changes.removeLast(changes.count - old.changes)
        effects.removeLast(effects.count - old.effects)
        removals.removeLast(removals.count - old.removals)
        answers = old.answers
    }

    // MARK: Requests

    /// The answer to a client's request.
    func respond(_ request: RequestMessage, from client: Int) -> ResponseMessage {
        others?()
        self.client = client
        exchanges += 1
        guard exchanges < Self.patience else {
            if exchanges == Self.patience { remarks.append("the clients never stop asking") }
            return ResponseMessage(status: 503)
        }
        guard let target = FieldTarget(request.url) else {
            return refusal(FieldRefusal(404, "no such address: \(request.url)"))
        }
        if target.path == "$batch" {
            guard traits.hasBatches else {
                return refusal(FieldRefusal(501, "there are no batches"))
            }
            if isFaulty, traits.batchRefusals > 0, random.next() % 100 < traits.batchRefusals {
                return refusal(FieldRefusal(random.next() % 2 == 0 ? 500 : 400, "no batch today"))
            }
            return FieldBatch(self).answer(request)
        }
        return answer(request, target)
    }

    /// The answer to one request, which may be of a batch.
    func answer(_ request: RequestMessage, _ target: FieldTarget) -> ResponseMessage {
        guard traits.isRepeatable, let identity = request.headers["Repeatability-Request-ID"] else {
            return once(request, target)
        }
        let asked =
            request.method + " " + target.path + String(decoding: request.body, as: UTF8.self)
        if let known = answers[identity] {
            guard known.asked == asked else {
                remarks.append("an identity came again with another request: \(asked)")
                return refusal(FieldRefusal(400, "another request has this identity"))
            }
            return known.answer
        }
        var answer = once(request, target)
        answer.headers["Repeatability-Result"] = "accepted"
        answers[identity] = (asked, answer)
        return answer
    }

    private func once(_ request: RequestMessage, _ target: FieldTarget) -> ResponseMessage {
        do throws(FieldRefusal) {
            var answer = try route(request, target)
            answer.headers[traits.isV2 ? "DataServiceVersion" : "OData-Version"] =
                traits.isV2 ? "2.0" : "4.0"
            return answer
        } catch {
            if [404, 409, 412].contains(error.status), let name = names[target.path] {
                conflicts.insert("\(client) \(name)")
            }
            return refusal(error)
        }
    }

    func refusal(_ refusal: FieldRefusal) -> ResponseMessage {
        let message =
            traits.isV2
            ? "{\"lang\":\"en\",\"value\":\"\(refusal.reason)\"}" : "\"\(refusal.reason)\""
        return ResponseMessage(
            status: refusal.status,
            headers: [
                "Content-Type": "application/json",
                traits.isV2 ? "DataServiceVersion" : "OData-Version": traits.isV2 ? "2.0" : "4.0",
            ],
            body: Array("{\"error\":{\"code\":\"\(refusal.status)\",\"message\":\(message)}}".utf8))
    }

    private func route(
        _ request: RequestMessage, _ target: FieldTarget
    ) throws(FieldRefusal) -> ResponseMessage {
        switch target.path {
        case "$metadata":
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"],
                body: Array(model.document.utf8))
        case "": return FieldReads(self).serviceDocument()
        default: break
        }
        if target.path.hasSuffix("/$count"), model.sets[String(target.path.dropLast(7))] != nil {
            return try FieldReads(self).count(String(target.path.dropLast(7)), target)
        }
        guard let (set, key) = target.place, model.sets[set] != nil else {
            throw FieldRefusal(404, "no such set: \(target.path)")
        }
        switch (request.method, key) {
        case ("GET", let key?): return try FieldReads(self).row(set, key)
        case ("GET", nil): return try FieldReads(self).page(set, target, request)
        case ("POST", nil): return try FieldWrites(self, request).create(in: set)
        case (traits.isV2 ? "MERGE" : "PATCH", let key?):
            return try FieldWrites(self, request).update(key, in: set)
        case ("PUT", let key?): return try FieldWrites(self, request).update(key, in: set)
        case ("DELETE", let key?): return try FieldWrites(self, request).delete(key, from: set)
        default: throw FieldRefusal(405, "\(request.method) \(target.path)")
        }
    }
}

struct FieldRefusal: Error {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason.replacing("\"", with: "'").replacing("\\", with: "/")
    }
}

/// Where a request goes: the path below the root, and the options of its query, decoded.
struct FieldTarget {
    let path: String
    let options: [String: String]

    init?(_ url: String) {
        var rest = Substring(url)
        if rest.hasPrefix(FieldService.root) { rest = rest.dropFirst(FieldService.root.count) }
        guard !rest.contains("://") else { return nil }
        while rest.hasPrefix("/") { rest = rest.dropFirst() }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts[0].removingPercentEncoding else { return nil }
        self.path = path
        var options: [String: String] = [:]
        for part in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair[0].removingPercentEncoding,
                let value = pair.count > 1 ? pair[1].removingPercentEncoding : ""
            else { return nil }
            options[name] = value
        }
        self.options = options
    }

    /// The set, and the key where one is named: `Orders`, `Orders(5)`, `Orders(Key=5)`.
    var place: (set: String, key: FieldKey?)? {
        guard let open = path.firstIndex(of: "(") else { return (path, nil) }
        guard path.hasSuffix(")") else { return nil }
        var inner = path[path.index(after: open)...].dropLast()
        if inner.hasPrefix("Key=") { inner = inner.dropFirst(4) }
        guard let key = FieldKey(inner) else { return nil }
        return (String(path[..<open]), key)
    }
}
