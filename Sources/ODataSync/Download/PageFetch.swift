import ODataQuery
import ODataText
import ODataTransport
import ODataWorld

/// One page on its way: a worker pulls it from the service into a bounded pipe, the ingest reads it from there.
///
/// State shared by the two is guarded by `monitor`.
final class PageFetch: @unchecked Sendable {
    /// What the caller asked for; the request may spell it in another way.
    let url: String
    private let request: RequestMessage
    /// Bytes after which a page counts as one without an end.
    private let maximum: Int
    let pipe: BytePipe
    private let monitor: any Monitor
    private let cancellation: CancellationFlag
    private var head: Swift.Result<(status: Int, headers: HeaderFields), ODataError>?
    private var worker: (any WorkerHandle)?

    /// How much of the end is kept for ``onTail``: links stand behind the rows.
    private static let tailSize = 8 << 10
    private static let partSize = 64 << 10

    init(
        _ url: String, _ request: RequestMessage, limit: Int, maximum: Int = .max,
        world: any World, cancellation: CancellationFlag
    ) {
        self.url = url
        self.request = request
        self.maximum = maximum
        self.cancellation = cancellation
        pipe = BytePipe(limit: limit, world: world)
        monitor = world.makeMonitor()
    }

    /// Starts the worker; `onTail` gets the last bytes of a page that arrived whole, on the worker.
    func start(
        over connection: ServiceConnection, world: any World,
        onTail: @escaping @Sendable ([UInt8]) -> Void
    ) {
        worker = world.startWorker("odata-fetch") { [self] in
            do {
                let tail = try transfer(over: connection)
                if let tail { onTail(tail) }
                pipe.finish()
            } catch let error as ODataError {
                fail(error)
            } catch {
                fail(ODataError(.network, "The page did not arrive.", underlying: error))
            }
        }
    }

    /// Blocks until the head of the answer is there.
    func waitForHead() throws -> (status: Int, headers: HeaderFields) {
        try monitor.withLock {
            while head == nil { _ = monitor.wait(timeout: nil) }
            guard let head else { throw ODataError(.network, "The page did not arrive.") }
            return try head.get()
        }
    }

    /// Gives the page up and waits for its worker.
    func close() {
        pipe.close()
        worker?.join()
    }

    /// The tail of a whole successful page; nil for a refusal or when the reader went away.
    private func transfer(over connection: ServiceConnection) throws -> [UInt8]? {
        let answer = try connection.send(request, cancellation: cancellation)
        defer { answer.close() }
        let status = answer.status
        let headers = answer.headers
        monitor.withLock {
            head = .success((status, headers))
            monitor.signal()
        }
        var tail: [UInt8] = []
        var count = 0
        while true {
            let part = try [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
                count = try answer.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !part.isEmpty else { return status == 200 ? tail : nil }
            count += part.count
            guard count <= maximum else {
                throw ODataError(
                    .limitExceeded,
                    "Expected a page of at most \(maximum) bytes, found one that goes on.",
                    at: .path(url))
            }
            tail =
                part.count >= Self.tailSize
                ? Array(part.suffix(Self.tailSize)) : Array((tail + part).suffix(Self.tailSize))
            guard pipe.write(part) else { return nil }
        }
    }

    private func fail(_ error: ODataError) {
        monitor.withLock {
            if head == nil { head = .failure(error) }
            monitor.signal()
        }
        pipe.finish(error)
    }
}
