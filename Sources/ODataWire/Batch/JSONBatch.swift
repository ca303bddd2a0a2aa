import ODataQuery
import ODataText

/// One member of a JSON batch (JSON Format 4.01, section 19.1).
package struct JSONBatchRequest: Sendable, Hashable {
    package var id: String
    /// Neighbours with one name succeed or fail together.
    package var atomicityGroup: String?
    /// Ids of requests and groups that have to succeed first.
    package var dependsOn: [String]
    /// A condition on answers before; the request runs only when it is true.
    package var condition: String?
    package var message: RequestMessage

    package init(
        id: String, atomicityGroup: String? = nil, dependsOn: [String] = [],
        condition: String? = nil, _ message: RequestMessage
    ) {
        self.id = id
        self.atomicityGroup = atomicityGroup
        self.dependsOn = dependsOn
        self.condition = condition
        self.message = message
    }
}

/// One answer of a JSON batch (JSON Format 4.01, section 19.4).
package struct JSONBatchResponse: Sendable, Hashable {
    package var id: String
    package var atomicityGroup: String?
    package var message: ResponseMessage

    package init(id: String, atomicityGroup: String? = nil, _ message: ResponseMessage) {
        self.id = id
        self.atomicityGroup = atomicityGroup
        self.message = message
    }
}

