import Synchronization

/// Counts what a service does, for whoever watches over it.
package final class ServiceMetrics: Sendable {
    private struct Kind: Hashable {
        var method: String
        var status: Int
    }

    private struct State {
        var requests: [Kind: Int] = [:]
        var bytes = 0
        var buckets = [Int](repeating: 0, count: ServiceMetrics.bounds.count + 1)
        var seconds = 0.0
    }

    /// A gauge: something that is counted when it is asked for.
    struct Gauge {
        var name: String
        var help: String
        var value: Int
    }

    private static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 30]
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PATCH", "PUT", "MERGE", "DELETE",
    ]
    private let state = Mutex(State())

    func note(_ record: RequestRecord) {
        let (whole, rest) = record.duration.components
        let seconds = Double(whole) + Double(rest) / 1e18
        let method = Self.methods.contains(record.method) ? record.method : "other"
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.requests[Kind(method: method, status: record.status), default: 0] += 1
            state.bytes += record.bytes
            state.buckets[bucket] += 1
            state.seconds += seconds
        }
    }

    /// The text of Prometheus (exposition format 0.0.4).
    func text(_ gauges: [Gauge]) -> String {
        let state = state.withLock { $0 }
        var lines = [
            "# HELP odata_requests_total Requests that were answered, batches as one.",
            "# TYPE odata_requests_total counter",
        ]
        lines += state.requests.sorted {
            ($0.key.method, $0.key.status) < ($1.key.method, $1.key.status)
        }
        .map { kind, count in
            "odata_requests_total{method=\"\(kind.method)\",status=\"\(kind.status)\"} \(count)"
        }
        lines += [
            "# HELP odata_answer_bytes_total Bytes of answers before they are compressed.",
            "# TYPE odata_answer_bytes_total counter", "odata_answer_bytes_total \(state.bytes)",
            "# HELP odata_request_seconds From the head of a request until its answer is made.",
            "# TYPE odata_request_seconds histogram",
        ]
        var sum = 0
        for (bound, count) in zip(Self.bounds, state.buckets) {
            sum += count
            lines.append("odata_request_seconds_bucket{le=\"\(bound)\"} \(sum)")
        }
        sum += state.buckets.last ?? 0
        lines += [
            "odata_request_seconds_bucket{le=\"+Inf\"} \(sum)",
            "odata_request_seconds_sum \(state.seconds)", "odata_request_seconds_count \(sum)",
        ]
        for gauge in gauges {
            lines += [
                "# HELP \(gauge.name) \(gauge.help)", "# TYPE \(gauge.name) gauge",
                "\(gauge.name) \(gauge.value)",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
