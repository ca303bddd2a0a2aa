import ODataQuery
import ODataTransport
import Synchronization

/// Changes what is sent, nil for what is answered with success without being sent, and what comes back.
package final class RewritingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let request: (@Sendable (RequestMessage, Int) -> RequestMessage?)?
    private let answer: (@Sendable (RequestMessage, ResponseMessage) -> ResponseMessage)?
    // Of this client alone: equal schedules do the same, whatever ran before them.
    private let count = Mutex(0)

    /// - Parameters:
    ///   - request: told how many requests came before it and with it.
    ///   - answer: of a request that was sent.
    package init(
        base: any HTTPTransport,
        request: (@Sendable (RequestMessage, Int) -> RequestMessage?)? = nil,
        answer: (@Sendable (RequestMessage, ResponseMessage) -> ResponseMessage)? = nil
    ) {
        self.base = base
        self.request = request
        self.answer = answer
    }

    package func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer
    {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard let sent = self.request.map({ $0(request, number) }) ?? request else {
            // With the mark of a service: without one the client takes it for somebody else's.
            return BufferedAnswer(
                ResponseMessage(
                    status: 204, headers: ["OData-Version": "4.0", "DataServiceVersion": "2.0"]))
        }
        let answer = try base.send(sent, options: options)
        guard let change = self.answer else { return answer }
        return BufferedAnswer(change(request, try answer.readAll()))
    }
}

/// Sends each creation once more, without its identity.
package struct TwiceTransport: HTTPTransport {
    private let base: any HTTPTransport

    package init(base: any HTTPTransport) { self.base = base }

    package func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer
    {
        let answer = try base.send(request, options: options)
        guard request.method == "POST", !request.url.hasSuffix("$batch") else { return answer }
        var again = request
        again.headers = HeaderFields(
            request.headers.fields.filter { !$0.name.lowercased().hasPrefix("repeatability") })
        _ = try? base.send(again, options: options).readAll()
        return answer
    }
}

/// Answers a read of changes with what the first one of the set has brought.
package final class StaleTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let known = Mutex<[String: ResponseMessage]>([:])

    package init(base: any HTTPTransport) { self.base = base }

    package func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer
    {
        let set = String(request.url.prefix { $0 != "?" })
        guard request.method == "GET", request.url.contains("deltatoken") else {
            return try base.send(request, options: options)
        }
        if let old = known.withLock({ $0[set] }) { return BufferedAnswer(old) }
        let answer = try base.send(request, options: options).readAll()
        if answer.status == 200 { known.withLock { $0[set] = answer } }
        return BufferedAnswer(answer)
    }
}
