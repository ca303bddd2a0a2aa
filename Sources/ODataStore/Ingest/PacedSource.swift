import ODataText

/// Bytes that come from a network at their own pace: reading may block, so whoever holds a transaction asks first.
package protocol PacedSource: ByteSource {
    /// Blocks until reading need not wait for a good while: much is there, or everything has come.
    func waitUntilBuffered()

    /// True when little is left to read before the network would have to be waited for.
    var isRunningDry: Bool { get }
}
