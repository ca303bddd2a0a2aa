/// Who sends the request that the current thread works at.
package enum Client: Sendable {
    /// Nil where nobody was asked who they are.
    @TaskLocal static var current: Client?

    /// The service itself, which may do everything.
    case service
    case known(Principal)

    var principal: Principal? {
        if case .known(let principal) = self { principal } else { nil }
    }
}
