import ODataText

/// Values as they stand in URLs (ABNF 4.01 `primitiveLiteral`; V2 URI conventions), before percent-encoding.
package enum Literal {
    package static func text(
        _ scalar: Scalar, as type: PrimitiveType, dialect: Dialect
    ) -> String { "" }

    /// - Throws: `invalidValue` when `text` is not a literal of `type`.
    package static func parse(
        _ text: some StringProtocol, as type: PrimitiveType, dialect: Dialect
    ) throws -> Scalar {
        throw ODataError(.invalidValue, "Expected a literal of Edm.\(type.name).")
    }
}
