import Foundation
import ODataModel
import ODataSQL
import ODataServer

/// A column as `pg_attribute` and `pg_type` describe it.
struct PostgresColumn {
    var name: String
    /// The number of the type in `pg_type`; that of its base type for a domain.
    var type: Int64
    /// `format_type`'s name of the type, for people.
    var typeName: String
    /// Length, or precision and scale; -1 without.
    var modifier: Int64
    var isNotNull: Bool
    var defaultSQL: String?
    /// An identity that takes values from elsewhere, too.
    var isIdentity: Bool
    /// Given by the database: generated, or an identity that is always so.
    var isGenerated: Bool
    /// Quoted, with its schema; nil for what is no text, and where texts of other characters are equal.
    var collation: String?
    /// The base type as SQL spells it, without length, precision or scale.
    var castName: String
    /// Its place in the table, which names it where its form has its name.
    var place: Int64

    /// Whether a new row gets a value that the metadata cannot tell beforehand.
    var hasComputedDefault: Bool {
        if isGenerated { return false }
        if isIdentity { return true }
        guard let text = literalDefault, text.uppercased() != "NULL" else { return false }
        return DatabaseModelBuilder.literalDefault(text) == nil
    }

    /// The column as it is, where its form is another.
    var native: NativeColumn? {
        let name = "#\(place)"
        switch type {
        case 25, 1043: return collation.map { NativeColumn(name, .text(collation: $0)) }
        case 2950: return NativeColumn(name, .type("uuid"))
        case 1082: return NativeColumn(name, .type("date"))
        case 1083: return NativeColumn(name, .type("time"))
        case 1114: return NativeColumn(name, .type("timestamp"))
        case 1184: return NativeColumn(name, .type("timestamptz"))
        default: return nil
        }
    }

    /// What the column is in OData, and the SQL of its values in the form that the encoding has.
    var form: (typing: ColumnTyping, sql: String, isText: Bool) {
        let name = SQLName.quoted(name)
        let text = "(CAST(\(name) AS text) COLLATE \"C\")"
        func plain(_ type: PrimitiveType, _ encoding: ColumnEncoding) -> (
            ColumnTyping, String, Bool
        ) { (ColumnTyping(type, encoding), name, false) }
        switch type {
        case 16: return plain(.boolean, .boolean)
        case 21: return plain(.int16, .integer)
        case 23: return plain(.int32, .integer)
        case 20: return plain(.int64, .integer)
        case 26: return (ColumnTyping(.int64, .integer), "CAST(\(name) AS bigint)", false)
        // The shortest number that is the same Single, as the metadata says it is.
        case 700:
            return (
                ColumnTyping(.single, .real),
                "CAST(\(name) AS double precision)", false
            )
        case 701: return plain(.double, .real)
        case 17: return plain(.binary, .binary)
        case 1700: return (decimal, name, false)
        case 25: return (ColumnTyping(.string, .string), "(\(name) COLLATE \"C\")", false)
        case 1043, 1042: return (limitedText, text, false)
        case 2950: return (ColumnTyping(.guid, .guid), text, false)
        case 1082: return (ColumnTyping(.date, .date), text, false)
        case 1083:
            return (ColumnTyping(.timeOfDay, .timeOfDay, facets: Self.micro), text, false)
        case 1114, 1184:
            return (
                ColumnTyping(.dateTimeOffset, .utcDateTime, facets: Self.micro), instant, false
            )
        case 1186:
            // A month has no length.
            return (
                ColumnTyping(.duration, .duration, facets: Self.micro),
                "CASE WHEN extract(month FROM \(name)) = 0 AND extract(year FROM \(name)) = 0"
                    + " THEN extract(epoch FROM \(name)) END", false
            )
        default: return (ColumnTyping(.string, .string), text, ![18, 19].contains(type))
        }
    }

    /// In UTC, without trailing zeros of the fraction; the two infinities are no instants.
    private var instant: String {
        let name = SQLName.quoted(name)
        let value = type == 1184 ? "\(name) AT TIME ZONE 'UTC'" : name
        return "CASE WHEN isfinite(\(name)) THEN (rtrim(rtrim(to_char(\(value), "
            + "'YYYY-MM-DD\"T\"HH24:MI:SS.US'), '0'), '.') COLLATE \"C\") END"
    }

    private var decimal: ColumnTyping {
        guard modifier >= 4 else {
            return ColumnTyping(
                .decimal, .orderedDecimal, facets: TypeFacetValues(scale: .variable))
        }
        let precision = Int((modifier - 4) >> 16 & 0xFFFF)
        // Eleven bits with a sign: a scale may be below zero.
        let bits = Int((modifier - 4) & 0x7FF)
        let scale = (bits ^ 1_024) - 1_024
        return ColumnTyping(
            .decimal, .orderedDecimal,
            facets: scale < 0
                ? TypeFacetValues(scale: .variable)
                : TypeFacetValues(precision: max(precision, scale), scale: .fixed(scale)))
    }

    private var limitedText: ColumnTyping {
        ColumnTyping(
            .string, .string,
            facets: TypeFacetValues(maxLength: modifier >= 4 ? Int(modifier - 4) : nil))
    }

    private static let micro = TypeFacetValues(precision: 6)

    /// The literal of a default, as SQLite has it; nil for an expression.
    var literalDefault: String? {
        guard var text = defaultSQL else { return nil }
        if let cast = text.range(of: "::", options: .backwards),
            text[cast.upperBound...].allSatisfy({ $0.isLetter || $0 == " " || $0 == "\"" })
        {
            text = String(text[..<cast.lowerBound])
        }
        return text
    }
}
