import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Told what a call does on the wire, for logs and for listeners of the app.
package protocol ServiceCallObserver: Sendable {
    func answered(_ request: RequestMessage, _ answer: ResponseMessage, after time: Duration)
    func failed(_ request: RequestMessage, _ error: any Error)
    /// What the service says beside a success.
    func heard(_ messages: [ServiceMessage])
}

/// One operation against a service: the settings as they were when it began, and the way to the service.
///
/// Blocks the calling thread until the answer is there. Everything that is decided about requests and answers is in
/// ``RequestWriter``, ``ReadPlan`` and ``AnswerReader``; a call carries it out.
package struct ServiceCall: Sendable {
    package let connection: ServiceConnection
    package internal(set) var settings: RequestSettings
    /// What the caller wants sent with each request of the operation.
    package let headers: HeaderFields
    package let cancellation: CancellationFlag
    package let world: any World
    package let observer: any ServiceCallObserver
    /// The content of streams is sent, and handed on, piece by piece.
    package var streamsUploads = true
    package var streamsDownloads = true
    /// Where what calls meet of the service is kept.
    package var learned: LearnedProfile?

    /// The most bytes that an answer may have.
    package static let answerLimit = 512 << 20

    package init(
        connection: ServiceConnection, settings: RequestSettings, headers: HeaderFields,
        cancellation: CancellationFlag, world: any World, observer: any ServiceCallObserver
    ) {
        self.connection = connection
        self.settings = settings
        self.headers = headers
        self.cancellation = cancellation
        self.world = world
        self.observer = observer
    }

    /// What writes the requests about entities of a model.
    package func writer(_ graph: MetadataGraph) -> RequestWriter {
        RequestWriter(graph: graph, root: connection.root, settings: settings)
    }

    func reader(_ graph: MetadataGraph) -> AnswerReader {
        var reader = AnswerReader(
            graph: graph, dialect: settings.dialect(of: graph), root: connection.root)
        reader.checks = settings.checks
        return reader
    }

    var address: EntityAddress { EntityAddress(settings: settings, root: connection.root) }

    /// Asks for a resource and lets what it answers pass, as long as that is a success: of either protocol family,
    /// since nothing of the answer is read.
    ///
    /// - Parameter url: absolute, or relative to the service root.
    /// - Throws: As ``exchange(_:_:content:)``.
    package func ping(_ method: String, _ url: String, accept: String) throws {
        let message = RequestMessage(method: method, url: url, headers: ["Accept": accept])
        var either = self
        either.settings.checksVersion = false
        _ = try either.exchange(message, writer(MetadataGraph(version: .v4)))
    }

    /// Sends a request and returns its answer, which is a success.
    ///
    /// - Throws: `service` over a ``ServiceRefusal`` for an error status; what the transport throws.
    func exchange(
        _ message: RequestMessage, _ writer: RequestWriter, content: (any RequestContent)? = nil
    ) throws -> ResponseMessage {
        let request = complete(message, writer)
        let first = try observing(request) {
            try connection.exchange(
                request, limit: Self.answerLimit, content: content, cancellation: cancellation)
        }
        let answer = try awaited(first, to: request)
        guard answer.isSuccess else { throw ServiceRefusal.error(answer, of: request.url) }
        hear(answer)
        try checkVersion(answer, of: request, writer.dialect)
        return answer
    }

    /// Reads an answer; what cannot be read of it is an error at the resource that was asked for.
    ///
    /// - Parameter set: the entity set that the answer is about, where one is known.
    func reading<Result>(
        _ answer: ResponseMessage, of url: String, set: EntitySetID? = nil,
        in graph: MetadataGraph? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as ODataError {
            throw UnreadableAnswer.error(
                error, answer, of: connection.absolute(url), set: set.flatMap { graph?[$0].name })
        }
    }

    /// The request in full, under its absolute URL.
    func complete(_ message: RequestMessage, _ writer: RequestWriter) -> RequestMessage {
        var request = writer.alone(message, headers: headers)
        request.url = connection.absolute(request.url)
        return request
    }

    func observing(
        _ request: RequestMessage, _ send: () throws -> ResponseMessage
    ) throws -> ResponseMessage {
        let started = world.uptime()
        do {
            let answer = try send()
            observer.answered(request, answer, after: world.uptime() - started)
            return answer
        } catch {
            observer.failed(request, error)
            throw error
        }
    }

    func hear(_ answer: ResponseMessage) {
        let messages = ServiceMessage.all(in: answer.headers)
        if !messages.isEmpty { observer.heard(messages) }
    }

    /// An answer of the other protocol family cannot be read right.
    private func checkVersion(
        _ answer: ResponseMessage, of request: RequestMessage, _ dialect: Dialect
    ) throws {
        guard settings.checksVersion else { return }
        let other = dialect.wrapsPayload ? "OData-Version" : "DataServiceVersion"
        let own = dialect.wrapsPayload ? "DataServiceVersion" : "OData-Version"
        guard answer.headers[own] == nil, let found = answer.headers[other] else { return }
        throw ODataError(
            .invalidPayload, "Expected a header \(own) in the answer, found \(other): \(found).",
            at: .resource(of: request.url))
    }
}
