import ODataQuery

/// What tells a transfer in the background from others that were begun under its name: the system keeps it with the task, and
/// ``TransferFolder`` with the mark.
struct TransferBeginning: Sendable, Hashable {
    let name: String
    let nonce: String

    init(name: String, nonce: String) { (self.name, self.nonce) = (name, nonce) }

    /// - Parameter text: as ``text`` writes it; nil for what others have written.
    init?(_ text: String) {
        guard let mark = text.lastIndex(of: "#") else { return nil }
        name = String(text[..<mark])
        nonce = String(text[text.index(after: mark)...])
    }

    var text: String { name + "#" + nonce }

    /// Nothing has ended it, and no other one stands in its place.
    func isCurrent(in folder: TransferFolder) -> Bool {
        folder.nonce(of: name) == nonce && folder.state(of: name) == .running
    }
}

/// What the end of a transfer says that the system has carried.
enum TransferEnd {
    /// The step at which a transfer without an answer ended.
    ///
    /// - Parameter proven: where the system's last try ended, of which alone it tells: those before it may have brought a write
    ///   to the service.
    static func phase(
        ofMethod method: String?, proven: NetworkFailure.Phase?
    ) -> NetworkFailure.Phase {
        method == "GET" ? proven ?? .wait : .wait
    }

    /// The system follows redirects with all that the request carries: what somebody else answers is not taken, nor what is
    /// answered to a read that a write was made into.
    ///
    /// - Parameters:
    ///   - asked: method and URL of the request as it was begun.
    ///   - answered: the method of the last request, and the URL of the answer.
    static func isAnswer(
        to asked: (method: String?, url: String?), _ answered: (method: String?, url: String?)
    ) -> Bool {
        guard let place = asked.url, let found = answered.url else { return true }
        if let method = answered.method, method != asked.method { return false }
        return ServiceURL.isSameOrigin(found, as: place)
    }

    /// Whether a body has the length that its head says, as far as that says one of the bytes that are kept.
    static func isWhole(bytes: Int?, status: Int, headers: HeaderFields) -> Bool {
        guard ![204, 304].contains(status), headers["Content-Encoding"] == nil,
            let length = headers["Content-Length"].flatMap({ Int($0) })
        else { return true }
        return bytes == length
    }
}
