import Foundation
import ODataQuery
import ODataTesting
import ODataText
import SAPCommon
import SAPOData
import Synchronization
import Testing

/// What proves who is asking is in no file, no log and no error, wherever it was given.
@Suite(.serialized) struct PlantedSecretTests {
    private final class Notes: LogHandler, Sendable {
        private let texts = Mutex<[String]>([])

        func handle(_ entry: LogEntry) {
            texts.withLock { $0.append("\(entry.message) \(entry)") }
        }

        var all: [String] { texts.withLock { $0 } }
    }

    private static let secrets = [
        "planted", Base64.text(Array("planted-user:planted-word".utf8), urlSafe: false),
    ]

    private static func configure(_ online: OnlineODataProvider) {
        online.httpHeaders.setHeader(withName: "X-Api-Key", value: "planted-key")
        online.httpHeaders.setHeader(withName: "Cookie", value: "a=planted-cookie")
        online.traceRequests = true
    }

    private static func use(_ desk: ShelfDesk, _ errors: inout [String]) throws {
        func failing(_ body: () throws -> Void) {
            do {
                try body()
            } catch {
                errors.append("\(error) \(error.localizedDescription) \(String(reflecting: error))")
                if let error = error as? ErrorBase {
                    errors.append(error.toString() + "\(error.cause as Any) \(error.place as Any)")
                }
            }
        }
        desk.change {
            $0.answerHeaders = [
                "OData-Version": "4.0", "Set-Cookie": "sid=planted-session",
                "X-CSRF-Token": "planted-csrf",
            ]
        }
        try desk.sync.open()
        try desk.sync.download()
        let headers = HTTPHeaders()
        headers.setHeader(withName: "Authorization", value: "Bearer planted-request")
        headers.setHeader(withName: "Cookie", value: "b=planted-too")
        headers.setHeader(withName: "X-Kept", value: "kept")
        let item = try desk.first("Items")
        item.entityType.property(withName: "Name").setStringValue(in: item, to: "z")
        try desk.sync.updateEntity(item, headers: headers, options: RequestOptions())
        desk.change { ($0.losesAnswers, $0.itemStatus) = (true, 501) }
        failing { try desk.sync.upload() }
        let sent = try #require(desk.state.withLock { $0.requests.last })
        #expect(sent.headers["Authorization"]?.hasSuffix(secrets[1]) == true)
        #expect(sent.headers["X-Api-Key"] == "planted-key" && sent.headers["X-Kept"] == "kept")
        #expect(sent.headers["Cookie"]?.contains("planted-session") == true)
        desk.change { $0.losesAnswers = false }
        failing { try desk.sync.upload() }
        failing {
            let query = DataQuery().from(desk.set("Items"))
            query.url = "Items(1)?apikey=planted-option&$select=Id"
            _ = try desk.online.executeQuery(query, headers: headers, options: .none)
        }
        errors += try desk.sync.failed().map { request in
            "\(request.requestURL) \(request.requestHeaders) \(request.lastAnswer ?? "") \(request.errorMessage ?? "")"
        }
    }

    @Test func nothingThatWasPlantedIsFound() async throws {
        let notes = Notes()
        let root = "http://planted-user:planted-word@h/s"
        try await ShelfDesk.run(root: root, Self.configure) { desk in
            let loggers = [desk.online.logger, Logger.shared(named: "OData.Sync"), Logger.root]
            for logger in loggers {
                logger.logLevel = .debug
                logger.add(handler: notes)
            }
            defer {
                for logger in loggers { logger.remove(handler: notes) }
                Logger.root.logLevel = .warn
            }
            var errors: [String] = []
            try Self.use(desk, &errors)
            #expect(errors.count > 3, "\(errors)")
            let traced = notes.all.filter { $0.contains("://h/s/Items") }
            #expect(!traced.isEmpty)
            var found: [String] = []
            for suffix in ["", "-wal", "-shm"] {
                let path = desk.folder + "/store.db" + suffix
                let bytes = FileManager.default.contents(atPath: path) ?? Data()
                for secret in Self.secrets where bytes.range(of: Data(secret.utf8)) != nil {
                    found.append(suffix + secret)
                }
            }
            let kept = FileManager.default.contents(atPath: desk.folder + "/store.db-wal") ?? Data()
            #expect(kept.range(of: Data("X-Kept".utf8)) != nil)
            try desk.sync.close()
            for file in try FileManager.default.subpathsOfDirectory(atPath: desk.folder) {
                let bytes = FileManager.default.contents(atPath: desk.folder + "/" + file) ?? Data()
                for secret in Self.secrets where bytes.range(of: Data(secret.utf8)) != nil {
                    found.append(file + secret)
                }
            }
            found += (traced + errors).filter { text in
                Self.secrets.contains { text.contains($0) }
            }
            #expect(found.isEmpty, "\(found)")
        }
    }
}
