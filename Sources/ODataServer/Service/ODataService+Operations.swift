import GRDB
import Logging
import ODataQuery
import ODataText
import ODataWire

extension ODataService {
    /// What is told of each request; nil where nobody wants to know.
    var observation: (@Sendable (RequestRecord) -> Void)? {
        let logs = configuration.logsRequests
        guard logs || configuration.managementPort != nil else { return nil }
        let logger = Logger(label: "odata.access")
        return { [metrics] record in
            metrics.note(record)
            if logs { Self.log(record, logger) }
        }
    }

    private static func log(_ record: RequestRecord, _ logger: Logger) {
        let (seconds, rest) = record.duration.components
        let milliseconds = seconds * 1_000 + rest / 1_000_000_000_000_000
        logger.info(
            "\(record.method) \(record.path)",
            metadata: [
                "status": "\(record.status)", "bytes": "\(record.bytes)",
                "ms": "\(milliseconds)", "user": "\(record.user ?? "-")",
                "from": "\(record.address ?? "-")",
            ])
    }

    /// Listens for those who watch over the service, on a port of their own: nothing there is asked who it is, and no
    /// name of an entity set is in the way.
    func startManagement() throws -> HTTPEdge? {
        guard let port = configuration.managementPort else { return nil }
        var settings = HTTPEdge.Configuration()
        settings.host = configuration.managementHost
        settings.port = port
        settings.workerThreads = 1
        settings.maximumBodyBytes = 1 << 10
        settings.world = configuration.world
        let edge = HTTPEdge(settings) { [weak self] request in
            self.map { .answer($0.managementAnswer(request)) } ?? .hangUp
        }
        _ = try edge.start()
        return edge
    }

    private func managementAnswer(_ request: RequestMessage) -> ResponseMessage {
        guard request.method == "GET" || request.method == "HEAD" else {
            var answer = Self.plain(405, "Expected GET.")
            answer.headers["Allow"] = "GET, HEAD"
            return answer
        }
        switch request.url.pathOfURL {
        case "/health/live": return Self.plain(200, "live")
        case "/health", "/health/ready":
            return isReady ? Self.plain(200, "ready") : Self.plain(503, "not ready")
        case "/metrics":
            var answer = Self.plain(200, metrics.text(gauges))
            answer.headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8"
            return answer
        default:
            return Self.plain(404, "Expected /health, /health/live, /health/ready or /metrics.")
        }
    }

    private static func plain(_ status: Int, _ text: String) -> ResponseMessage {
        ResponseMessage(
            status: status,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: Array((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }

    /// Whether requests are taken and the database answers.
    private var isReady: Bool {
        guard takesRequests else { return false }
        return (try? pool.read { try Int.fetchOne($0, sql: "SELECT 1") }) == 1
    }

    private var gauges: [ServiceMetrics.Gauge] {
        let counts = openRequests
        return [
            .init(
                name: "odata_connections", help: "Connections that are open.",
                value: counts.connections),
            .init(
                name: "odata_requests_in_progress",
                help: "Requests that wait for a thread, are worked at or are held.",
                value: counts.requests),
            .init(
                name: "odata_requests_held",
                help: "Requests that are held until there is something to tell.",
                value: heldRequests),
        ]
    }
}
