import Foundation
import ODataModel
import ODataQuery
import ODataText

/// The canonical functions (URL Conventions 4.01, sections 5.1.1.4 to 5.1.1.10). Characters are code points.
enum OracleFunctions {
    static func value(_ function: Function, _ arguments: [OracleValue]) throws -> OracleValue {
        guard !arguments.contains(where: \.isNull) else { return .null }
        if let found = OracleCollections.value(function, arguments) { return found }
        switch function {
        case .minDateTime: return OracleLexical.instant("0001-01-01T00:00:00Z") ?? .null
        case .maxDateTime:
            return OracleLexical.instant("9999-12-31T23:59:59.999999999999Z") ?? .null
        case .round, .floor, .ceiling: return try OracleArithmetic.rounded(function, arguments[0])
        case .length:
            switch arguments[0] {
            case .bytes(let bytes): return .whole(Int64(bytes.count))
            case .list(let members): return .whole(Int64(members.count))
            default: return .whole(Int64(try characters(arguments[0]).count))
            }
        case .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .date, .time,
            .totalOffsetMinutes, .totalSeconds:
            return try part(function, arguments[0])
        case .substring: return try substring(arguments)
        case .geoDistance, .geoLength, .geoIntersects:
            return try OracleGeo.value(function, arguments)
        default: return try onText(function, arguments)
        }
    }

    // MARK: Text

    private static func string(_ value: OracleValue) throws -> String {
        guard case .text(let text) = value else { throw OracleArithmetic.misfit() }
        return text
    }

    private static func characters(_ value: OracleValue) throws -> [Unicode.Scalar] {
        Array(try string(value).unicodeScalars)
    }

    private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> OracleValue {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return .text(String(view))
    }

    private static func onText(
        _ function: Function, _ arguments: [OracleValue]
    ) throws -> OracleValue {
        let whole = try characters(arguments[0])
        switch function {
        case .toLower: return .text(try string(arguments[0]).lowercased())
        case .toUpper: return .text(try string(arguments[0]).uppercased())
        case .trim:
            let rest = whole.drop { $0.properties.isWhitespace }
            let kept = rest.reversed().drop { $0.properties.isWhitespace }
            return text(kept.reversed())
        default: break
        }
        let part = try characters(arguments[1])
        switch function {
        case .concat: return text(whole + part)
        case .contains: return .truth(position(of: part, in: whole) != nil)
        case .indexOf: return .whole(Int64(position(of: part, in: whole) ?? -1))
        case .startsWith:
            return .truth(part.count <= whole.count && Array(whole.prefix(part.count)) == part)
        case .endsWith:
            return .truth(part.count <= whole.count && Array(whole.suffix(part.count)) == part)
        case .replace: return replaced(whole, part, try characters(arguments[2]))
        case .matchesPattern: return .truth(matches(whole, part))
        default: throw OracleArithmetic.misfit()
        }
    }

    private static func position(
        of part: [Unicode.Scalar], in whole: [Unicode.Scalar], from start: Int = 0
    ) -> Int? {
        var index = start
        while index + part.count <= whole.count {
            if whole[index..<(index + part.count)].elementsEqual(part) { return index }
            index += 1
        }
        return nil
    }

    private static func replaced(
        _ whole: [Unicode.Scalar], _ part: [Unicode.Scalar], _ other: [Unicode.Scalar]
    ) -> OracleValue {
        guard !part.isEmpty else { return text(whole) }
        var result: [Unicode.Scalar] = []
        var index = 0
        while let next = position(of: part, in: whole, from: index) {
            result += whole[index..<next] + other
            index = next + part.count
        }
        return text(result + whole[index...])
    }

    /// Patterns of plain characters between `^` and `$`, either of which may be left out.
    private static func matches(_ whole: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var part = pattern
        let isStart = part.first == "^"
        let isEnd = part.last == "$"
        if isStart { part.removeFirst() }
        if isEnd { part.removeLast() }
        switch (isStart, isEnd) {
        case (true, true): return whole == part
        case (true, false): return Array(whole.prefix(part.count)) == part
        case (false, true): return Array(whole.suffix(part.count)) == part
        default: return position(of: part, in: whole) != nil
        }
    }

    /// A start below zero counts from the end; a length below zero, a bad request, is not asked for.
    private static func substring(_ arguments: [OracleValue]) throws -> OracleValue {
        let whole = try characters(arguments[0])
        guard case .whole(let start) = arguments[1] else { throw OracleArithmetic.misfit() }
        let first = start < 0 ? max(0, Int64(whole.count) + start) : start
        guard first < whole.count else { return .text("") }
        let rest = whole.dropFirst(Int(first))
        guard arguments.count > 2 else { return text(rest) }
        guard case .whole(let length) = arguments[2] else { throw OracleArithmetic.misfit() }
        return text(rest.prefix(Int(max(0, min(length, 1_000)))))
    }

    // MARK: Dates

