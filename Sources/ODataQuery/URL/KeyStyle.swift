/// How keys stand in the paths of a service (URL Conventions 4.01, sections 4.3.1 and 4.3.6).
package enum KeyStyle: String, Sendable, Hashable, CaseIterable {
    /// `Orders(1)`
    case parentheses
    /// `Orders/1`
    case segments
}
