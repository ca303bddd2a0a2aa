import ODataQuery
import ODataText

/// What became of the contents that did not come, and whether asking for further ones makes sense (pure).
package struct ContentFailures: Sendable {
    /// How many contents the service refused.
    package private(set) var refusalCount = 0
    /// The first of its refusals.
    package private(set) var refusal: ODataError?
    /// The first failure of the network that was of one content only.
    package private(set) var broken: ODataError?
    /// Why no further content is asked for.
    package private(set) var end: (any Error)?
    /// Contents in a row of which nobody knows whether the service can answer at all.
    private var unanswered = 0

    /// Contents in a row that nobody may read; there are none among the others of the set, then.
    private var forbiddenInRow = 0
    private static let mostForbidden = 100
    /// Contents in a row that may fail without an answer before everything is taken to.
    private static let patience = 3

    package init() {}

    /// A content came, or the service has none.
    package mutating func succeed() { (unanswered, forbiddenInRow) = (0, 0) }

    /// A content did not come. One that is dead, or breaks its connection each time, does not keep those behind it from
    /// coming; without a network, and where nobody may read, there is nothing to come.
    package mutating func fail(_ error: any Error) {
        guard end == nil else { return }
        guard let failure = error as? ODataError else {
            end = error
            return
        }
        if failure.code == .network {
            broken = broken ?? failure
            wait(for: failure, isOver: Self.isUnreachable(failure))
        } else if SourceRefusal.isAboutOneSource(failure) {
            refusalCount += 1
            refusal = refusal ?? failure
            switch failure.status {
            case 401, 407, 429: end = failure
            case 502, 503, 504: wait(for: failure, isOver: false)
            case 403:
                (unanswered, forbiddenInRow) = (0, forbiddenInRow + 1)
                if forbiddenInRow >= Self.mostForbidden { end = failure }
            default: (unanswered, forbiddenInRow) = (0, 0)
            }
        } else {
            end = failure
        }
    }

    private mutating func wait(for failure: ODataError, isOver: Bool) {
        unanswered += 1
        if isOver || unanswered >= Self.patience { end = failure }
    }

    /// No connection came about.
    private static func isUnreachable(_ error: ODataError) -> Bool {
        switch (error.underlying as? NetworkFailure)?.phase {
        case .name?, .connect?, .tls?: true
        default: false
        }
    }
}
