import ODataText

/// How far an exchange had come when it failed, and why: the cause beneath an error of code `network`, `timeout` or
/// `cancelled` that the transport throws.
package struct NetworkFailure: Error, Sendable {
    /// Where an exchange can fail, in order.
    package enum Phase: String, Sendable, Hashable, CaseIterable {
        /// The host's name was not resolved.
        case name
        case connect
        case tls
        /// The request was not handed over to its end.
        case send
        /// All of it was handed over, and no answer began.
        case wait
        /// The answer broke off.
        case body
    }

    package var phase: Phase
    package var method: String
    package var host: String
    /// What the layer beneath said.
    package var cause: (any Error)?
    /// The exchange that failed went before the request itself, of which nothing was sent that the service looked at.
    package var isPreparation = false

    package init(phase: Phase, method: String, host: String, cause: (any Error)? = nil) {
        self.phase = phase
        self.method = method
        self.host = host
        self.cause = cause
    }

    /// One sentence without secrets: what was asked of whom, and what came in between.
    package var sentence: String {
        let what =
            switch phase {
            case .name: "the name of \(host) was not resolved"
            case .connect: "no connection to \(host)"
            case .tls: "no secure connection to \(host)"
            case .send: "the connection to \(host) ended before the request was sent"
            case .wait: "\(host) gave no answer"
            case .body: "the answer of \(host) broke off"
            }
        let reason = cause.map { " (\(Self.plain($0)))" } ?? ""
        return "\(method): \(what)\(reason)."
    }

    /// The text of a cause in one line of bounded length.
    private static func plain(_ cause: any Error) -> String {
        let words = String(describing: cause).split(whereSeparator: \.isWhitespace)
        return String(words.joined(separator: " ").prefix(120))
    }
}

extension ODataError {
    /// True when the transport proves that nothing of the request reached anybody, or that it did not leave whole.
    ///
    /// - Parameter partsCount: the receiver may act on a part before the rest arrives, as with the parts of a batch.
    package func provesNotSent(partsCount: Bool = false) -> Bool {
        guard let failure = underlying as? NetworkFailure else { return false }
        if failure.isPreparation { return true }
        switch failure.phase {
        case .name, .connect, .tls: return true
        case .send: return !partsCount
        case .wait, .body: return false
        }
    }
}
