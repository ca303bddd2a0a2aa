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
        message.body = form.body
        let answer = try scope.connection.exchange(message, cancellation: cancellation)
        guard answer.isSuccess else { throw ServiceRefusal.error(answer, of: address) }
        notice.finish()
    }
}
