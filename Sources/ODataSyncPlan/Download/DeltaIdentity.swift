import ODataQuery

/// Whom and what a delta link belongs to beside its query: the user, the language and the other headers that may change what the
/// service answers (docs/design.md, decision 14). It is stored, so that no credentials are in it.
package enum DeltaIdentity {
    /// - Parameters:
    ///   - user: who the app says works with the store.
    ///   - headers: what goes with every request.
    ///   - volatile: names of headers that do not count, beside those that are known to name one request.
    package static func text(
        user: String?, headers: HeaderFields, volatile: Set<String> = []
    ) -> String {
        let ignored = ofOneRequest.union(volatile.map { $0.lowercased() })
        let counting = headers.withoutCredentials.fields.map {
            (name: $0.name.lowercased(), value: $0.value)
        }.filter { !ignored.contains($0.name) && !$0.name.hasPrefix("x-b3-") }
        return ([user ?? ""] + counting.map { "\($0.name)=\($0.value)" }.sorted())
            .joined(separator: "\n")
    }

    /// Names of single requests, their traces and their senders: another value leads to no other rows.
    private static let ofOneRequest: Set = [
        "b3", "baggage", "client-request-id", "correlation-id", "date", "idempotency-key",
        "request-id", "sap-passport", "traceparent", "tracestate", "user-agent",
        "x-amzn-trace-id", "x-cloud-trace-context", "x-correlation-id", "x-correlationid",
        "x-ms-client-request-id", "x-request-id", "x-requestid", "x-trace-id",
    ]
}
