import Foundation
import ODataProxy
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire
import StrictService

/// A strict service that shares no code with the product, a front of it that can lose what passes, and a proxy that takes
/// changes.
final class PassPlace {
    let strict: StrictService
    let front: StrictFront
    let folder: URL
    private(set) var proxy: DeltaProxy
    private let settings: DeltaProxy.Settings

    init(
        _ face: StrictService.Face = .v4,
        _ adjust: (inout DeltaProxy.Settings) -> Void = { _ in }
    ) throws {
        strict = try StrictService(face)
        front = try StrictFront(strict)
        folder = try TestFolder.makeFast("pass-")
        var settings = DeltaProxy.Settings(
            origin: front.root,
            service: ServiceConfiguration(
                databasePath: folder.appendingPathComponent("proxy.db").path))
        settings.interval = nil
        settings.patience = .seconds(300)
        settings.takesChanges = true
        adjust(&settings)
        self.settings = settings
        proxy = try DeltaProxy(settings)
        try proxy.start()
    }

    /// Runs a test on a thread of its own, because calls block.
    static func run(
        _ face: StrictService.Face = .v4,
        adjusting adjust: @escaping @Sendable (inout DeltaProxy.Settings) -> Void = { _ in },
        _ body: @escaping @Sendable (PassPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try PassPlace(face, adjust)
            defer { place.close() }
            try body(place)
        }
    }

    private func close() {
        try? proxy.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the proxy and makes another one over the same files.
    func restartProxy() throws {
        try proxy.close()
        proxy = try DeltaProxy(settings)
        try proxy.start()
    }

    /// Asks the proxy; headers as `Name: value`.
    @discardableResult
    func ask(
        _ method: String, _ url: String, _ body: String = "", _ headers: String...
    ) -> ResponseMessage {
        proxy.service.respond(to: Self.request(method, url, body, headers))
    }

    static func request(
        _ method: String, _ url: String, _ body: String, _ headers: [String]
    ) -> RequestMessage {
        var fields = HeaderFields()
        fields["Host"] = "127.0.0.1"
        if !body.isEmpty { fields["Content-Type"] = "application/json" }
        for header in headers {
            let parts = header.split(separator: ":", maxSplits: 1)
            fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return RequestMessage(method: method, url: url, headers: fields, body: Array(body.utf8))
    }

    func get(_ url: String, _ headers: String...) -> ResponseMessage {
        proxy.service.respond(to: Self.request("GET", url, "", headers))
    }

    /// The tag of an entity here, as a header of a request for its state.
    func ifMatch(_ url: String) -> String { "If-Match: " + (get(url).headers["ETag"] ?? "no tag") }

    /// A delta link of a set that begins now.
    func deltaLink(_ set: String) -> String { get(set, "Prefer: odata.track-changes").deltaLink }

    /// The headers of a request that may come again.
    static func identity(_ number: Int) -> [String] {
        [
            "Repeatability-Request-ID: 00000000-0000-4000-8000-00000000000\(number)",
            "Repeatability-First-Sent: "
                + HTTPDate.text(secondsSince1970: Int64(Date().timeIntervalSince1970)),
        ]
    }

    /// As ``ask(_:_:_:_:)``, by requests that are the same each time.
    func repeating(
        _ method: String, _ url: String, _ body: String = "", _ headers: String...
    ) -> () -> ResponseMessage {
        let request = Self.request(method, url, body, headers + Self.identity(1))
        return { self.proxy.service.respond(to: request) }
    }

    var effects: [String] { strict.effects }
}