/// Reads and writes JSON batches (JSON Format 4.01, section 19), in memory or member by member from a source.
package enum JSONBatch {
    /// The requests of a batch body.
    ///
    /// - Throws: `malformedText`, `invalidPayload` or `limitExceeded`: the whole batch is to be refused with 400.
    package static func requests(
        _ body: [UInt8], limits: BatchLimits = BatchLimits()
    ) throws -> [JSONBatchRequest] {
        var requests: [JSONBatchRequest] = []
        var reader = JSONReader(body)
        _ = try read(&reader, "requests", limits) { requests.append(try request($0)) }
        try JSONBatchRules.check(requests)
        return requests
    }

    /// Hands over each request as it is read; the rules about ids are the caller's then.
    package static func readRequests(
        from source: any ByteSource, limits: BatchLimits = BatchLimits(),
        _ body: (JSONBatchRequest) throws -> Void
    ) throws {
        var reader = JSONReader(source: source, limits: JSONLimits(tokenBytes: limits.bodyBytes))
        _ = try read(&reader, "requests", limits) { try body(request($0)) }
    }

    /// The answers of a batch body, and where the rest of them is.
    package static func responses(
        _ body: [UInt8], limits: BatchLimits = BatchLimits()
    ) throws -> (responses: [JSONBatchResponse], nextLink: String?) {
        var responses: [JSONBatchResponse] = []
        var reader = JSONReader(body)
        let next = try read(&reader, "responses", limits) { responses.append(try response($0)) }
        return (responses, next)
    }

    /// Hands over each answer as it is read; gives where the rest of them is.
    package static func readResponses(
        from source: any ByteSource, limits: BatchLimits = BatchLimits(),
        _ body: (JSONBatchResponse) throws -> Void
    ) throws -> String? {
        var reader = JSONReader(source: source, limits: JSONLimits(tokenBytes: limits.bodyBytes))
        return try read(&reader, "responses", limits) { try body(response($0)) }
    }

    /// Reads the array of this name member by member; gives the next link beside it.
    private static func read(
        _ reader: inout JSONReader, _ name: String, _ limits: BatchLimits,
        _ body: (JSONObject) throws -> Void
    ) throws -> String? {
        var nextLink: String?
        var isFound = false
        guard try reader.peek() == .object else {
            throw malformed("Expected an object.", at: .offset(0))
        }
        try reader.beginObject()
        while let member = try reader.nextName() {
            guard member == name, try reader.peek() == .array else {
                let value = try reader.readValue(duplicates: .keepLast)
                if member == "@odata.nextLink" || member == "@nextLink" { nextLink = value.string }
                continue
            }
            isFound = true
            var count = 0
            try reader.beginArray()
            while try reader.nextElement() {
                count += 1
                guard count <= limits.messages else {
                    throw ODataError(
                        .limitExceeded, "Expected at most \(limits.messages) messages in a batch.",
                        at: .path("\(name)[\(count - 1)]"))
                }
                let place = ODataError.Location.path("\(name)[\(count - 1)]")
                guard let object = try reader.readValue(duplicates: .keepLast).object else {
                    throw malformed("Expected an object for each message.", at: place)
                }
                do {
                    try body(object)
                } catch var error as ODataError {
                    error.location = error.location ?? place
                    throw error
                }
            }
        }
        try reader.finish()
        guard isFound else { throw malformed("Expected an array named \(name).", at: .path(name)) }
        return nextLink
    }

    private static func request(_ object: JSONObject) throws -> JSONBatchRequest {
        guard let id = object["id"]?.string, !id.isEmpty, let method = object["method"]?.string,
            let url = object["url"]?.string, !url.isEmpty,
            !method.isEmpty, method.utf8.allSatisfy(HeaderText.isTokenByte)
        else { throw malformed("Expected id, method and url of each request.") }
        let headers = try headers(object["headers"])
        let dependsOn = try (object["dependsOn"]?.array ?? []).map { item in
            guard let name = item.string else { throw malformed("Expected ids in dependsOn.") }
            return name
        }
        return JSONBatchRequest(
            id: id, atomicityGroup: object["atomicityGroup"]?.string, dependsOn: dependsOn,
            condition: object["if"]?.string,
            RequestMessage(
                method: method.uppercased(), url: url, headers: headers,
                body: try body(object["body"], headers)))
    }

    private static func response(_ object: JSONObject) throws -> JSONBatchResponse {
        guard let id = object["id"]?.string, let status = object["status"]?.number.flatMap(Int.init)
        else { throw malformed("Expected id and status of each response.") }
        let headers = try headers(object["headers"])
        return JSONBatchResponse(
            id: id, atomicityGroup: object["atomicityGroup"]?.string,
            ResponseMessage(
                status: status, headers: headers, body: try body(object["body"], headers)))
    }

    private static func headers(_ json: JSONValue?) throws -> HeaderFields {
        var fields = HeaderFields()
        for member in json?.object?.members ?? [] {
            guard let text = member.value.string ?? member.value.number,
                member.name.utf8.allSatisfy(HeaderText.isTokenByte)
            else { throw malformed("Expected texts as headers.") }
            fields[member.name] = text
        }
        return fields
    }

    /// JSON as it is, `text/*` as a string, everything else as base64url (JSON Format 4.01, section 19.1).
    private static func body(_ json: JSONValue?, _ headers: HeaderFields) throws -> [UInt8] {
        guard let json, !json.isNull else { return [] }
        let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        guard let text = json.string, let type, !type.isJSON else { return json.bytes }
        if type.name.hasPrefix("text/") || type.isXML { return Array(text.utf8) }
        guard let bytes = Base64.bytes(text) else {
            throw malformed("Expected base64url for a body of \(type.name).")
        }
        return bytes
    }

    static func malformed(_ message: String, at place: ODataError.Location? = nil) -> ODataError {
        ODataError(.invalidPayload, message, at: place, status: 400)
    }
}

/// What the ids of a JSON batch have to obey (JSON Format 4.01, section 19.1).
package enum JSONBatchRules {
    /// - Throws: `invalidPayload` for ids used twice, groups torn apart, and dependencies on what does not come before.
    package static func check(_ requests: [JSONBatchRequest]) throws {
        var known: Set<String> = []
        var closedGroups: Set<String> = []
        var group: String?
        for (index, request) in requests.enumerated() {
            let place = ODataError.Location.path("requests[\(index)]")
            if request.atomicityGroup != group {
                if let group { closedGroups.insert(group) }
                group = request.atomicityGroup
                if let group, closedGroups.contains(group) {
                    throw JSONBatch.malformed(
                        "Expected the members of a group side by side.", at: place)
                }
                if let group, known.contains(group) {
                    throw JSONBatch.malformed("Expected each id once, found one twice.", at: place)
                }
            }
            for name in request.dependsOn {
                guard known.contains(name) || closedGroups.contains(name) else {
                    throw JSONBatch.malformed(
                        "Expected dependencies on what stands before.", at: place)
                }
            }
            guard known.insert(request.id).inserted, !closedGroups.contains(request.id) else {
                throw JSONBatch.malformed("Expected each id once, found one twice.", at: place)
            }
        }
    }
}
