import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPCommon
import SAPOData
import Synchronization
import Testing

/// Requests that apps send themselves through the session of their provider.
@Suite struct SessionTaskTests {
    private final class Stamp: SAPURLSessionObserving {
        func sapURLSession(
            _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
            completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
        ) {
            var changed = request
            changed.setValue("1", forHTTPHeaderField: "X-Stamp")
            completionHandler(.use(changed))
        }
    }

    @Test func tasksFailWhereNobodyListens() async throws {
        let session = SAPURLSession(delegateQueue: OperationQueue())
        let observer = Stamp()
        session.register(observer)
        #expect(session.isRegistered(observer) && session.isValid)
        let url = try #require(URL(string: "http://127.0.0.1:9/none"))
        let (data, failed): (Data?, Bool) = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: url) { data, _, error in
                continuation.resume(returning: (data, error is URLError))
            }
            #expect(task.state == .suspended && task.originalRequest?.url == url)
            task.resume()
        }
        #expect(data == nil && failed)
        session.unregister(observer)
        #expect(!session.isRegistered(observer))
    }

    @Test func aTaskThatIsCancelledBeforeItStartsSaysSo() async throws {
        let session = SAPURLSession()
        let url = try #require(URL(string: "http://127.0.0.1:9/none"))
        let code: URLError.Code? = await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: url) { _, _, error in
                continuation.resume(returning: (error as? URLError)?.code)
            }
            task.cancel()
            task.resume()
        }
        #expect(code == .cancelled)
        session.invalidateAndCancel()
        #expect(!session.isValid)
    }

    // MARK: Against a service

    private final class Lines: LogHandler, Sendable {
        private let lines = Mutex<[String]>([])
        var suspensions: Int {
            lines.withLock { lines in
                lines.count { $0.hasPrefix("The setting SAPURLSessionTask.suspend has no effect") }
            }
        }

        func handle(_ entry: LogEntry) { lines.withLock { $0.append(entry.message) } }
    }

    @Test func suspendingKeepsATaskFromStartingAndStopsNone() async throws {
        let gate = DispatchSemaphore(value: 0)
        let peer = try await onOwnThread {
            try LoopbackService { _, _ in
                gate.wait()
                return .answer(ResponseMessage(status: 200, headers: HeaderFields(), body: [7]))
            }
        }
        let (log, logger) = (Lines(), Logger.shared(named: "SAPFoundation.Session"))
        logger.add(handler: log)
        defer { logger.remove(handler: log) }
        let session = SAPURLSession()
        let url = try #require(URL(string: peer.root + "/Tools"))
        let seen: Outcome = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: url) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }
            task.suspend()
            #expect(task.state == .suspended && log.suspensions == 0)
            task.resume()
            task.suspend()
            #expect(task.state == .running && log.suspensions == 1)
            gate.signal()
        }
        #expect(seen.status == 200 && seen.data == Data([7]) && !seen.isError)
    }

    private struct Outcome: Sendable {
        var data: Data?
        var status: Int?
        var type: String?
        var isError: Bool

        init(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
            self.data = data
            status = (response as? HTTPURLResponse)?.statusCode
            type = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type")
            isError = error != nil
        }
    }

    /// Answers with what it was sent.
    private static func makeEcho() async throws -> LoopbackService {
        try await onOwnThread {
            try LoopbackService { request, _ in
                .answer(
                    ResponseMessage(
                        status: request.method == "PUT" ? 201 : 200,
                        headers: ["Content-Type": "application/x-echo"],
                        body: Array("\(request.method) \(request.url) ".utf8) + request.body))
            }
        }
    }

    @Test func aDataTaskGivesTheAnswer() async throws {
        let peer = try await Self.makeEcho()
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Extra": "2"]
        let session = SAPURLSession(configuration: configuration)
        let observer = Stamp()
        session.register(observer)
        let url = try #require(URL(string: peer.root + "/Tools?$top=1"))
        let seen: Outcome = await withCheckedContinuation { continuation in
            let task = session.dataTask(with: url) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }
            task.resume()
            task.resume()
        }
        #expect(seen.data == Data("GET /s/Tools?$top=1 ".utf8))
        #expect(seen.status == 200 && seen.type == "application/x-echo" && !seen.isError)
        #expect(peer.requests.count == 1)
        #expect(peer.requests.first?.headers["X-Stamp"] == "1")
        #expect(peer.requests.first?.headers["X-Extra"] == "2")
    }

    @Test func aDataTaskSendsTheBodyOfItsRequest() async throws {
        let peer = try await Self.makeEcho()
        let session = SAPURLSession(delegateQueue: OperationQueue())
        var request = URLRequest(url: try #require(URL(string: peer.root + "/Tools")))
        request.httpMethod = "POST"
        request.httpBody = Data("{}".utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let sent = request
        let seen: Outcome = await withCheckedContinuation { continuation in
            session.dataTask(with: sent) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }.resume()
        }
        #expect(seen.data == Data("POST /s/Tools {}".utf8))
        #expect(peer.requests.first?.headers["Content-Type"] == "application/json")
    }

    @Test func anUploadTaskSendsItsData() async throws {
        let peer = try await Self.makeEcho()
        let session = SAPURLSession()
        var request = URLRequest(url: try #require(URL(string: peer.root + "/Photos(1)/$value")))
        request.httpMethod = "PUT"
        let sent = request
        let content = Data(repeating: 7, count: 300_000)
        let state = Mutex(SAPURLSessionTask.State.suspended)
        let seen: Outcome = await withCheckedContinuation { continuation in
            let task = session.uploadTask(with: sent, from: content) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }
            state.withLock { $0 = task.state }
            task.resume()
        }
        #expect(state.withLock { $0 } == .suspended)
        #expect(seen.status == 201 && !seen.isError)
        #expect(seen.data == Data("PUT /s/Photos(1)/$value ".utf8) + content)
        #expect(peer.requests.first?.body.count == 300_000)
    }

    @Test func aDownloadTaskGivesAFileThatIsGoneAfterwards() async throws {
        let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let peer = try await onOwnThread {
            try LoopbackService { _, _ in
                .answer(ResponseMessage(status: 200, headers: HeaderFields(), body: content))
            }
        }
        let session = SAPURLSession()
        let url = try #require(URL(string: peer.root + "/Photos(1)/$value"))
        let (place, seen): (URL?, Outcome) = await withCheckedContinuation { continuation in
            session.downloadTask(with: url) { file, response, error in
                let data = file.flatMap { try? Data(contentsOf: $0) }
                continuation.resume(returning: (file, Outcome(data, response, error)))
            }.resume()
        }
        #expect(seen.data == Data(content) && seen.status == 200 && !seen.isError)
        let file = try #require(place)
        for _ in 0..<200 where FileManager.default.fileExists(atPath: file.path) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func anErrorStatusIsAnAnswer() async throws {
        let peer = try await onOwnThread {
            try LoopbackService { _, _ in
                .answer(ResponseMessage(status: 404, headers: HeaderFields(), body: [1, 2]))
            }
        }
        let session = SAPURLSession()
        let url = try #require(URL(string: peer.root + "/None"))
        let seen: Outcome = await withCheckedContinuation { continuation in
            session.dataTask(with: url) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }.resume()
        }
        #expect(seen.status == 404 && seen.data == Data([1, 2]) && !seen.isError)
    }

    /// Answers a challenge with a credential.
    private final class Guest: SAPURLSessionDelegate {
        func sapURLSession(
            _ session: SAPURLSession, task: SAPURLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
        ) {
            completionHandler(
                .use(URLCredential(user: "u", password: "p", persistence: .forSession)))
        }
    }

    @Test func aChallengeIsAnsweredByTheDelegate() async throws {
        let peer = try await onOwnThread {
            try LoopbackService { request, _ in
                .answer(
                    ResponseMessage(
                        status: request.headers["Authorization"] == "Basic dTpw" ? 200 : 401,
                        headers: ["WWW-Authenticate": "Basic realm=\"x\""]))
            }
        }
        let session = SAPURLSession(delegate: Guest())
        let url = try #require(URL(string: peer.root + "/Tools"))
        let seen: Outcome = await withCheckedContinuation { continuation in
            session.dataTask(with: url) { data, response, error in
                continuation.resume(returning: Outcome(data, response, error))
            }.resume()
        }
        #expect(seen.status == 200)
        #expect(peer.requests.count == 2)
    }
}
