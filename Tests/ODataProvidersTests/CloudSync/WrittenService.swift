import Foundation
import SAPOData
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire
import Synchronization

/// A service made of texts written by hand: metadata, a page for each set, and an answer for each change.
final class WrittenService: Sendable {
    private struct State {
        var metadata: String
        var pages: [String: String]
        var changes: [(method: String, resource: String, body: String)] = []
    }
    private let state: Mutex<State>

    /// - Parameters:
    ///   - schema: what is in the schema `Demo`; its container says that there are no batches.
    ///   - pages: the entities of each set, as they stand between the brackets of `value`.
    init(_ schema: String, pages: [String: String]) {
        state = Mutex(State(metadata: Self.document(schema), pages: pages))
    }

    private static func document(_ schema: String) -> String {
        let term = "Org.OData.Capabilities.V1.BatchSupported"
        return LocalPlace.document(
            schema.replacing(
                "<EntityContainer Name=\"C\">",
                with: "<EntityContainer Name=\"C\"><Annotation Term=\"\(term)\" Bool=\"false\"/>"))
    }

    func put(_ schema: String) { state.withLock { $0.metadata = Self.document(schema) } }

    func put(_ set: String, _ entities: String) { state.withLock { $0.pages[set] = entities } }

    /// Changes that came, as `METHOD resource body`.
    var changes: [String] {
        state.withLock { $0.changes.map { "\($0.method) \($0.resource) \($0.body)" } }
    }

    /// Takes the place of everything the workplace's service would say.
    func serve(_ place: ServiceWorkplace) {
        place.observer.setFaults { [self] request, _ in
            .answer(answer(request, place.service.url ?? ""))
        }
    }

    private func answer(_ request: RequestMessage, _ root: String) -> ResponseMessage {
        func json(_ text: String, _ status: Int = 200) -> ResponseMessage {
            ResponseMessage(
                status: status,
                headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                body: Array(text.utf8))
        }
        let all = request.url.removingPercentEncoding ?? request.url
        let resource =
            all.split(separator: "?")[0].split(separator: "/").last.map(String.init) ?? ""
        if resource == "$metadata" {
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"],
                body: Array(state.withLock(\.metadata).utf8))
        }
        guard request.method == "GET" else {
            let body = String(decoding: request.body, as: UTF8.self)
            state.withLock { $0.changes.append((request.method, resource, body)) }
            return request.method == "POST"
                ? json(body, 201) : ResponseMessage(status: 204, headers: ["OData-Version": "4.0"])
        }
        guard let page = state.withLock({ $0.pages[resource] }) else {
            return json(#"{"error":{"code":"no","message":"Not here."}}"#, 404)
        }
        return json("{\"@odata.context\":\"$metadata#\(resource)\",\"value\":[\(page)]}")
    }

    /// Runs a test with a store that has downloaded all of it.
    static func run(
        _ schema: String, pages: [String: String],
        _ body: @escaping @Sendable (ServiceWorkplace, WrittenService) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run { place in
            let service = WrittenService(schema, pages: pages)
            service.serve(place)
            try place.sync.open()
            try place.sync.download()
            try body(place, service)
        }
    }
}
