import ODataText

/// The bare lexical form of values, as in JSON strings, XML and CSV, without quotes or prefixes.
package enum Lexical {
    /// The canonical text; empty for null.
    package static func text(_ scalar: Scalar) -> String { "" }

    /// - Throws: `invalidValue` when `text` is not in the lexical or value space of `type`.
    package static func parse(_ text: some StringProtocol, as type: PrimitiveType) throws -> Scalar
    {
        throw ODataError(.invalidValue, "Expected a value of Edm.\(type.name).")
    }
}
