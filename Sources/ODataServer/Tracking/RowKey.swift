import Foundation
import GRDB

/// A row's key as the change log writes it: SQL literals joined by commas, the same in Swift and in SQL.
package struct RowKey: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// The key that a trigger or a query wrote.
    package init(text: String) {
        description = text
    }

    package init(_ values: [DatabaseValue]) {
        description = values.map(Self.literal).joined(separator: ",")
    }

    /// What SQLite's `quote` gives for the value (keys are never approximate numbers).
    static func literal(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: return "NULL"
        case .int64(let number): return String(number)
        case .double(let number): return "\(number)"
        case .string(let text): return "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes):
            var text = "X'"
            for byte in bytes {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "0" + digits : digits
            }
            return text + "'"
        }
    }

    // Hot: ServerFigures
    /// The number of a key that is one number, written as the log writes it; nil for every other key.
    var integer: Int64? {
        guard let number = Int64(description), String(number) == description else { return nil }
        return number
    }

    /// The values again; nil when the text is not one that ``literal(_:)`` writes.
    package var values: [DatabaseValue]? {
        var reader = LiteralReader(description)
        var values: [DatabaseValue] = []
        while true {
            guard let value = reader.next() else { return nil }
            values.append(value)
            if reader.isAtEnd { return values }
            guard reader.skipComma() else { return nil }
        }
    }
}

/// Reads the SQL literals that SQLite's `quote` function writes.
package struct LiteralReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package var isAtEnd: Bool { position >= bytes.count }

    /// True when the next byte was a comma, which is passed.
    package mutating func skipComma() -> Bool {
        guard position < bytes.count, bytes[position] == 0x2C else { return false }
        position += 1
        return true
    }

    /// The next literal; nil when there is none.
    package mutating func next() -> DatabaseValue? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case 0x27: return text()?.databaseValue
        case 0x58: return blob()
        default: return word()
        }
    }

    private mutating func text() -> String? {
        position += 1
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x27 {
                guard position < bytes.count, bytes[position] == 0x27 else {
                    return String(decoding: content, as: UTF8.self)
                }
                position += 1
            }
            content.append(byte)
        }
        return nil
    }

    private mutating func blob() -> DatabaseValue? {
        position += 1
        guard position < bytes.count, bytes[position] == 0x27, let digits = text()?.utf8,
            digits.count.isMultiple(of: 2)
        else { return nil }
        var content = Data()
        var high: UInt8?
        for digit in digits {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            if let first = high {
                content.append(first << 4 | UInt8(value))
                high = nil
            } else {
                high = UInt8(value)
            }
        }
        return content.databaseValue
    }

    private mutating func word() -> DatabaseValue? {
        let start = position
        while position < bytes.count, bytes[position] != 0x2C { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        if word == "NULL" { return .null }
        if let number = Int64(word) { return number.databaseValue }
        switch word {
        case "Inf", "9.0e+999": return Double.infinity.databaseValue
        case "-Inf", "-9.0e+999": return (-Double.infinity).databaseValue
        default: return Double(word)?.databaseValue
        }
    }
}
