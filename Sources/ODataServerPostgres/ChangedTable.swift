import ODataSQL

/// What a change of rows has to know of their table.
struct ChangedTable: Sendable, Hashable {
    /// A column as it is changed, and as it is read.
    struct Column: Sendable, Hashable {
        var native: NativeType
        /// The SQL that gives the form that is read.
        var form: String
    }

    struct Constraint: Sendable, Hashable {
        var columns: [String]
        var isPrimary: Bool
    }

    var name: String
    /// Quoted, with its schema.
    var qualifiedName: String
    var columns: [String: Column] = [:]
    /// By name: keys, unique columns and foreign keys.
    var constraints: [String: Constraint] = [:]

    /// The name under which the entity tag of a row is read: the places of columns begin with one.
    static let tagColumn = "#0"
}

/// The type of a column, and how a value in the storage classes of SQLite becomes one of it.
///
/// The value is cast to the type without its length: a cast to `varchar(3)` cuts texts off without a word, to bring one into
/// such a column refuses those that are longer.
struct NativeType: Sendable, Hashable {
    /// Its number in `pg_type`, that of the base type for a domain.
    var number: Int64
    /// As SQL spells it, without length, precision or scale.
    var name: String

    /// The SQL of a value that is bound under `placeholder`.
    func cast(_ placeholder: String) -> String {
        switch number {
        // Nothing casts a bigint to it.
        case 16: "(CAST(\(placeholder) AS bigint) <> 0)"
        default: "CAST(\(placeholder) AS \(name))"
        }
    }

    /// The value as PostgreSQL reads it.
    func argument(_ value: SQLArgument) -> SQLArgument {
        guard number == 1186, case .text(let text) = value else { return value }
        return .text(Self.interval(text))
    }

    /// `P-1DT-2H` for `-P1DT2H`: PostgreSQL wants a sign with each number.
    private static func interval(_ duration: String) -> String {
        guard duration.hasPrefix("-") else { return duration }
        var result = ""
        var isInNumber = false
        for character in duration.dropFirst() {
            let isNumeric = character.isNumber || character == "."
            if isNumeric, !isInNumber { result += "-" }
            isInNumber = isNumeric
            result.append(character)
        }
        return result
    }
}
