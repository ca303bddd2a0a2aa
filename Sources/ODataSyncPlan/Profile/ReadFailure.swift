import ODataText

/// What the failed read of one row says of all else that is to be read or sent (pure).
package enum ReadFailure: Sendable, Hashable {
    /// The service refuses to show this row, or shows it in a form that the store's metadata does not know: nothing.
    case ofOnePlace
    /// Somebody else has answered: nothing, as long as the service answers elsewhere.
    case ofSomebodyElse
    /// Network, store or the app itself: the same would come of the next one.
    case ofEverything

    package init(_ error: ODataError) {
        switch error.code {
        case .storage, .cancelled, .timeout: self = .ofEverything
        case .network: self = error.underlying is ForeignPage ? .ofSomebodyElse : .ofEverything
        default: self = .ofOnePlace
        }
    }

    /// True for the status of one who lets nobody in now, or not so often: it is said of everything.
    package static func asksToComeLater(_ status: Int) -> Bool {
        [401, 407, 429, 503].contains(status)
    }
}
