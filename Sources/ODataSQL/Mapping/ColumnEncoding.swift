import ODataModel

/// How the values of a property stand in a column (`docs/store-format.md`).
///
/// The first group is what a local store writes. The second reads and writes the plain forms found in databases
/// that others made, as the service exposes them.
package enum ColumnEncoding: Sendable, Hashable {
    /// Byte to Int64 as INTEGER.
    case integer
    /// 0 or 1 as INTEGER.
    case boolean
    /// The member's value as INTEGER.
    case enumeration(EnumerationID)
    /// REAL; NaN, INF and -INF as TEXT.
    case real
    /// Decimal of fixed scale and at most 18 digits: value · 10^scale as INTEGER.
    case scaledDecimal(scale: Int)
    /// Any other Decimal: canonical TEXT, its order in the companion `P#order`.
    case orderedDecimal
    /// DateTimeOffset: UTC TEXT without `Z`, the offset in minutes in the companion `P#offset` (null: zero).
    case utcDateTime
    /// V2 DateTime as TEXT.
    case wallDateTime
    /// `YYYY-MM-DD`.
    case date
    /// TimeOfDay and V2 Time: `hh:mm:ss` and a fraction without trailing zeros.
    case timeOfDay
    /// ISO TEXT, its order in the companion `P#order`.
    case duration
    /// Lower-case TEXT.
    case guid
    case binary
    /// TEXT compared byte-wise.
    case string
    /// Collections, geo values and complex values that cannot be flattened, as OData JSON TEXT.
    case json
    /// A nullable complex value whose members have columns of their own: 1 when it is there, NULL when it is null.
    case presence

    /// A Decimal in a REAL or NUMERIC column of an existing database.
    case realDecimal
    /// A Decimal as TEXT without a companion; compared as REAL.
    case textDecimal
    /// `true`/`false`, `t`/`f`, `yes`/`no` or 0/1 in a column of any affinity.
    case looseBoolean
    /// A date and time as ISO TEXT with `T` or a blank, with or without an offset.
    case isoDateTime
    /// Seconds since 1970 as INTEGER or REAL.
    case unixSeconds
    /// Milliseconds since 1970 as INTEGER.
    case unixMilliseconds
    /// A Guid as 16 bytes.
    case guidBytes

    /// The declared type of the column, which gives its affinity in SQLite.
    package var declaredType: String {
        switch self {
        case .integer, .boolean, .enumeration, .scaledDecimal, .presence, .unixSeconds,
            .unixMilliseconds:
            "INTEGER"
        case .real, .realDecimal: "REAL"
        case .binary, .guidBytes: "BLOB"
        case .orderedDecimal, .utcDateTime, .wallDateTime, .date, .timeOfDay, .duration, .guid,
            .string, .json, .textDecimal, .looseBoolean, .isoDateTime:
            "TEXT"
        }
    }

    /// True when a companion `P#order` holds the bytes that order the values.
    package var hasOrderCompanion: Bool { self == .orderedDecimal || self == .duration }

    /// True when a companion `P#offset` holds the offset in minutes.
    package var hasOffsetCompanion: Bool { self == .utcDateTime }

    /// The encoding that a local store uses for a property of this type.
    ///
    /// `widened` asks for the form that holds any Decimal, after a value was met that its facets exclude.
    package static func local(for type: TypeReference, widened: Bool = false) -> ColumnEncoding {
        if type.isCollection { return .json }
        switch type.kind {
        case .structure: return .json
        case .enumeration(let id): return .enumeration(id)
        case .primitive(let primitive):
            guard primitive == .decimal else { return local(for: primitive) }
            if !widened, case .fixed(let scale) = type.facets.scale, scale >= 0,
                let precision = type.facets.precision, precision <= 18, scale <= precision
            {
                return .scaledDecimal(scale: scale)
            }
            return .orderedDecimal
        }
    }

    private static func local(for primitive: PrimitiveType) -> ColumnEncoding {
        switch primitive {
        case .boolean: .boolean
        case .byte, .sbyte, .int16, .int32, .int64: .integer
        case .single, .double: .real
        case .decimal: .orderedDecimal
        case .string: .string
        case .guid: .guid
        case .date: .date
        case .timeOfDay, .time: .timeOfDay
        case .dateTimeOffset: .utcDateTime
        case .dateTime: .wallDateTime
        case .duration: .duration
        case .binary: .binary
        default: .json
        }
    }
}
