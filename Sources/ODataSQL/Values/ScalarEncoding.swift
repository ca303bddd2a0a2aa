import ODataModel
import ODataText

extension ODataError.Code {
    /// A value lies beyond the facets that chose its column's encoding: the column has to be widened.
    package static let valueBeyondColumn = ODataError.Code("valueBeyondColumn")
}

extension ColumnEncoding {
    /// The values of the column and its companions, in the order of ``ColumnMapping/storedColumns``.
    ///
    /// - Throws: `invalidValue` for a scalar of another kind; `valueBeyondColumn` when the column must be widened.
    package func arguments(for scalar: Scalar) throws -> [SQLArgument] {
        if case .null = scalar {
            let companions = (hasOrderCompanion ? 1 : 0) + (hasOffsetCompanion ? 1 : 0)
            return Array(repeating: .null, count: 1 + companions)
        }
        switch (self, scalar) {
        case (.utcDateTime, .dateTimeOffset(let value)):
            let offset = Int64(value.offsetMinutes)
            return [.text(value.utcText), offset == 0 ? .null : .integer(offset)]
        case (.orderedDecimal, _):
            guard let value = Self.decimal(scalar) else { throw Self.mismatch(self) }
            return [.text(value.description), .blob(value.orderKey)]
        case (.duration, .duration(let value)):
            return [.text(value.description), .blob(value.orderKey)]
        default:
            return [try argument(for: scalar)]
        }
    }

    /// The value of a column without companions, for the kinds of values that most are of; nil leaves it to
    /// ``arguments(for:)``, which makes a list of each.
    package func plainArgument(for scalar: Scalar) -> SQLArgument? {
        switch (self, scalar) {
        case (.orderedDecimal, _), (.duration, _), (.utcDateTime, _): nil
        case (_, .null): .null
        case (.integer, .integer(let value)): .integer(value)
        case (.boolean, .boolean(let value)): .boolean(value)
        case (.string, .string(let value)): .text(value)
        case (.scaledDecimal(let scale), .decimal(let value)):
            value.scaled(by: scale).map { .integer($0) }
        default: nil
        }
    }

    /// The value of a column without companions.
    private func argument(for scalar: Scalar) throws -> SQLArgument {
        switch (self, scalar) {
        case (.integer, .integer(let value)), (.enumeration, .integer(let value)):
            return .integer(value)
        case (.boolean, .boolean(let value)), (.looseBoolean, .boolean(let value)),
            (.presence, .boolean(let value)):
            return .boolean(value)
        case (.real, _):
            guard let value = Self.double(scalar) else { break }
            return Self.real(value)
        case (.scaledDecimal(let scale), _):
            guard let value = Self.decimal(scalar) else { break }
            guard let scaled = value.scaled(by: scale) else {
                throw ODataError(
                    .valueBeyondColumn,
                    "Expected a Decimal with at most \(scale) decimal places, found more digits.")
            }
            return .integer(scaled)
        case (.realDecimal, _):
            guard let value = Self.decimal(scalar) else { break }
            return value.int64Value.map { .integer($0) } ?? .real(value.doubleValue)
        case (.textDecimal, _):
            guard let value = Self.decimal(scalar) else { break }
            return .text(value.description)
        case (.string, .string(let value)): return .text(value)
        case (.json, .geo(let value)): return .text(value.geoJSON)
        case (.guid, .guid(let value)): return .text(value.description)
        case (.guidBytes, .guid(let value)): return .blob(value.bytes)
        case (.binary, .binary(let value)): return .blob(value)
        default: return try timeArgument(for: scalar)
        }
        throw Self.mismatch(self)
    }

    private func timeArgument(for scalar: Scalar) throws -> SQLArgument {
        switch (self, scalar) {
        case (.date, .date(let value)): return .text(value.description)
        case (.timeOfDay, .timeOfDay(let value)): return .text(value.description)
        case (.wallDateTime, .dateTime(let value)): return .text(value.description)
        case (.isoDateTime, .dateTimeOffset(let value)): return .text(value.description)
        case (.isoDateTime, .dateTime(let value)): return .text(value.description)
        case (.unixSeconds, .dateTimeOffset(let value)):
            guard value.picoseconds != 0 else { return .integer(value.seconds) }
            return .real(Double(value.seconds) + Double(value.picoseconds) / 1e12)
        case (.unixMilliseconds, .dateTimeOffset(let value)):
            let (milliseconds, overflow) = value.seconds.multipliedReportingOverflow(by: 1_000)
            guard !overflow else { throw Self.mismatch(self) }
            return .integer(milliseconds + value.picoseconds / 1_000_000_000)
        default: throw Self.mismatch(self)
        }
    }

    /// NaN and the infinities are text, because SQLite turns NaN into NULL.
    private static func real(_ value: Double) -> SQLArgument {
        if value.isNaN { return .text("NaN") }
        if value.isInfinite { return .text(value < 0 ? "-INF" : "INF") }
        return .real(value)
    }

    static func decimal(_ scalar: Scalar) -> DecimalNumber? {
        switch scalar {
        case .decimal(let value): value
        case .integer(let value): DecimalNumber(value)
        case .double(let value): DecimalNumber(shortest: value)
        default: nil
        }
    }

    static func double(_ scalar: Scalar) -> Double? {
        switch scalar {
        case .double(let value): value
        case .integer(let value): Double(value)
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }

    private static func mismatch(_ encoding: ColumnEncoding) -> ODataError {
        ODataError(
            .invalidValue, "Expected a value that fits a column of type \(encoding.declaredType).")
    }
}
