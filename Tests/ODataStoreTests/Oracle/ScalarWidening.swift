import ODataModel
import ODataSQL
import ODataText

/// Values of one type as values of a wider one, when metadata gives a property another type.
enum ScalarWidening {
    /// The value in the wider type; nil where that type does not hold every value of this kind.
    static func scalar(_ scalar: Scalar, as type: PrimitiveType) -> Scalar? {
        switch (scalar, type) {
        case (.null, _), (.integer, .byte), (.integer, .sbyte), (.integer, .int16),
            (.integer, .int32), (.integer, .int64), (.double, .single), (.double, .double),
            (.decimal, .decimal):
            return scalar
        case (.integer(let value), .decimal): return .decimal(DecimalNumber(value))
        case (.integer(let value), .double), (.integer(let value), .single):
            return .double(Double(value))
        case (.date(let value), .dateTimeOffset):
            return OffsetDateTime(utcText: value.description + midnight).map { .dateTimeOffset($0) }
        case (.date(let value), .dateTime):
            return WallDateTime(value.description + midnight).map { .dateTime($0) }
        case (.dateTime(let value), .dateTimeOffset):
            return OffsetDateTime(utcText: value.description).map { .dateTimeOffset($0) }
        case (.geo, _), (.binary, _): return nil
        case (_, .string): return .string(Lexical.text(scalar))
        default: return nil
        }
    }

    private static let midnight = "T00:00:00"

    /// A text that an earlier, narrower type of the property has written.
    static func parse(_ text: String, as type: PrimitiveType) throws -> Scalar {
        do {
            return try Lexical.parse(text, as: type)
        } catch {
            for narrow in [PrimitiveType.date, .dateTime] {
                if let value = Lexical.scalar(text, as: narrow),
                    let wide = scalar(value, as: type)
                {
                    return wide
                }
            }
            throw error
        }
    }

    /// What becomes of a column when its encoding changes.
    enum Step {
        /// The values stand there as they would be written.
        case keep
        case rewrite
        case refuse
    }

    static func step(from narrow: ColumnEncoding, to wide: ColumnEncoding) -> Step {
        switch (narrow, wide) {
        case _ where narrow == wide: .keep
        case (.guid, .string), (.date, .string), (.timeOfDay, .string), (.wallDateTime, .string),
            (.integer, .enumeration), (.enumeration, .integer), (.enumeration, .enumeration):
            .keep
        case (.integer, .orderedDecimal), (.integer, .real), (.integer, .string),
            (.boolean, .string), (.real, .string), (.scaledDecimal, .orderedDecimal),
            (.scaledDecimal, .string), (.orderedDecimal, .string), (.duration, .string),
            (.utcDateTime, .string), (.date, .utcDateTime), (.date, .wallDateTime),
            (.wallDateTime, .utcDateTime):
            .rewrite
        default: .refuse
        }
    }
}
