import ODataWorld

/// The live world in which nobody waits: pauses before repetitions end at once.
package final class ImpatientWorld: VariedWorld {
    package let live = LiveWorld()

    package init() {}

    @discardableResult
    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        token?.isCancelled != true
    }
}
