import Foundation
import GRDB
import ODataModel
import ODataText

/// `sum`, `min`, `max` and `average` of decimals (`N`), doubles with NaN and infinities (`R`) and durations (`P`); null
/// is left out, and nothing at all gives null.
struct AggregateFunction: DatabaseAggregate {
    static let function = DatabaseFunction(
        "_odata_aggregate", argumentCount: 3, pure: true, aggregate: AggregateFunction.self)

    private var method = ""
    private var kind = ""
    private var count: Int64 = 0
    private var decimal = DecimalNumber.zero
    private var real = 0.0

    mutating func step(_ values: [DatabaseValue]) throws {
        guard !values[2].isNull else { return }
        if count == 0 {
            method = String.fromDatabaseValue(values[0]) ?? ""
            kind = String.fromDatabaseValue(values[1]) ?? ""
        }
        if kind == "R" {
            guard let value = NumberFunctions.real(values[2]) else { return }
            add(value)
        } else {
            let value =
                kind == "P"
                ? String.fromDatabaseValue(values[2]).flatMap { EdmDuration($0) }?.decimalSeconds
                : NumberFunctions.number(values[2])
            guard let value else { return }
            add(value)
        }
    }

    private mutating func add(_ value: Double) {
        switch method {
        case "min": real = count == 0 || value < real || real.isNaN ? value : real
        case "max": real = count == 0 || value > real || value.isNaN ? value : real
        default: real += value
        }
        count += 1
    }

    private mutating func add(_ value: DecimalNumber) {
        switch method {
        case "min": decimal = count == 0 || value < decimal ? value : decimal
        case "max": decimal = count == 0 || decimal < value ? value : decimal
        default: decimal = decimal + value
        }
        count += 1
    }

    func finalize() throws -> (any DatabaseValueConvertible)? {
        guard count > 0 else { return nil }
        if kind == "R" {
            return NumberFunctions.stored(method == "average" ? real / Double(count) : real)
        }
        var result = decimal
        if method == "average" {
            let scale = max(kind == "P" ? 12 : 20, decimal.scale)
            result =
                decimal.divided(by: DecimalNumber(count), scale: scale)?.withoutTrailingZeros
                ?? decimal
        }
        guard kind == "P" else { return result.description }
        return EdmDuration(decimalSeconds: result.rounded(toScale: 12))?.description
    }
}
