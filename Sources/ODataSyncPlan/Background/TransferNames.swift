import ODataQuery
import ODataText
import ODataWire

/// The names under which the system keeps the transfers of a store in the background: whoever asks the same again, after the
/// process was gone, finds what came meanwhile, and nobody finds what is not meant for them.
///
/// A read is named by all that decides what its answer means: what is asked, for whom, and how many changes the service had
/// accepted from this store before, so that no answer from before a change is taken for one from after it. A sending is named by
/// its attempt, whose bytes never change.
package struct TransferNames: Sendable, Hashable {
    /// How the names of this store begin.
    package let store: String
    private let reader: String

    /// - Parameters:
    ///   - store: what tells this store from others on the device.
    ///   - identity: whom and what an answer belongs to (``DeltaIdentity``).
    ///   - accepted: how often the service has accepted changes of the store.
    package init(store: String, identity: String, accepted: Int64) {
        self.store = Self.prefix(of: store)
        reader = identity + "\n" + String(accepted)
    }

    package enum Kind: String, Sendable { case read = "r", sending = "s" }

    /// The name of a read. The boundary of a batch is drawn anew each time and says nothing.
    package func name(ofRead message: RequestMessage) -> String {
        let type = message.headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        let boundary = type?.parameters.first { $0.name == "boundary" }?.value
        let body = String(decoding: message.body, as: UTF8.self)
        let headers = message.headers.fields
            .filter { $0.name.lowercased() != "content-type" }
            .map { $0.name.lowercased() + ":" + $0.value }.sorted()
        let text = boundary.map { body.replacing($0, with: "") } ?? body
        return name(.read, [reader, message.method, message.url] + headers + ["", text])
    }

    /// The name of the sending of an attempt.
    package func name(ofSending attempt: Attempt) -> String {
        name(
            .sending,
            [
                "\(attempt.id)", "\(attempt.frozenAt)", attempt.message.method,
                attempt.message.url,
            ])
    }

    /// The transfers of this store of a kind among `names`, but those that are wanted.
    package func transfers(
        _ kind: Kind, among names: Set<String>, but wanted: Set<String> = []
    ) -> Set<String> {
        let start = self.start(of: kind)
        return names.filter { $0.hasPrefix(start) && !wanted.contains($0) }
    }

    /// How the names of a store begin, which nothing else says of it.
    package static func prefix(of store: String) -> String { digest([store]) }

    /// The transfers of a store among `names`, whatever they are of.
    package static func all(of store: String, among names: Set<String>) -> Set<String> {
        let start = prefix(of: store) + "-"
        return names.filter { $0.hasPrefix(start) }
    }

    private func start(of kind: Kind) -> String { store + "-" + kind.rawValue + "-" }

    private func name(_ kind: Kind, _ parts: [String]) -> String {
        start(of: kind) + Self.digest(parts)
    }

    private static func digest(_ parts: [String]) -> String {
        let bytes = Array(parts.joined(separator: "\n").utf8)
        return SHA256.hexadecimal(Array(SHA256.digest(of: bytes).prefix(16)))
    }
}
