import ODataText
import ODataWire

/// What the type and the first bytes of a body say about who wrote it.
struct AnswerBody {
    private let contentType: String
    private let text: Substring
    private let bytes: [UInt8]
    private static let lookedAt = 4_096

    init(contentType: String, start: [UInt8]) {
        self.contentType = contentType.lowercased()
        bytes = start
        var first = start.prefix(Self.lookedAt)
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { first = first.dropFirst(3) }
        text = Substring(decoding: first, as: UTF8.self).drop { $0.isWhitespace }
    }

    var isEmpty: Bool { text.isEmpty }

    var isHTML: Bool {
        let start = text.prefix(15).lowercased()
        return contentType.hasPrefix("text/html") || contentType.hasPrefix("application/xhtml")
            || start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    var isJSONObject: Bool { text.first == "{" }

    /// A value by itself: a number, a text, a list.
    var isPlainValue: Bool {
        !contentType.contains("xml") && text.first != "<"
    }

    /// An error in one of the forms of OData, of which gateways send none.
    var isODataError: Bool {
        guard !isHTML else { return false }
        switch text.first {
        case "{": return (try? ErrorPayload(json: bytes)).map(Self.saysSomething) ?? false
        case "<": return (try? ErrorPayload(xml: bytes)).map(Self.saysSomething) ?? false
        default: return false
        }
    }

    var isMetadata: Bool {
        text.contains("Edmx") || text.contains("\"$Version\"")
    }

    var isBatch: Bool {
        contentType.hasPrefix("multipart/mixed") || isJSONObject && text.contains("\"responses\"")
    }

    /// Control information of V4, the wrapper of V2, Atom or the XML of data services.
    var isODataData: Bool {
        if isMarked { return true }
        return (text.first == "{" || text.first == "[") && text.contains("\"value\"")
    }

    /// As ``isODataData``, without a member that other JSON has, too.
    var isMarked: Bool {
        if text.first == "<" { return Self.namespaces.contains { text.contains($0) } }
        guard text.first == "{" || text.first == "[" else { return false }
        return Self.members.contains { text.contains($0) } || isWrapped
    }

    /// `{"d":`, with any white space.
    private var isWrapped: Bool {
        text.prefix(64).filter { !$0.isWhitespace }.hasPrefix("{\"d\":")
    }

    private static func saysSomething(_ payload: ErrorPayload) -> Bool {
        !payload.code.isEmpty || !payload.message.isEmpty
    }

    private static let members = [
        "\"@odata.", "\"@context\"", "\"odata.metadata\"", "\"__metadata\"", "@odata.", "\"@id\"",
        "\"@etag\"",
    ]
    private static let namespaces = [
        "http://www.w3.org/2005/Atom", "http://www.w3.org/2007/app",
        "schemas.microsoft.com/ado/2007/08/dataservices", "docs.oasis-open.org/odata/ns",
    ]
}
