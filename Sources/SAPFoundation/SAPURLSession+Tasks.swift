import Foundation
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Requests of the app's own through a session. Each runs on a thread of its own once it is resumed; its handler is
// called on the session's queue, or on that thread where there is none.

extension SAPURLSession {
    /// The most bytes of an answer that is held in memory.
    private static let answerLimit = 512 << 20

    /// A task that reads a URL; it starts with `resume()`.
    @preconcurrency
    public func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task that sends a request; it starts with `resume()`.
    @preconcurrency
    public func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        uploadTask(with: request, from: request.httpBody, completionHandler: completionHandler)
    }

    /// A task that sends a request with a body; it starts with `resume()`.
    @preconcurrency
    public func uploadTask(
        with request: URLRequest, from bodyData: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionTask {
        SAPURLSessionTask(originalRequest: request) { [self] task in
            let outcome = Result { try answer(to: request, body: bodyData, task) }
            finish(task) {
                switch outcome {
                case .success(let (body, response)):
                    completionHandler(Data(body), response, nil)
                case .failure(let error): completionHandler(nil, task.response, error)
                }
            }
        }
    }

    /// A task that reads a URL into a file, which is there while the handler runs; it starts with `resume()`.
    @preconcurrency
    public func downloadTask(
        with url: URL,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionDownloadTask {
        downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
    }

    /// A task whose answer goes into a file, which is there while the handler runs; it starts with `resume()`.
    @preconcurrency
    public func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> SAPURLSessionDownloadTask {
        SAPURLSessionDownloadTask(originalRequest: request) { [self] task in
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("download-\(task.taskIdentifier)-\(UUID().uuidString)")
            let outcome = Result { try download(request, to: file, task) }
            finish(task) {
                defer { try? FileManager.default.removeItem(at: file) }
                switch outcome {
                case .success(let response): completionHandler(file, response, nil)
                case .failure(let error): completionHandler(nil, task.response, error)
                }
            }
        }
    }

    private func finish(_ task: SAPURLSessionTask, _ handler: @escaping @Sendable () -> Void) {
        task.complete()
        guard let queue = delegateQueue else { return handler() }
        queue.addOperation(handler)
    }

    private func send(
        _ request: URLRequest, body: Data?, _ task: SAPURLSessionTask
    ) throws -> any HTTPAnswer {
        guard !task.cancellation.isCancelled else { throw URLError(.cancelled) }
        do {
            return try ObservedTransport(session: self, base: base, task: task).send(
                RequestMessage(request, body: body.map(Array.init) ?? []),
                options: TransportOptions(cancellation: task.cancellation))
        } catch let error as ODataError {
            throw task.cancellation.isCancelled ? URLError(.cancelled) : Self.foundation(error)
        }
    }

    private func answer(
        to request: URLRequest, body: Data?, _ task: SAPURLSessionTask
    ) throws -> ([UInt8], URLResponse?) {
        let answer = try send(request, body: body, task)
        do {
            return (try answer.readAll(limit: Self.answerLimit).body, task.response)
        } catch let error as ODataError {
            throw task.cancellation.isCancelled ? URLError(.cancelled) : Self.foundation(error)
        }
    }

    private func download(
        _ request: URLRequest, to file: URL, _ task: SAPURLSessionTask
    ) throws -> URLResponse? {
        let answer = try send(request, body: request.httpBody, task)
        defer { answer.close() }
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw URLError(.cannotCreateFile)
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        do {
            while true {
                let part = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = try answer.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                guard !part.isEmpty else { return task.response }
                try handle.write(contentsOf: Data(part))
            }
        } catch let error as ODataError {
            throw task.cancellation.isCancelled ? URLError(.cancelled) : Self.foundation(error)
        }
    }

    /// The error that apps know from their platform.
    private static func foundation(_ error: ODataError) -> any Error {
        switch error.code {
        case .timeout: URLError(.timedOut)
        case .cancelled: URLError(.cancelled)
        case .network: URLError(.cannotConnectToHost)
        default: error
        }
    }
}