    /// The parts of an instant are those at its own offset.
    private static func part(_ function: Function, _ value: OracleValue) throws -> OracleValue {
        var (day, clock): (Int64?, Int64?)
        switch value {
        case .day(let value): day = value
        case .clock(let value): clock = value
        case .span(let value) where function == .totalSeconds:
            return .decimal(OracleArithmetic.seconds(value))
        case .instant(_, let offset) where function == .totalOffsetMinutes:
            return .whole(Int64(offset))
        case .instant(let instant, let offset):
            let wall = instant + Int128(offset) * 60 * OracleValue.second
            let whole = OracleLexical.floor(wall, OracleValue.dayLength)
            day = Int64(whole)
            clock = Int64(wall - whole * OracleValue.dayLength)
        default: break
        }
        switch function {
        case .year, .month, .day, .date:
            guard let day else { throw OracleArithmetic.misfit() }
            let date = OracleLexical.date(day)
            switch function {
            case .year: return .whole(date.year)
            case .month: return .whole(date.month)
            case .day: return .whole(date.day)
            default: return .day(day)
            }
        default:
            guard let clock else { throw OracleArithmetic.misfit() }
            let seconds = clock / 1_000_000_000_000
            switch function {
            case .hour: return .whole(seconds / 3_600)
            case .minute: return .whole(seconds / 60 % 60)
            case .second: return .whole(seconds % 60)
            case .time: return .clock(clock)
            default:
                return .decimal(
                    DecimalNumber(coefficient: clock % 1_000_000_000_000, scale: 12)
                        .withoutTrailingZeros)
            }
        }
    }

    // MARK: Casts

    /// Null where the value has no place in the type; fractions are cut off.
    static func cast(_ value: OracleValue, _ name: String) throws -> OracleValue {
        switch (value, name) {
        case (.null, _): return .null
        case (_, "Edm.String"): return .text(OracleLexical.text(value))
        case (.text(let text), _): return read(text, name)
        case (.day, "Edm.Date"), (.clock, "Edm.TimeOfDay"), (.instant, "Edm.DateTimeOffset"):
            return value
        case (.instant, "Edm.Date"): return try part(.date, value)
        case (.instant, "Edm.TimeOfDay"): return try part(.time, value)
        // A cast that fails is null (section 5.1.1.10.1).
        case (_, "Edm.Date"), (_, "Edm.TimeOfDay"): return .null
        case (_, "Edm.Double"): return value.double.map(OracleValue.real) ?? .null
        case (_, "Edm.Single"):
            guard let number = value.double else { throw OracleArithmetic.misfit() }
            let single = Float(number)
            return single.isInfinite && number.isFinite ? .null : .real(Double(single))
        default: break
        }
        let number: DecimalNumber?
        if case .real(let real) = value {
            number = real.isFinite ? plain(real.description) : nil
        } else {
            number = value.exact
        }
        guard let number else { return .null }
        if name == "Edm.Decimal" { return .decimal(number) }
        guard let range = ranges[name] else { throw OracleArithmetic.misfit() }
        let cut = number.description.split(separator: ".")[0]
        guard let whole = Int64(cut), range.contains(whole) else { return .null }
        return .whole(whole)
    }

    private static let ranges: [String: ClosedRange<Int64>] = [
        "Edm.Byte": 0...255, "Edm.SByte": -128...127, "Edm.Int16": -32_768...32_767,
        "Edm.Int32": -2_147_483_648...2_147_483_647, "Edm.Int64": Int64.min...Int64.max,
    ]

    /// The value that a text is the literal of.
    private static func read(_ text: String, _ name: String) -> OracleValue {
        if let range = ranges[name] {
            return OracleLexical.whole(text, range).map(OracleValue.whole) ?? .null
        }
        switch name {
        case "Edm.Decimal": return OracleLexical.decimal(text).map(OracleValue.decimal) ?? .null
        case "Edm.Double": return OracleLexical.real(text).map(OracleValue.real) ?? .null
        case "Edm.Date": return OracleLexical.day(text).map(OracleValue.day) ?? .null
        case "Edm.TimeOfDay": return OracleLexical.clock(text).map(OracleValue.clock) ?? .null
        default: return .null
        }
    }

    /// `1.5e-07` without its exponent.
    private static func plain(_ text: String) -> DecimalNumber? {
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return DecimalNumber(text) }
        let isNegative = parts[0].hasPrefix("-")
        var digits = parts[0].filter { $0 != "-" }
        var point =
            digits.firstIndex(of: ".").map { digits.distance(from: digits.startIndex, to: $0) }
            ?? digits.count
        digits.removeAll { $0 == "." }
        point += exponent
        if point <= 0 { digits = String(repeating: "0", count: 1 - point) + digits; point = 1 }
        if point > digits.count { digits += String(repeating: "0", count: point - digits.count) }
        var number = String(digits.prefix(point))
        let rest = digits.dropFirst(point)
        if rest.contains(where: { $0 != "0" }) { number += "." + rest }
        return DecimalNumber((isNegative ? "-" : "") + number)
    }
}
