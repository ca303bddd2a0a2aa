import ODataClasses
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

/// Sends a copy of the store to where trusted people examine it: one `POST` of `multipart/form-data` (RFC 7578) with the
/// parts `service`, `note` and `database`.
///
/// A copy in clear is made in memory and never touches the disk; one under a key is written encrypted and deleted again.
struct DatabaseUpload {
    /// The copy is held in memory while it is sent.
    static let limit = 512 << 20

    let store: LocalStore
    let connection: ServiceConnection
    let serviceName: String
    /// Relative to the service root, or absolute.
    let address: String

    func send(key: String?, note: String?, cancellation: CancellationFlag) throws {
        let image =
            try key.map { try store.sealedImage(key: try StoreKey($0), limit: Self.limit) }
            ?? store.plainImage(limit: Self.limit)
        let (high, low) = store.world.makeIdentifier()
        let boundary = "odata-" + String(high, radix: 16) + String(low, radix: 16)
        let form = MultipartForm(boundary: boundary)
            .with("service", text: serviceName)
            .with("note", text: note)
            .with(
                "database", file: serviceName + ".db",
                type: key == nil ? "application/vnd.sqlite3" : "application/octet-stream", image)
        var message = RequestMessage(method: "POST", url: address)
        message.headers["Content-Type"] = "multipart/form-data; boundary=\(boundary)"
        message.headers["Accept"] = "application/json"
        message.body = form.body
        let answer = try connection.exchange(message, cancellation: cancellation)
        guard answer.isSuccess else { throw ServiceRefusal.error(answer, of: address) }
    }
}

/// The body of a form; the boundary is random, so no content holds it.
struct MultipartForm {
    let boundary: String
    private var content: [UInt8] = []

    init(boundary: String) { self.boundary = boundary }

    /// Leaves the part out when there is no text.
    func with(_ name: String, text: String?) -> MultipartForm {
        guard let text else { return self }
        return adding(
            "name=\"\(name)\"\r\nContent-Type: text/plain; charset=utf-8", Array(text.utf8))
    }

    func with(_ name: String, file: String, type: String, _ bytes: [UInt8]) -> MultipartForm {
        let file = file.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return adding(
            "name=\"\(name)\"; filename=\"\(file)\"\r\nContent-Type: \(type)", bytes)
    }

    private func adding(_ header: String, _ bytes: [UInt8]) -> MultipartForm {
        var form = self
        form.content += Array(
            "--\(boundary)\r\nContent-Disposition: form-data; \(header)\r\n\r\n".utf8)
        form.content += bytes
        form.content += Array("\r\n".utf8)
        return form
    }

    var body: [UInt8] { content + Array("--\(boundary)--\r\n".utf8) }
}

extension CloudSyncEngine {
    func uploadDatabaseFile(_ key: String?, _ note: String?, _ options: SyncOptions) throws {
        try ErrorBase.translating {
            try cancellable(.upload, options) { flag in
                let notice = ProgressNotice(
                    .sendStore, listener: options.progressListener ?? objects.progressListener,
                    world: world)
                try DatabaseUpload(
                    store: try store(), connection: onlineProvider.connection,
                    serviceName: onlineProvider.serviceName,
                    address: configuration.databaseUploadPath
                ).send(key: key, note: note, cancellation: flag)
                notice.finish()
            }
        }
    }
}
