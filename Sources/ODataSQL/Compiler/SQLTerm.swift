import ODataModel

/// A compiled expression: its SQL and what the SQL's values stand for.
package struct SQLTerm: Sendable, Hashable {
    package indirect enum Kind: Sendable, Hashable {
        /// The literal null.
        case null
        /// A literal that takes its form from what it is compared with.
        case literal(Scalar)
        case enumerationLiteral(type: String?, members: String)
        case boolean
        case integer
        /// A Decimal as value · 10^scale.
        case scaled(Int)
        /// `isStored` when NaN and infinities may stand as text.
        case real(isStored: Bool)
        /// A Decimal as text; `order` compares.
        case decimalText(order: SQLText)
        case string
        case guid
        case guidBytes
        case binary
        case date
        case time
        /// UTC text; `offset` in minutes where it is kept.
        case instant(offset: SQLText?)
        case wall
        case duration(order: SQLText)
        case enumeration(EnumerationID)
        /// Time since 1970 in units of which so many make a second.
        case unix(unitsPerSecond: Int64)
        /// JSON text: collections and what cannot be compared.
        case json(TypeReference)
        /// A dynamic value as ``OpenValue`` writes it, whose type only the row tells.
        case open
        /// A complex value; `sql` is its presence column, or empty when it is always there.
        case complex
        /// A row; `sql` is its identity.
        case row
    }

    package var sql: SQLText { didSet { native = nil } }
    package var kind: Kind
    /// The column that the term is, as its owner made it.
    var native: NativeOperand?
    /// For `integer` and `scaled`: how many digits the stored number has at most; nil when that is not known.
    var digits: Int?
    /// For `decimalText`: the value of an integer expression that may lie beyond 64 bits.
    var isWhole = false

    package init(_ sql: SQLText, _ kind: Kind) {
        self.sql = sql
        self.kind = kind
    }

    /// What to sort by and to compare with values of the same kind.
    var compared: SQLText {
        switch kind {
        case .decimalText(let order), .duration(let order): order
        case .open: "_odata_open_order(\(sql))"
        default: sql
        }
    }

    /// The value by which rows are told apart, where values without an order have to be, too.
    var distinguished: SQLText { isOpen ? "coalesce(\(compared), \(sql))" : compared }

    var isOpen: Bool { kind == .open }

    var isNumeric: Bool {
        switch kind {
        case .integer, .scaled, .real, .decimalText: true
        default: false
        }
    }
}

extension ColumnMapping {
    /// The column of the row called `alias` as a term.
    func term(alias: String) -> SQLTerm {
        var term = form(alias: alias)
        term.native = native.map {
            NativeOperand(sql: "\(name: alias).\(name: $0.name)", kind: $0.kind)
        }
        return term
    }

    private func form(alias: String) -> SQLTerm {
        let sql: SQLText = "\(name: alias).\(name: name)"
        let order = orderColumn.map { "\(name: alias).\(name: $0)" as SQLText } ?? sql
        let offset = offsetColumn.map { "\(name: alias).\(name: $0)" as SQLText }
        switch encoding {
        case .integer:
            var term = SQLTerm(range.map { Self.within($0, sql) } ?? sql, .integer)
            term.digits = type.primitive?.maximumDigits
            return term
        case .boolean: return SQLTerm(sql, .boolean)
        case .looseBoolean:
            return SQLTerm(
                "CASE WHEN \(sql) IS NULL THEN NULL WHEN lower(\(sql)) IN "
                    + "('1', 'true', 't', 'yes', 'y') THEN \(truth: true) ELSE \(truth: false) END",
                .boolean)
        case .enumeration(let id): return SQLTerm(sql, .enumeration(id))
        case .real: return SQLTerm(sql, .real(isStored: true))
        case .realDecimal: return SQLTerm(sql, .real(isStored: false))
        case .textDecimal: return SQLTerm("CAST(\(sql) AS REAL)", .real(isStored: false))
        case .scaledDecimal(let scale):
            var term = SQLTerm(sql, .scaled(scale))
            term.digits = type.facets.precision.map { max($0, scale) }
            return term
        case .orderedDecimal where orderColumn == nil && !isSelfOrdered:
            return SQLTerm("CAST(\(sql) AS REAL)", .real(isStored: false))
        case .orderedDecimal: return SQLTerm(sql, .decimalText(order: order))
        case .utcDateTime: return SQLTerm(sql, .instant(offset: offset))
        case .isoDateTime:
            return SQLTerm("replace(rtrim(\(sql), 'Z'), ' ', 'T')", .instant(offset: nil))
        case .wallDateTime: return SQLTerm(sql, .wall)
        case .date: return SQLTerm(sql, .date)
        case .timeOfDay: return SQLTerm(sql, .time)
        case .duration where orderColumn == nil && !isSelfOrdered:
            return SQLTerm(sql, .duration(order: "_odata_duration_order(\(sql))"))
        case .duration: return SQLTerm(sql, .duration(order: order))
        case .guid: return SQLTerm(sql, .guid)
        case .guidBytes: return SQLTerm(sql, .guidBytes)
        case .binary: return SQLTerm(sql, .binary)
        case .string: return SQLTerm(sql, .string)
        case .json: return SQLTerm(sql, .json(type))
        case .presence: return SQLTerm(sql, .complex)
        case .unixSeconds: return SQLTerm(sql, .unix(unitsPerSecond: 1))
        case .unixMilliseconds: return SQLTerm(sql, .unix(unitsPerSecond: 1_000))
        }
    }

    private static func within(_ range: ClosedRange<Int64>, _ sql: SQLText) -> SQLText {
        "CASE WHEN \(sql) BETWEEN \(number: range.lowerBound) AND \(number: range.upperBound)"
            + " THEN \(sql) END"
    }
}

extension PrimitiveType {
    /// How many digits an integer of this type has at most.
    fileprivate var maximumDigits: Int? {
        switch self {
        case .byte, .sbyte: 3
        case .int16: 5
        case .int32: 10
        default: nil
        }
    }
}
