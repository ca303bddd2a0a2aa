/// SQL in pieces: text and bound values, numbered only when the whole statement is rendered.
///
/// Built by string interpolation: `"\(name: "Orders") = \(argument: .integer(1))"`. A value can only get in as an
/// argument; names are quoted, and those of tables that are read (`"\(table: "Orders")"`) are kept, so that whoever runs
/// the statement knows what its result depends on.
package struct SQLText: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        case text(String)
        case argument(SQLArgument)
        /// A truth value, which is a number in SQLite.
        case truth(Bool)
        /// Null; PostgreSQL is told of which type.
        case null(type: String)
    }

    package private(set) var segments: [Segment] = []
    /// The tables that the text reads, once for each place where it does.
    package private(set) var tables: [String] = []

    package init() {}

    /// SQL as it stands: only for text that holds no value and no name from outside.
    package init(raw text: String) {
        if !text.isEmpty { segments = [.text(text)] }
    }

    package init(argument: SQLArgument) { segments = [.argument(argument)] }

    /// True or false.
    package init(truth: Bool) { segments = [.truth(truth)] }

    /// Null where an integer could stand.
    static let nullInteger: SQLText = {
        var sql = SQLText()
        sql.segments = [.null(type: "bigint")]
        return sql
    }()

    package var isEmpty: Bool { segments.isEmpty }

    /// How many bytes the text has, a few for each bound value.
    var length: Int {
        segments.reduce(0) { sum, segment in
            if case .text(let text) = segment { sum + text.utf8.count } else { sum + 5 }
        }
    }

    package mutating func append(_ other: SQLText) {
        for segment in other.segments { append(segment) }
        tables += other.tables
    }

    /// Adds the quoted name of a table whose rows are read here.
    package mutating func append(table: String) {
        append(raw: SQLName.quoted(table))
        tables.append(table)
    }

    /// The same text, of which nobody is told what it reads.
    package var untold: SQLText {
        var text = self
        text.tables = []
        return text
    }

    package mutating func append(raw text: String) { append(.text(text)) }

    private mutating func append(_ segment: Segment) {
        if case .text(let new) = segment, case .text(let old)? = segments.last {
            segments[segments.count - 1] = .text(old + new)
        } else {
            segments.append(segment)
        }
    }

    package static func + (left: SQLText, right: SQLText) -> SQLText {
        var sum = left
        sum.append(right)
        return sum
    }

    /// Numbers the placeholders and collects the values.
    package func statement(_ dialect: SQLDialect) -> SQLStatement {
        var text = ""
        var arguments: [SQLArgument] = []
        var known: [SQLArgument.Identity: Int] = [:]
        for segment in segments {
            switch segment {
            case .text(let piece): text += dialect.withShortNames(piece)
            case .truth(let value): text += dialect.truth(value)
            case .null(let type): text += dialect.null(type: type)
            case .argument(.null) where dialect.sharesPlaceholders: text += "NULL"
            case .argument(let argument):
                let identity = dialect.sharesPlaceholders ? argument.identity : nil
                if let identity, let number = known[identity] {
                    text += dialect.placeholder(number, for: argument)
                    continue
                }
                arguments.append(argument)
                if let identity { known[identity] = arguments.count }
                text += dialect.placeholder(arguments.count, for: argument)
            }
        }
        return SQLStatement(text: text, arguments: arguments, tables: tables)
    }
}

extension SQLText: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        var sql = SQLText()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { sql.append(raw: literal) }
        }

        package mutating func appendInterpolation(_ other: SQLText) { sql.append(other) }

        package mutating func appendInterpolation(name: String) {
            sql.append(raw: SQLName.quoted(name))
        }

        /// A table whose rows are read here.
        package mutating func appendInterpolation(table: String) { sql.append(table: table) }

        package mutating func appendInterpolation(argument: SQLArgument) {
            sql.append(SQLText(argument: argument))
        }

        package mutating func appendInterpolation(truth value: Bool) {
            sql.append(SQLText(truth: value))
        }

        /// An integer of our own, such as a factor or a bit.
        package mutating func appendInterpolation(number: Int64) {
            sql.append(raw: String(number))
        }

        package mutating func appendInterpolation(raw text: String) { sql.append(raw: text) }
    }

    package init(stringLiteral value: String) { self.init(raw: value) }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }
}

extension Sequence where Element == SQLText {
    /// The pieces with `separator` between them.
    package func joined(_ separator: String) -> SQLText {
        var result = SQLText()
        for (position, element) in enumerated() {
            if position > 0 { result.append(raw: separator) }
            result.append(element)
        }
        return result
    }
}
