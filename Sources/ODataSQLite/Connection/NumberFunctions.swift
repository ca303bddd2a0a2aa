import Foundation
import GRDB
import ODataModel
import ODataText

/// Arithmetic that SQLite does not have: decimals of any size, doubles with NaN and infinities (which stand as text),
/// and casts between them. Every function gives null for null.
enum NumberFunctions {
    static let all = [scaled, order, double, decimal, real, compare, round, single, cast, realText]

    /// `value · 10^-scale` as decimal text.
    private static let scaled = function("_odata_scaled", 2) { values in
        guard let value = Int64.fromDatabaseValue(values[0]),
            let scale = Int.fromDatabaseValue(values[1])
        else { return nil }
        return DecimalNumber(coefficient: value, scale: scale).description
    }

    /// Bytes that order numbers; equal for equal numbers.
    private static let order = function("_odata_order", 1) { values in
        number(values[0]).map { Data($0.orderKey) }
    }

    private static let double = function("_odata_double", 1) { values in
        number(values[0])?.doubleValue
    }

    private static let decimal = function("_odata_decimal", 3) { values in
        guard let name = String.fromDatabaseValue(values[0]), let a = number(values[1]),
            let b = number(values[2])
        else { return nil }
        return result(name, a, b)?.description
    }

    /// Takes the place of the exact function where integers end at 64 bits.
    static let boundedDecimal = SQLFunction("_odata_decimal", argumentCount: 3) { values in
        guard let name = String.fromDatabaseValue(values[0]), let a = number(values[1]),
            let b = number(values[2]), let result = result(name, a, b)
        else { return nil }
        if name.hasPrefix("i"), a.int64Value != nil, b.int64Value != nil, result.int64Value == nil {
            throw DatabaseError(resultCode: .SQLITE_ERROR, message: "integer overflow")
        }
        return result.description
    }

    /// Digits after the point that a quotient keeps at least.
    private static let divisionScale = 20

    private static func result(
        _ name: String, _ a: DecimalNumber, _ b: DecimalNumber
    ) -> DecimalNumber? {
        switch name {
        case "add", "iadd": return a + b
        case "sub", "isub": return a - b
        case "mul", "imul": return a * b
        case "mod", "imod": return a.remainder(dividingBy: b)
        case "idiv" where a.int64Value != nil && b.int64Value != nil:
            return a.divided(by: b, scale: 0, rounding: .down)
        default:
            return a.divided(by: b, scale: max(divisionScale, a.scale, b.scale))?
                .withoutTrailingZeros
        }
    }

    // MARK: Doubles

    private static let real = function("_odata_real", 3) { values in
        guard let name = String.fromDatabaseValue(values[0]), let a = real(values[1]),
            let b = real(values[2])
        else { return nil }
        switch name {
        case "add": return stored(a + b)
        case "sub": return stored(a - b)
        case "mul": return stored(a * b)
        case "mod": return b == 0 ? nil : stored(a.truncatingRemainder(dividingBy: b))
        default:
            // Zero has no sign as a divisor (URL Conventions 4.01, section 5.1.1.2.5).
            guard b == 0 else { return stored(a / b) }
            return a == 0 || a.isNaN ? "NaN" : a < 0 ? "-INF" : "INF"
        }
    }

    private static let compare = function("_odata_compare", 2) { values in
        guard let a = real(values[0]), let b = real(values[1]) else { return nil }
        if a.isNaN || b.isNaN { return 2 }
        return a < b ? -1 : a > b ? 1 : 0
    }

    private static let single = function("_odata_single", 1) { values in
        // Null for a number that a Single has no room for.
        real(values[0]).flatMap { value in
            let single = Float(value)
            return single.isInfinite && value.isFinite ? nil : stored(Double(single))
        }
    }

    private static let realText = function("_odata_real_text", 1) { values in
        real(values[0]).map { Lexical.text(.double($0)) }
    }

    private static let round = function("_odata_round", 3) { values in
        guard let name = String.fromDatabaseValue(values[0]) else { return nil }
        if Int64.fromDatabaseValue(values[2]) == 1 {
            guard let value = real(values[1]) else { return nil }
            switch name {
            case "floor": return stored(value.rounded(.down))
            case "ceiling": return stored(value.rounded(.up))
            default: return stored(value.rounded(.toNearestOrAwayFromZero))
            }
        }
        guard let value = number(values[1]) else { return nil }
        switch name {
        case "floor": return value.rounded(toScale: 0, .floor).description
        case "ceiling": return value.rounded(toScale: 0, .ceiling).description
        default: return value.rounded(toScale: 0, .halfUp).description
        }
    }

    // MARK: Casts

    /// A number as one of another type: fractions are cut, null where the whole part has no room.
    private static let cast = function("_odata_cast", 2) { values in
        guard let name = String.fromDatabaseValue(values[0]),
            let type = PrimitiveType(name: "Edm." + name)
        else { return nil }
        let value: DecimalNumber?
        if case .double(let double) = values[1].storage {
            value = DecimalNumber(shortest: double)
        } else {
            value = number(values[1])
        }
        guard let value else { return nil }
        if type == .decimal { return value.description }
        guard let whole = value.rounded(toScale: 0, .down).int64Value,
            range(type).contains(whole)
        else { return nil }
        return whole
    }

    private static func range(_ type: PrimitiveType) -> ClosedRange<Int64> {
        switch type {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: -32_768...32_767
        case .int32: -2_147_483_648...2_147_483_647
        default: Int64.min...Int64.max
        }
    }

    // MARK: Values

    private static func function(
        _ name: String, _ count: Int,
        _ body: @escaping @Sendable ([DatabaseValue]) -> (any DatabaseValueConvertible)?
    ) -> SQLFunction {
        SQLFunction(name, argumentCount: count) { body($0) }
    }

    static func number(_ value: DatabaseValue) -> DecimalNumber? {
        switch value.storage {
        case .int64(let value): DecimalNumber(value)
        case .string(let text): DecimalNumber(text)
        case .double(let value): DecimalNumber(exactly: value)
        default: nil
        }
    }

    static func real(_ value: DatabaseValue) -> Double? {
        switch value.storage {
        case .int64(let value): Double(value)
        case .double(let value): value
        case .string("NaN"): .nan
        case .string("INF"): .infinity
        case .string("-INF"): -.infinity
        default: nil
        }
    }

    static func stored(_ value: Double) -> (any DatabaseValueConvertible)? {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-INF" : "INF" }
        return value
    }
}
