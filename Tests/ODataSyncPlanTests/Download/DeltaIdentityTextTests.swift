import ODataQuery
import ODataSyncPlan
import Testing

/// Whose a delta link is: who and what it was asked with, as far as that may change an answer.
@Suite struct DeltaIdentityTextTests {
    private static func text(_ headers: HeaderFields, _ volatile: Set<String> = []) -> String {
        DeltaIdentity.text(user: "ada", headers: headers, volatile: volatile)
    }

    @Test func whatMayChangeAnAnswerCounts() {
        let german = Self.text(["Accept-Language": "de", "X-Tenant": "one"])
        #expect(german == Self.text(["x-tenant": "one", "ACCEPT-LANGUAGE": "de"]))
        #expect(german != Self.text(["Accept-Language": "en", "X-Tenant": "one"]))
        #expect(german != Self.text(["Accept-Language": "de", "X-Tenant": "two"]))
        #expect(
            DeltaIdentity.text(user: nil, headers: [:])
                != DeltaIdentity.text(user: "ada", headers: [:]))
    }

    @Test(arguments: [
        "X-Request-ID", "x-correlation-id", "traceparent", "tracestate", "X-B3-TraceId",
        "User-Agent", "SAP-PASSPORT", "Date",
    ])
    func namesOfOneRequestDoNot(name: String) {
        #expect(Self.text([name: "1"]) == Self.text([:]))
    }

    @Test func whatTheAppExcludesDoesNot() {
        #expect(Self.text(["X-Turn": "1"], ["x-TURN"]) == Self.text([:]))
        #expect(Self.text(["X-Turn": "1"]) != Self.text([:]))
    }

    /// It stands in the store's file.
    @Test(arguments: [
        "Authorization", "Cookie", "X-API-Key", "Ocp-Apim-Subscription-Key", "X-CSRF-Token",
        "X-Client-Secret",
    ])
    func noCredentialsAreInIt(name: String) {
        #expect(!Self.text([name: "hush"]).contains("hush"))
    }
}
