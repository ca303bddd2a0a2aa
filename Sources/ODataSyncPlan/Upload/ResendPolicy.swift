/// What to do with an attempt that was sent before and has no recorded answer (DESIGN decision 15).
package enum ResendPolicy {
    package enum Decision: Sendable, Hashable {
        /// Send it again, byte for byte.
        case resend
        /// Look at the service whether these creates took effect: their keys came from the client.
        case probe([Int64])
        /// Nobody can tell; it is listed with the failed requests and never sent again by itself.
        case unknown
    }

    /// Changes, deletes and links end in the same state however often they arrive; a create does not, unless the service
    /// recognises a repetition.
    ///
    /// - Parameter hasKey: whether the app set every key property of a create.
    package static func decide(
        _ requests: [QueuedRequest], wasSent: Bool, isRepeatable: Bool,
        hasKey: (QueuedRequest) -> Bool
    ) -> Decision {
        guard wasSent, !isRepeatable else { return .resend }
        let creates = requests.filter { $0.operation == .create }
        guard !creates.isEmpty else { return .resend }
        return creates.allSatisfy(hasKey) ? .probe(creates.map(\.id)) : .unknown
    }
}
