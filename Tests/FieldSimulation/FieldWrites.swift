import ODataQuery
import ODataText

/// Writes of the service in memory, each with what the texts let a service refuse.
struct FieldWrites {
    let service: FieldService
    let request: RequestMessage

    init(_ service: FieldService, _ request: RequestMessage) {
        self.service = service
        self.request = request
    }

    private var traits: FieldTraits { service.traits }
    private var references: [String: String] { service.references }

    func create(in set: String) throws(FieldRefusal) -> ResponseMessage {
        var values = try body(set)
        let key = try newKey(in: set, values.removeValue(forKey: "Key"))
        var row = FieldRow(set: set, key: key, number: service.takeNumber(), values: values)
        row.author = service.client
        service.store(row)
        service.note(.create, row, over: nil, wasTagged: false)
        return FieldReads(service).single(row, status: 201)
    }

    private func newKey(
        in set: String, _ given: JSONValue?
    ) throws(FieldRefusal) -> FieldKey {
        guard !service.model.givesKey(of: set) else {
            guard given == nil else { throw FieldRefusal(400, "the service gives keys of \(set)") }
            return .number(service.takeKey())
        }
        guard let text = given?.string else { throw FieldRefusal(400, "a row of \(set) has a Key") }
        guard service.rows[set]?[.text(text)] == nil else {
            throw FieldRefusal(409, "\(set)('\(text)') is there")
        }
        return .text(text)
    }

    func update(_ key: FieldKey, in set: String) throws(FieldRefusal) -> ResponseMessage {
        guard var row = service.rows[set]?[key] else {
            throw FieldRefusal(404, "\(set)(\(key)) is not there")
        }
        let isTagged = try checkTag(row)
        let values = try body(set)
        let old = row
        row.values.merge(values.filter { $0.key != "Key" }) { $1 }
        row.version += 1
        row.author = service.client
        service.store(row)
        service.note(.update, row, over: old, wasTagged: isTagged)
        guard traits.returnsChanged, !traits.isV2,
            request.headers["Prefer"]?.contains("return=minimal") != true
        else {
            var answer = ResponseMessage(status: 204)
            if traits.hasTags { answer.headers["ETag"] = row.tag }
            return answer
        }
        return FieldReads(service).single(row)
    }

    func delete(_ key: FieldKey, from set: String) throws(FieldRefusal) -> ResponseMessage {
        guard let row = service.rows[set]?[key] else {
            throw FieldRefusal(404, "\(set)(\(key)) is not there")
        }
        let isTagged = try checkTag(row)
        service.remove(key, from: set, by: service.client)
        service.note(.delete, row, over: row, wasTagged: isTagged)
        return ResponseMessage(status: 204)
    }

    /// - Returns: whether the request names the state that it goes over.
    /// - Throws: 428 without a tag, 412 for another one.
    private func checkTag(_ row: FieldRow) throws(FieldRefusal) -> Bool {
        guard traits.hasTags else { return false }
        guard let given = request.headers["If-Match"] else {
            service.remarks.append("\(request.method) of \(row.name) came without a tag")
            throw FieldRefusal(428, "\(request.method) without If-Match")
        }
        if given == "*" { return false }
        guard given == row.tag else {
            throw FieldRefusal(412, "If-Match is \(given), the tag is \(row.tag)")
        }
        return true
    }

    /// The values of a body that is right in every way.
    private func body(_ set: String) throws(FieldRefusal) -> [String: JSONValue] {
        guard request.headers["Content-Type"]?.hasPrefix("application/json") == true else {
            throw FieldRefusal(415, "Content-Type: \(request.headers["Content-Type"] ?? "none")")
        }
        guard case .object(let object)? = try? JSONValue(parsing: request.body) else {
            throw FieldRefusal(400, "the body is no JSON object")
        }
        var values: [String: JSONValue] = [:]
        for member in object.members where !Self.isControl(member.name) {
            let (name, value) = try resolved(member)
            guard service.model.isDeclared(name, in: set) else {
                throw FieldRefusal(400, "\(set) has no property \(name)")
            }
            guard service.model.fits(value, name, in: set) else {
                throw FieldRefusal(400, "\(name) cannot be \(value.text)")
            }
            if let number = value.integer, number < 0, name.hasSuffix("Key") {
                service.remarks.append("a key of the client's own was sent: \(name) \(number)")
                throw FieldRefusal(400, "\(name) cannot be \(number)")
            }
            values[name] = value
        }
        return values
    }

    private static func isControl(_ name: String) -> Bool {
        name == "__metadata" || name.hasPrefix("@")
    }

    /// A reference to an order (JSON Format 4.01, section 8.5; V2: Operations, "Create") as the value of its foreign key.
    private func resolved(
        _ member: JSONObject.Member
    ) throws(FieldRefusal) -> (String, JSONValue) {
        var address: String?
        if member.name == "Order@odata.bind" || member.name == "Order@bind" {
            address = member.value.string
        } else if member.name == "Order", case .object(let object) = member.value {
            if case .object(let facts)? = object["__metadata"] { address = facts["uri"]?.string }
            address = address ?? object["@id"]?.string ?? object["@odata.id"]?.string
        } else {
            return (member.name, member.value)
        }
        let path = address.map { references[$0] ?? $0 }
        guard let (set, key) = path.flatMap({ FieldTarget($0)?.place }), let key,
            service.rows[set]?[key] != nil
        else { throw FieldRefusal(400, "no order at \(address ?? "nothing")") }
        return ("OrderKey", key.json)
    }
}
