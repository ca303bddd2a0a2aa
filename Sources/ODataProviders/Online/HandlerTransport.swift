import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld

/// Sends requests through the app's own handler.
struct HandlerTransport: HTTPTransport {
    let handler: HTTPHandler

    /// What the app sends itself nobody else carries.
    var dealsWithCarrier: Bool { true }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        guard options.cancellation?.isCancelled != true else {
            throw ODataError(.cancelled, "The request was cancelled.")
        }
        do {
            let response = try handler.send(
                HTTPHandler.Request(
                    method: request.method, url: request.url, headers: HTTPHeaders(request.headers),
                    content: body(request, options.content)))
            return HandlerAnswer(response)
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError(
                .network, "The app's handler could not send the request.", underlying: error)
        }
    }

    private func body(_ request: RequestMessage, _ content: (any RequestContent)?) -> ByteStream? {
        guard let content else {
            return request.body.isEmpty ? nil : ByteStream.fromBytes(request.body)
        }
        return ByteStream(
            length: content.length,
            source: {
                let part = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = try content.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                return part.isEmpty ? nil : part
            })
    }
}

/// The answer of a handler; used by one thread at a time.
private final class HandlerAnswer: HTTPAnswer {
    private let response: HTTPHandler.Response

    init(_ response: HTTPHandler.Response) { self.response = response }

    var status: Int { response.status }
    var headers: HeaderFields { response.headers.fields }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            guard let part = try response.content.read(buffer.count) else { return 0 }
            buffer.copyBytes(from: part)
            return part.count
        } catch {
            throw ODataError(.network, "The app's handler could not go on.", underlying: error)
        }
    }

    func close() { try? response.content.close() }
}
