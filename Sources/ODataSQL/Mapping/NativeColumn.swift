/// A column as its owner made it, beside the form that is read of it: literals are compared with it, so that the owner's
/// indexes serve. PostgreSQL has such.
package struct NativeColumn: Sendable, Hashable {
    /// What it is called where the form has the column's own name.
    package var name: String
    package var kind: Kind

    package enum Kind: Sendable, Hashable {
        /// Of a type whose values have the order of their texts, as SQL spells it.
        case type(String)
        /// A text in a collation, quoted, in which no two texts are equal but those of the same characters.
        case text(collation: String)
    }

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// A native column of a row.
struct NativeOperand: Sendable, Hashable {
    var sql: SQLText
    var kind: NativeColumn.Kind
}
