import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataTransport
import ODataWorld

/// Sends a copy of the store to where trusted people examine it: one `POST` of a form with the parts `service`, `note` and
/// `database`.
///
/// A copy in clear is made in memory and never touches the disk; one under a key is written encrypted and deleted again.
package struct DatabaseUpload {
    /// The copy is held in memory while it is sent.
    static let limit = 512 << 20

    let scope: SyncScope
    let cancellation: CancellationFlag

    package init(_ scope: SyncScope, cancellation: CancellationFlag) {
        self.scope = scope
        self.cancellation = cancellation
    }

    /// - Throws: what making the copy and sending it throw, and `service` for an answer that refuses it.
    package func send(key: String?, note: String?) throws {
        scope.engine.note(.upload, cancellation)
        defer { scope.engine.forget(cancellation) }
        let notice = ProgressNotice(.sendStore, scope)
        let store = scope.store
        let image =
            try key.map { try store.sealedImage(key: try StoreKey($0), limit: Self.limit) }
            ?? store.plainImage(limit: Self.limit)
        let boundary = "odata-" + scope.world.makeToken()
        let form = MultipartForm(boundary: boundary)
            .with("service", text: scope.service.name)
            .with("note", text: note)
            .with(
                "database", file: scope.service.name + ".db",
                type: key == nil ? "application/vnd.sqlite3" : "application/octet-stream", image)
        let address = scope.configuration.databaseUploadPath
        var message = RequestMessage(method: "POST", url: address)
        message.headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
        message.headers["Accept"] = "application/json"
        let content = CopyContent(form.body) { notice.report(sent: $0, of: $1) }
        let answer = try scope.connection.exchange(
            message, content: content, cancellation: cancellation)
        guard answer.isSuccess else { throw ServiceRefusal.error(answer, of: address) }
        notice.report(sent: Int64(content.count), of: Int64(content.count))
        notice.finish()
    }
}

/// Bytes in memory as a body that tells how much of it has left. Used by one thread at a time.
private final class CopyContent: RequestContent, @unchecked Sendable {
    // Confined: the thread that sends the copy has it for itself.
    private let bytes: [UInt8]
    private let told: (_ sent: Int64, _ length: Int64) -> Void
    private var offset = 0

    init(_ bytes: [UInt8], told: @escaping (_ sent: Int64, _ length: Int64) -> Void) {
        self.bytes = bytes
        self.told = told
    }

    var count: Int { bytes.count }
    var length: Int64? { Int64(bytes.count) }
    var canRewind: Bool { true }

    func rewind() -> Bool {
        offset = 0
        return true
    }

    /// Who asks for more has sent what was read before.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        told(Int64(offset), Int64(bytes.count))
        let count = min(buffer.count, bytes.count - offset)
        bytes.withUnsafeBytes {
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
        }
        offset += count
        return count
    }
}
