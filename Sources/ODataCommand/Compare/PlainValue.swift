import Foundation
import GRDB

/// How a declared column type is compared: values of a service's table and of a store's view as one plain text each.
///
/// Written from the descriptions of the two formats and sharing no code with what reads and writes them, so that a
/// mistake there shows.
enum PlainValue {
    /// The value as text that is equal for equal values; nil for null.
    static func text(_ value: DatabaseValue, declaredType: String) -> String? {
        if value.isNull { return nil }
        let type = declaredType.uppercased()
        if type.hasPrefix("DECIMAL") || type.hasPrefix("NUMERIC") {
            return decimal(value, scale: scale(of: type))
        }
        if type.contains("DATETIME") || type.contains("TIMESTAMP") { return instant(value) }
        if type.contains("DURATION") { return duration(value) }
        if type.contains("BOOL") { return boolean(value) }
        if type.contains("UUID") || type.contains("GUID") {
            return String.fromDatabaseValue(value)?.lowercased()
        }
        if type.hasPrefix("TIME") { return withoutEndingZeros(plain(value)) }
        if type.contains("DOUB") || type.contains("REAL") || type.contains("FLOA") {
            return Double.fromDatabaseValue(value).map { "\($0)" }
        }
        return plain(value)
    }

    private static func plain(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: ""
        case .int64(let number): String(number)
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): data.base64EncodedString()
        }
    }

    private static func scale(of type: String) -> Int {
        let numbers = type.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }.split(separator: ",")
        return numbers.count > 1
            ? Int(numbers[1].trimmingCharacters(in: .whitespaces)) ?? 0 : 0
    }

    /// The number with exactly the digits of its scale.
    private static func decimal(_ value: DatabaseValue, scale: Int) -> String {
        let text: String
        switch value.storage {
        case .double(let number): text = String(format: "%.\(scale)f", number)
        case .int64(let number): text = String(number)
        case .string(let string): text = string
        default: return plain(value)
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        var fraction = parts.count > 1 ? String(parts[1]) : ""
        while fraction.count < scale { fraction += "0" }
        return fraction.isEmpty ? text : "\(parts[0]).\(fraction)"
    }

    /// `2024-05-06T07:08:09.1Z`: a blank for `T` and a missing `Z` are made good, ending zeros of the fraction dropped.
    private static func instant(_ value: DatabaseValue) -> String {
        var text = plain(value).replacing(" ", with: "T")
        if text.hasSuffix("Z") { text.removeLast() }
        return withoutEndingZeros(text) + "Z"
    }

    private static func withoutEndingZeros(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var text = text
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func boolean(_ value: DatabaseValue) -> String {
        ["1", "true", "t", "yes"].contains(plain(value).lowercased()) ? "true" : "false"
    }

    /// Days to seconds of an ISO duration as a number of seconds.
    private static func duration(_ value: DatabaseValue) -> String {
        let text = plain(value)
        var seconds = 0.0
        var number = ""
        for character in text {
            if character.isNumber || character == "." {
                number.append(character)
            } else if let factor = factors[character] {
                seconds += (Double(number) ?? 0) * factor
                number = ""
            }
        }
        return (text.hasPrefix("-") ? "-" : "") + "\(seconds)"
    }

    private static let factors: [Character: Double] = ["D": 86_400, "H": 3_600, "M": 60, "S": 1]
}
