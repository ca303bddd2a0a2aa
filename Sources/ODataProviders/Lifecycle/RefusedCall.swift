import ODataSyncPlan
import ODataText

/// A call that a provider refuses where it is between closed and open.
package struct RefusedCall: Error, Sendable, Hashable {
    package let reason: ProviderLifecycle.Refusal

    var error: ODataError {
        let (code, text): (ODataError.Code, String) =
            switch reason {
            case .notOpen: (.usage, "Expected an open store: call open() first.")
            case .alreadyOpen: (.usage, "Expected a closed store, found it open or being opened.")
            case .isClosing: (.usage, "Expected a store at rest, found it being closed.")
            case .insideOpening:
                (.usage, "Expected a call from outside, found one from a callback of the opening.")
            case .withdrawn: (.cancelled, "The store was closed before its opening began.")
            }
        return ODataError(code, text, underlying: self)
    }
}
