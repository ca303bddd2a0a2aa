import Synchronization

/// One request and what became of it, as an access log has it: without what stands behind `?`, where values are looked for.
package struct RequestRecord: Sendable, Hashable {
    package var method: String
    package var path: String
    package var status: Int
    /// Bytes of the answer's body before it is compressed.
    package var bytes: Int
    /// Until the answer was made; it is sent behind that.
    package var duration: Duration
    /// Who sent it; nil where nobody asked, or nothing was proved.
    package var user: String?
    /// Where it came from.
    package var address: String?
}

/// Who sends a request, as it becomes known while it is answered.
final class RequestSender: Sendable {
    private let name = Mutex<String?>(nil)

    var user: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
}
