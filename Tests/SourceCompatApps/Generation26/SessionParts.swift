// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPFoundation

/// What apps hang onto their session and their loggers: plain classes, in Swift 6 mode.
public class ShopSessionDelegate: NSObject, SAPURLSessionDelegate {
    public var asked = 0

    public func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (SAPURLSession.AuthChallengeDisposition) -> Void) {
        asked += 1
        completionHandler(.performDefaultHandling)
    }
}

public class ShopObserver: SAPURLSessionObserving {
    public var seen: [String] = []

    public init() {}

    public func sapURLSession(_ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest, completionHandler: @escaping (SAPURLSession.RequestDisposition) -> Void) {
        seen.append(task.originalRequest?.url?.lastPathComponent ?? "?")
        var request = request
        request.setValue("26", forHTTPHeaderField: "X-Shop")
        completionHandler(.use(request))
    }
}

public class ShopLog: LogHandler {
    public var lines: [String] = []

    public init() {}

    public func handle(_ entry: LogEntry) {
        lines.append("\(entry.level) \(entry.message)")
    }
}
