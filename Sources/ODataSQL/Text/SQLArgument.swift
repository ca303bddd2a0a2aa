/// A value bound to a statement or read from a column, in the storage classes of SQLite.
package enum SQLArgument: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// Stands for the JSON array of parent rows that an ``ExpandPlan`` is run for.
    case parentRows

    package static func boolean(_ value: Bool) -> SQLArgument { .integer(value ? 1 : 0) }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether a column would hold the very same: texts that are equal in Swift may differ in their bytes.
    package func isSame(as other: SQLArgument) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
        default: self == other
        }
    }

    /// What is the same for the same value only: texts are equal in Swift when they look the same, and zero equals its
    /// negative.
    enum Identity: Hashable {
        case value(SQLArgument)
        case text([UInt8])
        case real(UInt64)
    }

    var identity: Identity {
        switch self {
        case .text(let text): .text(Array(text.utf8))
        case .real(let value): .real(value.bitPattern)
        default: .value(self)
        }
    }
}

/// A statement ready to be prepared: placeholders in the text, the values beside it.
package struct SQLStatement: Sendable, Hashable {
    package var text: String
    package var arguments: [SQLArgument]
    /// The tables that a compiled statement reads, once for each place where it does.
    package let tables: [String]

    package init(text: String, arguments: [SQLArgument] = [], tables: [String] = []) {
        self.text = text
        self.arguments = arguments
        self.tables = tables
    }

    /// The values for these parent rows, given as a JSON array.
    package func arguments(parentRows json: String) -> [SQLArgument] {
        arguments.map { $0 == .parentRows ? .text(json) : $0 }
    }
}
