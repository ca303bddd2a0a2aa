import Foundation
import SAPOData
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
            #expect(task.state == .suspended && task.originalRequest.url == url)
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
}
