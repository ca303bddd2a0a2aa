/// A JSON value as a tree, for payloads that are small; numbers keep their text.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// As written: exactness and trailing zeros are kept.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A JSON object: members in the order written.
package struct JSONObject: Sendable, Hashable {
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package private(set) var members: [Member]
    /// Empty while there are so few members that looking at each takes less than to keep this.
    private var indexByName: [String: Int]

    package init(_ members: [Member] = []) {
        self.members = []
        indexByName = [:]
        for member in members { self[member.name] = member.value }
    }

    /// The member's value; setting replaces in place, appends, or with nil removes.
    package subscript(name: String) -> JSONValue? {
        get { index(of: name).map { members[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (nil, let value?): append(name, value)
            case (let index?, nil):
                members.remove(at: index)
                indexByName = [:]
                if members.count > Self.fewMembers { makeIndex() }
            case (nil, nil): break
            }
        }
    }

    // Hot: ServerFigures
    private func index(of name: String) -> Int? {
        members.count <= Self.fewMembers
            ? members.firstIndex { $0.name == name } : indexByName[name]
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
        if members.count == Self.fewMembers + 1 {
            makeIndex()
        } else if members.count > Self.fewMembers {
            indexByName[name] = members.count - 1
        }
    }

    private mutating func makeIndex() {
        for (index, member) in members.enumerated() { indexByName[member.name] = index }
    }

    private static let fewMembers = 12
}

/// What to do when an object names a member twice (RFC 8259, section 4, leaves it open).
package enum JSONDuplicates: Sendable, Hashable {
    case refuse
    case keepFirst
    case keepLast
}

extension JSONReader {
    /// The next value with everything below it.
    package mutating func readValue(duplicates: JSONDuplicates = .refuse) throws -> JSONValue {
        switch try peek() {
        case .null:
            try readNull()
            return .null
        case .boolean: return .boolean(try readBoolean())
        case .number: return .number(try readNumber())
        case .string: return .string(try readString())
        case .array:
            var elements: [JSONValue] = []
            try beginArray()
            while try nextElement() { elements.append(try readValue(duplicates: duplicates)) }
            return .array(elements)
        case .object:
            var object = JSONObject()
            try beginObject()
            while let name = try nextName() {
                let isDuplicate = object[name] != nil
                if isDuplicate, duplicates == .refuse {
                    throw malformed("Expected each member once, found one twice.")
                }
                let value = try readValue(duplicates: duplicates)
                if !isDuplicate || duplicates == .keepLast { object[name] = value }
            }
            return .object(object)
        }
    }
}

extension JSONValue {
    /// Reads a whole document.
    package init(
        parsing bytes: [UInt8], duplicates: JSONDuplicates = .refuse,
        limits: JSONLimits = JSONLimits()
    ) throws {
        var reader = JSONReader(bytes, limits: limits)
        self = try reader.readValue(duplicates: duplicates)
        try reader.finish()
    }

    /// Reads a whole document.
    package init(parsing text: String, duplicates: JSONDuplicates = .refuse) throws {
        try self.init(parsing: Array(text.utf8), duplicates: duplicates)
    }

    /// The document's bytes without white space.
    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package var isNull: Bool { self == .null }

    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var number: String? {
        if case .number(let text) = self { text } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The member of an object; nil when this is none or has none of that name.
    package subscript(name: String) -> JSONValue? { object?[name] }
}
