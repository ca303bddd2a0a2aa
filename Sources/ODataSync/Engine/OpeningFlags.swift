import ODataText
import ODataWorld

/// What stops an opening from outside: the whole of it, or only the download or the upload inside.
package struct OpeningFlags: Sendable {
    package let whole = CancellationFlag()
    package let download = CancellationFlag()
    package let upload = CancellationFlag()

    package init() {}

    /// Stops all of it.
    package func stop() {
        whole.cancel()
        download.cancel()
        upload.cancel()
    }

    /// - Throws: `cancelled` once the opening was told to stop.
    package func check() throws {
        guard !whole.isCancelled else {
            throw ODataError(.cancelled, "The opening was cancelled; what was stored stays.")
        }
    }
}
