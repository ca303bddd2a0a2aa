@testable import ODataServer
import Testing

/// How many requests of a client are taken.
@Suite struct TokenBucketTests {
    @Test(arguments: [
        // At two in a second and three at once: when they come, and how long each waits.
        ([0, 0, 0, 0], [0, 0, 0, 500]),
        ([0, 0, 0, 250, 500, 500], [0, 0, 0, 250, 0, 500]),
        ([0, 0, 0, 10_000, 10_000, 10_000, 10_000], [0, 0, 0, 0, 0, 0, 500]),
        // A clock that stands still or goes back gives nothing.
        ([1_000, 1_000, 1_000, 0], [0, 0, 0, 500]),
    ])
    func requestsComeOneBehindTheOther(_ times: [Int], _ waits: [Int]) {
        var bucket = TokenBucket(full: 3, at: .milliseconds(times[0]))
        let found = times.map { time in
            bucket.take(perSecond: 2, burst: 3, at: .milliseconds(time)) ?? .zero
        }
        #expect(found.map { Int(($0 / .milliseconds(1)).rounded()) } == waits)
    }

    @Test func eachClientIsCountedByItself() {
        let rates = RequestRates(perSecond: 1, burst: 1)
        #expect(rates.take("a", at: .zero) == nil && rates.take("b", at: .zero) == nil)
        #expect(rates.take("a", at: .zero) == .seconds(1))
        #expect(rates.wait("c", at: .zero) == nil && rates.wait("a", at: .zero) == .seconds(1))
    }

    @Test func soManyClientsAreForgottenThatMemoryIsBounded() {
        let rates = RequestRates(perSecond: 1, burst: 1)
        for number in 0..<50_000 { _ = rates.take("\(number)", at: .milliseconds(number)) }
        #expect(rates.take("49999", at: .milliseconds(50_000)) != nil)
    }

    @Test func countsAreToldInTheFormOfPrometheus() {
        let metrics = ServiceMetrics()
        for (method, status, milliseconds) in [
            ("GET", 200, 3), ("GET", 200, 700), ("BREW", 501, 60_000),
        ] {
            metrics.note(
                RequestRecord(
                    method: method, path: "/", status: status, bytes: 10,
                    duration: .milliseconds(milliseconds)))
        }
        let text = metrics.text([.init(name: "odata_connections", help: "Open.", value: 7)])
        for line in [
            #"odata_requests_total{method="GET",status="200"} 2"#,
            #"odata_requests_total{method="other",status="501"} 1"#, "odata_answer_bytes_total 30",
            #"odata_request_seconds_bucket{le="0.001"} 0"#,
            #"odata_request_seconds_bucket{le="0.005"} 1"#,
            #"odata_request_seconds_bucket{le="2.0"} 2"#,
            #"odata_request_seconds_bucket{le="+Inf"} 3"#, "odata_request_seconds_count 3",
            "# TYPE odata_connections gauge", "odata_connections 7",
        ] {
            #expect(text.contains(line + "\n"), "\(line)\n\(text)")
        }
    }
}
