/// Header fields in order, names compared without regard to case.
package struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [Field]

    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of the field; setting replaces all values, nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.matches($0.name, name) }?.value }
        set {
            guard let newValue else {
                fields.removeAll { Self.matches($0.name, name) }
                return
            }
            if let position = fields.firstIndex(where: { Self.matches($0.name, name) }) {
                fields[position].value = newValue
            } else {
                fields.append(Field(name: name, value: newValue))
            }
        }
    }

    /// Every value of the field, in order.
    package func values(_ name: String) -> [String] {
        fields.filter { Self.matches($0.name, name) }.map(\.value)
    }

    /// Adds a value, keeping the ones that are there.
    package mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Takes over every field of `other`, replacing fields of the same name.
    package mutating func merge(_ other: HeaderFields) {
        for field in other.fields { self[field.name] = nil }
        fields.append(contentsOf: other.fields)
    }

    package var isEmpty: Bool { fields.isEmpty }

    /// Without the fields that prove who is asking: they are kept nowhere. Names that apps give to keys of their own are
    /// recognised by a part of them.
    package var withoutCredentials: HeaderFields {
        keeping { name in !Self.credentials.contains { name.contains($0) } }
    }

    /// What another host may see of them: the fields that say how to answer, and none that an app has added.
    package var forAnotherHost: HeaderFields {
        keeping { name in Self.negotiation.contains(name) }
    }

    private func keeping(_ isKept: (String) -> Bool) -> HeaderFields {
        var headers = HeaderFields()
        headers.fields = fields.filter { isKept($0.name.lowercased()) }
        return headers
    }

    private static let credentials = [
        "authorization", "cookie", "token", "api-key", "apikey", "api_key", "subscription-key",
        "secret", "password",
    ]

    private static let negotiation: Set = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "content-encoding",
        "content-length", "content-type", "dataserviceversion", "if-match", "if-modified-since",
        "if-none-match", "if-range", "maxdataserviceversion", "odata-maxversion", "odata-version",
        "prefer", "range", "user-agent",
    ]

    /// Whether both are the same name, letters of either case.
    package static func matches(_ left: String, _ right: String) -> Bool {
        // As a rule they are written the same.
        guard left.utf8.count == right.utf8.count else { return false }
        if left == right { return true }
        let isSame = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                left.indices.allSatisfy { lowered(left[$0]) == lowered(right[$0]) }
            }
        }
        return (isSame ?? nil)
            ?? zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= 65 && byte <= 90 ? byte | 32 : byte
    }
}

/// An HTTP request as the wire layer builds it: the URL absolute, or relative to the service root.
package struct RequestMessage: Sendable, Hashable {
    package var method: String
    package var url: String
    package var headers: HeaderFields
    package var body: [UInt8]

    package init(
        method: String, url: String, headers: HeaderFields = HeaderFields(), body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A whole HTTP response in memory: what batch parts and small answers are.
package struct ResponseMessage: Sendable, Hashable {
    package var status: Int
    package var headers: HeaderFields
    package var body: [UInt8]

    package init(status: Int, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
