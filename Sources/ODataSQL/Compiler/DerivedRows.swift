import ODataModel
import ODataQuery
import ODataText

/// A property of rows that a step of `$apply` made, as a column of a subselect.
struct DerivedColumn: Sendable {
    /// One name for an alias, several for a property that was kept from behind a navigation property.
    var path: [String]
    var type: TypeReference?
    /// What the column's values stand for; its SQL is of the select that made it.
    var source: SQLTerm
    var name: String
    /// The type of what the first name of the path stands for, where that is no declared property.
    var structure: StructureID?
    /// True for a value of our own, which no result shows.
    var isHidden = false

    /// The column of the subselect called `alias`.
    func term(_ alias: String, _ dialect: SQLDialect) -> SQLTerm {
        source.read(
            from: "\(name: alias).\(name: label)",
            offset: "\(name: alias).\(name: label + "#offset")",
            dialect)
    }

    /// The items of the select list that make the column.
    func items(_ term: SQLTerm) -> [SQLText] {
        var items: [SQLText] = ["\(term.sql) AS \(name: label)"]
        if case .instant(let offset) = source.kind, case .some = offset {
            items.append(offsetItem(ownOffset(of: term)))
        }
        return items
    }

    /// The offset of an instant; null where it is lost.
    func ownOffset(of term: SQLTerm) -> SQLText {
        if case .instant(let given?) = term.kind { given } else { .nullInteger }
    }

    func offsetItem(_ sql: SQLText) -> SQLText { "\(sql) AS \(name: label + "#offset")" }

    /// The name of the column in the subselect: SQLite takes names for the same that differ in the case of ASCII letters
    /// only, so that a name tells which of its letters are capital, four by each digit.
    var label: String {
        let bytes = Array(name.utf8)
        var digits = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<min(start + 4, bytes.count)].enumerated().reduce(0) { digit, letter in
                (0x41...0x5A).contains(letter.element) ? digit | 1 << letter.offset : digit
            }
        }
        while digits.last == 0 { digits.removeLast() }
        guard !digits.isEmpty else { return name }
        return name + "#" + digits.map { String($0, radix: 16) }.joined()
    }
}

extension SQLTerm {
    /// The same value where it is read anew: what goes with it, as an order or an offset, is found there.
    ///
    /// - Parameter offset: where the offset of an instant that has one is; nil where it is lost.
    func read(from sql: SQLText, offset: SQLText?, _ dialect: SQLDialect) -> SQLTerm {
        var term = self
        term.sql = sql
        switch kind {
        case .decimalText: term.kind = .decimalText(order: dialect.decimalOrder(sql))
        case .duration: term.kind = .duration(order: dialect.durationOrder(sql))
        case .instant(.some): term.kind = .instant(offset: offset)
        default: break
        }
        return term
    }
}

extension ResultShape {
    /// A value that is no column of the table: an alias of `$compute`, or a property behind `$apply`.
    package struct Computed: Sendable, Hashable {
        package var path: [String]
        package var type: TypeReference?
        package var encoding: ColumnEncoding
        package var index: Int
        package var offsetIndex: Int?
        /// The type of the structured value under the path's first name, where that is no declared property.
        package var structure: StructureID?
    }
}

extension TypeReference {
    /// What only each value tells.
    package static let open = TypeReference(.primitive(.untyped))
}

extension SQLTerm {
    /// How to read the term's values from a result; nil for what is no value.
    var encoding: ColumnEncoding? {
        switch kind {
        case .null, .string: .string
        case .boolean: .boolean
        case .integer: .integer
        case .scaled(let scale): .scaledDecimal(scale: scale)
        case .real: .real
        case .decimalText: .orderedDecimal
        case .guid: .guid
        case .guidBytes: .guidBytes
        case .binary: .binary
        case .date: .date
        case .time: .timeOfDay
        case .instant: .utcDateTime
        case .wall: .wallDateTime
        case .duration: .duration
        case .enumeration(let id): .enumeration(id)
        case .json, .open: .json
        case .unix(1): .unixSeconds
        case .unix: .unixMilliseconds
        case .literal, .enumerationLiteral, .complex, .row: nil
        }
    }
}

/// The select list and shape of values that are no columns.
struct ComputedList {
    var items: [SQLText] = []
    private(set) var shape: [ResultShape.Computed] = []
    private var next: Int

    /// Columns are counted from `start` on.
    init(start: Int) { next = start }

    mutating func add(
        _ path: [String], _ term: SQLTerm, type: TypeReference?, structure: StructureID? = nil
    ) throws {
        guard let encoding = term.encoding else {
            throw ExpressionCompiler.notImplemented("a computed value that is not primitive")
        }
        var computed = ResultShape.Computed(
            path: path, type: term.isOpen ? .open : type, encoding: encoding, index: next,
            offsetIndex: nil,
            structure: structure)
        items.append(term.sql)
        next += 1
        if case .instant(let offset?) = term.kind {
            items.append(offset)
            computed.offsetIndex = next
            next += 1
        }
        shape.append(computed)
    }
}
