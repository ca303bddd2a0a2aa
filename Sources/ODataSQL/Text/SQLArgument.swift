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

    package var isNull: Bool { self == .null }
}

/// A statement ready to be prepared: placeholders in the text, the values beside it.
package struct SQLStatement: Sendable, Hashable {
    package var text: String
    package var arguments: [SQLArgument]

    package init(text: String, arguments: [SQLArgument] = []) {
        self.text = text
        self.arguments = arguments
    }

    /// The values for these parent rows, given as a JSON array.
    package func arguments(parentRows json: String) -> [SQLArgument] {
        arguments.map { $0 == .parentRows ? .text(json) : $0 }
    }
}
