import ODataText

/// The key of a row: given by the service as a number, or by its maker as a text.
enum FieldKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    case number(Int)
    case text(String)

    /// As it stands in a URL.
    var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): "'\(text)'"
        }
    }

    init?(_ literal: some StringProtocol) {
        if literal.count > 1, literal.hasPrefix("'"), literal.hasSuffix("'") {
            self = .text(String(literal.dropFirst().dropLast()))
        } else if let number = Int(literal) {
            self = .number(number)
        } else {
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .number(let number): .number("\(number)")
        case .text(let text): .string(text)
        }
    }
}

/// A row as the service has it.
struct FieldRow: Sendable {
    let set: String
    let key: FieldKey
    /// Never given again: keys may be.
    let number: Int
    var values: [String: JSONValue]
    var version = 1
    /// Which client wrote it last; 0 for others.
    var author = 0

    /// What everybody knows the row by.
    var name: String { values["Name"]?.string ?? "" }
    var text: String { values["Text"]?.string ?? "" }
    var size: Int? { values["Size"]?.integer }
    var tag: String { "W/\"\(number).\(version)\"" }
}

extension JSONValue {
    /// The whole number that this is; nil for anything else.
    var integer: Int? {
        guard case .number(let text) = self else { return nil }
        return Int(text)
    }
}

/// What a write of a client did, as the service that knows the truth noted it.
struct FieldEffect: Sendable {
    enum Kind: String, Sendable { case create, update, delete }

    let kind: Kind
    let client: Int
    let set: String
    /// ``FieldRow/number`` and ``FieldRow/name`` of the row.
    let row: Int
    let name: String
    /// What the row said before and says now.
    let before: String
    let after: String
    /// The write named the state that it goes over.
    let wasTagged: Bool
    /// The state that it goes over is of somebody else, and no page has brought it to the client.
    let wasUnseen: Bool
    /// How many exchanges came before the one that brought it.
    let exchange: Int
}
