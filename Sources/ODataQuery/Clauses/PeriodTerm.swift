/// One of the options `$at`, `$from`, `$to` and `$toInclusive` (Temporal Data 4.0, section 4.1), read and written here
/// and left to the service to understand. `min` and `max` are paths of that name.
package struct PeriodTerm: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case at = "$at", from = "$from", to = "$to", toInclusive = "$toInclusive"
    }

    package var kind: Kind
    package var value: Expression

    package init(_ kind: Kind, _ value: Expression) {
        self.kind = kind
        self.value = value
    }
}
