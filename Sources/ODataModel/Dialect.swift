/// What V2, V4.0 and V4.01 do differently, as named properties of one value.
package struct Dialect: Sendable, Hashable {
    package var version: ODataVersion
    /// Literals carry their type as prefix or suffix: `datetime'…'`, `guid'…'`, `64L`, `2.5M` (V2).
    package var usesTypedLiterals: Bool
    /// `duration'…'` and enumeration prefixes may be left out in URLs (V4.01).
    package var allowsBareLiterals: Bool
    /// Control information is written `@context` instead of `@odata.context` (V4.01).
    package var usesShortControlNames: Bool
    /// JSON payloads are wrapped in `{"d": …}` (V2).
    package var wrapsPayload: Bool
    /// Int64 and Decimal are JSON strings whatever the media type says (V2).
    package var quotesLongNumbers: Bool
    /// `$inlinecount=allpages` instead of `$count=true` (V2).
    package var usesInlineCount: Bool
    /// `substringof(needle,text)` instead of `contains(text,needle)` (V2).
    package var usesSubstringOf: Bool
    /// `$expand` takes options in parentheses (V4); otherwise paths, with `$select` paths beside them.
    package var hasExpandOptions: Bool
    /// `in`, `$compute`, key-as-segment and other additions of V4.01 may be sent.
    package var hasInOperator: Bool
    /// Partial updates use `PATCH`; otherwise `MERGE` (V2).
    package var updatesWithPatch: Bool

    package static let v2 = Dialect(
        version: .v2, usesTypedLiterals: true, allowsBareLiterals: false,
        usesShortControlNames: false, wrapsPayload: true, quotesLongNumbers: true,
        usesInlineCount: true, usesSubstringOf: true, hasExpandOptions: false,
        hasInOperator: false, updatesWithPatch: false)

    package static let v4 = Dialect(
        version: .v4, usesTypedLiterals: false, allowsBareLiterals: false,
        usesShortControlNames: false, wrapsPayload: false, quotesLongNumbers: false,
        usesInlineCount: false, usesSubstringOf: false, hasExpandOptions: true,
        hasInOperator: false, updatesWithPatch: true)

    package static let v401 = Dialect(
        version: .v401, usesTypedLiterals: false, allowsBareLiterals: true,
        usesShortControlNames: true, wrapsPayload: false, quotesLongNumbers: false,
        usesInlineCount: false, usesSubstringOf: false, hasExpandOptions: true,
        hasInOperator: true, updatesWithPatch: true)

    /// The dialect that a service of this version speaks.
    package static func of(_ version: ODataVersion) -> Dialect {
        switch version {
        case .v1, .v2, .v3: .v2
        case .v4: .v4
        case .v401: .v401
        }
    }
}
