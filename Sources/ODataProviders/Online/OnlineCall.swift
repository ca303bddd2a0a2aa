import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One operation of an online provider: the settings as they were when it began, and the way to the service.
struct OnlineCall {
    let connection: ServiceConnection
    /// The model that results are read with unless the operation brings its own.
    let model: MetadataModel
    let service: ServiceOptions.Fields
    let tunneling: Tunneling
    /// Whether the content of streams is sent and handed on piece by piece.
    let streamsUploads: Bool
    let streamsDownloads: Bool
    /// What the caller wants sent with each request of the operation.
    let headers: HeaderFields
    let options: RequestOptions
    let cancellation: CancellationFlag
    let trace: OnlineTrace
    let world: any World
    /// Told what a service says beside its answers.
    var messages = OnlineMessages()

    /// Methods that are sent as `POST` with their name in a header.
    struct Tunneling: Sendable {
        var methods: Set<String> = []
        var header = "X-HTTP-Method"
    }

    /// The most bytes that an answer may have.
    static let answerLimit = 512 << 20

    /// The dialect for entities of `model`: that of its document unless a version was set.
    func dialect(_ model: MetadataModel) -> Dialect {
        guard service.dataVersion != 0, let version = ODataVersion(rawValue: service.dataVersion)
        else { return Dialect.of(model.graph.version) }
        return Dialect.of(version)
    }

    /// Sends a request and returns its answer, which is a success.
    ///
    /// - Throws: `DataServiceError` for an error status; what the transport throws.
    func exchange(
        _ message: RequestMessage, _ dialect: Dialect, content: (any RequestContent)? = nil
    ) throws -> ResponseMessage {
        let request = complete(message, dialect)
        let started = world.uptime()
        let answer: ResponseMessage
        do {
            answer = try connection.exchange(
                request, limit: Self.answerLimit, content: content, cancellation: cancellation)
        } catch {
            trace.failed(request, error)
            throw error
        }
        trace.answered(request, answer, after: world.uptime() - started)
        guard answer.isSuccess else { throw DataServiceError.of(answer, to: request.url) }
        messages.hear(answer)
        try checkVersion(answer, dialect)
        return answer
    }

    /// The request in full, with the headers that go with every one; those of the caller count most.
    func complete(_ message: RequestMessage, _ dialect: Dialect) -> RequestMessage {
        var request = message
        request.url = connection.absolute(avoiding(service.avoidInPaths, in: message.url))
        var fields = Self.versionHeaders(dialect)
        fields["Accept"] = "application/json"
        fields.merge(message.headers)
        fields.merge(headers)
        request.headers = fields
        if tunneling.methods.contains(request.method) {
            request.headers[tunneling.header] = request.method
            request.method = "POST"
        }
        return request
    }

    /// Percent-encodes characters of a path that the app wants kept out of paths.
    private func avoiding(_ characters: String?, in url: String) -> String {
        guard let characters, !characters.isEmpty else { return url }
        let path = url.prefix { $0 != "?" }
        guard path.contains(where: { characters.contains($0) }) else { return url }
        let encoded = path.map { character in
            guard characters.contains(character), character != "/", character != "%" else {
                return String(character)
            }
            return character.utf8.map { byte in
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }.joined()
        }
        return encoded.joined() + url.dropFirst(path.count)
    }

    private static func versionHeaders(_ dialect: Dialect) -> HeaderFields {
        dialect.wrapsPayload
            ? ["DataServiceVersion": "2.0", "MaxDataServiceVersion": "2.0"]
            : ["OData-Version": "4.0", "OData-MaxVersion": "4.01"]
    }

    /// An answer of the other protocol family cannot be read right.
    private func checkVersion(_ answer: ResponseMessage, _ dialect: Dialect) throws {
        guard service.checkVersion else { return }
        let other = dialect.wrapsPayload ? "OData-Version" : "DataServiceVersion"
        let own = dialect.wrapsPayload ? "DataServiceVersion" : "OData-Version"
        guard answer.headers[own] == nil, let found = answer.headers[other] else { return }
        throw ODataError(
            .invalidPayload, "Expected a header \(own) in the answer, found \(other): \(found).")
    }
}

extension DataServiceError {
    /// The error for an answer with an error status: the service's own words where they can be read.
    ///
    /// - Parameter url: What the request was for; nil for a part of a batch.
    package static func of(_ answer: ResponseMessage, to url: String? = nil) -> DataServiceError {
        let payload = ErrorPayload(answer)
        let details = payload.details.map {
            ErrorResponse(code: $0.code, message: $0.message, target: $0.target)
        }
        let response = ErrorResponse(
            code: payload.code, message: payload.message, target: payload.target,
            language: answer.headers["Content-Language"],
            details: ErrorResponseList.fromArray(details),
            innerDetails: payload.innerError?.text)
        return withResponse(answer.status, response: response)
            .at(url.map { Place(.resource(of: $0)) }, code: nil)
    }
}
