import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataSQLite
import ODataServer
import ODataSyncPlan
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// Encrypted stores through the provider.
@Suite struct EncryptionTests {
    private static let key = String(repeating: "5c", count: 32)
    private static let other = String(repeating: "a7", count: 32)

    /// The bytes of the store's files, log and leftovers included.
    private static func files(of place: ServiceWorkplace) throws -> Data {
        try FileManager.default.contentsOfDirectory(
            at: place.folder, includingPropertiesForKeys: nil
        ).filter { $0.lastPathComponent.hasPrefix("store.db") }
            .reduce(into: Data()) { $0.append(try Data(contentsOf: $1)) }
    }

    private static func download(_ place: ServiceWorkplace, key: String?) throws {
        place.sync.encryptionKey = key
        try place.sync.open()
        try place.sync.download(groups: StringList(), options: SyncOptions())
    }

    private static func count(_ sync: CloudSyncProvider) throws -> Int {
        let set = sync.metadata.entitySet(withName: "WorkOrders")
        return try sync.executeQuery(
            DataQuery().from(set), headers: HTTPHeaders(), options: RequestOptions()
        ).entityList().length
    }

    private static func open(_ place: ServiceWorkplace, _ key: String?) -> (any Error)? {
        let sync = ServiceWorkplace.provider(place.service.url ?? "", place.folder)
        sync.encryptionKey = key
        do {
            try sync.open()
            try sync.close()
            return nil
        } catch {
            return error
        }
    }

    /// CSP-024
    @Test func anEncryptedStoreIsUnreadableWithoutItsKey() async throws {
        try await ServiceWorkplace.run { place in
            try Self.download(place, key: Self.key)
            let title = try #require(
                try place.serviceText("SELECT Title FROM WorkOrders ORDER BY Id LIMIT 1"))
            #expect(try Self.count(place.sync) == 25)
            let bytes = try Self.files(of: place)
            #expect(bytes.count > 100_000)
            for text in [title, "WorkOrders", "SQLite format 3", "FieldService"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
            }
            try place.sync.close()
            let wrong = try #require(Self.open(place, Self.other) as? DataStorageError)
            #expect(wrong.cause as? StoreKeyError == .wrongKey)
            let missing = try #require(Self.open(place, nil) as? DataStorageError)
            #expect(missing.cause as? StoreKeyError == .missingKey)
            #expect(Self.open(place, Self.key) == nil)
            // Offline, by another provider.
            place.cutNetwork()
            try place.reopen { $0.encryptionKey = Self.key }
            #expect(try Self.count(place.sync) == 25)
        }
    }

    @Test func aStoreInClearWantsNoKey() async throws {
        try await ServiceWorkplace.run { place in
            try Self.download(place, key: nil)
            try place.sync.close()
            let error = try #require(Self.open(place, Self.key) as? DataStorageError)
            #expect(error.cause as? StoreKeyError == .notEncrypted)
            #expect(Self.open(place, nil) == nil)
            try place.reopen()
            let refused = failure { try place.sync.changeEncryptionKey(to: Self.key) }
            #expect(
                refused
                    == Failure(
                        UsageError.self, .usage,
                        "Expected an encrypted store; one in clear is encrypted by an export."))
            #expect(refused?.place?.hasPrefix(place.folder.path) == true)
        }
    }

    @Test func aChangedKeyIsTheOneThatOpens() async throws {
        try await ServiceWorkplace.run { place in
            try Self.download(place, key: Self.key)
            try place.sync.changeEncryptionKey(to: Self.other)
            #expect(place.sync.encryptionKey == Self.other)
            #expect(try Self.count(place.sync) == 25)
            try place.sync.close()
            #expect(Self.open(place, Self.key) is DataStorageError)
            #expect(Self.open(place, Self.other) == nil)
        }
    }

    /// What a service gets by one upload of the store: the parts of the form by name.
    private static func uploaded(
        _ place: ServiceWorkplace, key: String?, note: String?
    ) throws -> [String: Data] {
        let seen = Mutex<(type: String, body: [UInt8])?>(nil)
        place.observer.setFaults { request, _ in
            guard request.url.hasSuffix("$database") else { return nil }
            seen.withLock { $0 = (request.headers["Content-Type"] ?? "", request.body) }
            return .answer(ResponseMessage(status: 204))
        }
        defer { place.observer.setFaults(nil) }
        try place.sync.uploadDatabaseFile(
            encryptionKey: key, note: note, options: SyncOptions())
        let (type, body) = try #require(seen.withLock { $0 })
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        var parts: [String: Data] = [:]
        var rest = Data(body)
        let separator = Data("--\(boundary)".utf8)
        while let start = rest.range(of: separator) {
            rest = rest[start.upperBound...]
            guard let end = rest.range(of: separator) else { break }
            let part = rest[rest.startIndex + 2..<end.lowerBound - 2]
            let blank = try #require(part.range(of: Data("\r\n\r\n".utf8)))
            let header = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
            let name = try #require(
                header.split(separator: "\"", maxSplits: 2).dropFirst().first)
            parts[String(name)] = Data(part[blank.upperBound...])
        }
        return parts
    }

    /// What a copy holds: the rows of a set, and what waits to be sent.
    private static func contents(
        _ data: Data, _ place: ServiceWorkplace, key: String?
    ) throws -> [String] {
        let path = place.folder.appendingPathComponent("received.db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try data.write(to: URL(fileURLWithPath: path))
        let queue = try StoreFile(path: path, key: try key.map { try StoreKey($0) }).queue()
        return try queue.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT integrity_check FROM pragma_integrity_check
                    UNION ALL SELECT CAST(count(*) AS TEXT) FROM WorkOrders
                    UNION ALL SELECT Title FROM WorkOrders WHERE Id = 1
                    UNION ALL SELECT operation FROM _odata_request
                    """)
        }
    }

    @Test("CSP-172 the service gets a copy of now under the key that was named, with the note")
    func theServiceGetsACopyUnderTheKeyThatWasNamed() async throws {
        try await ServiceWorkplace.run { place in
            try Self.download(place, key: Self.key)
            try place.retitle(1, "unsent")
            let before = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
            for key in [Self.other, Self.key, "a passphrase"] {
                let parts = try Self.uploaded(place, key: key, note: "for Ärger \(key.count)")
                #expect(parts["note"] == Data("for Ärger \(key.count)".utf8))
                #expect(parts["service"] == Data("FieldService".utf8))
                let file = try #require(parts["database"])
                for text in ["WorkOrders", "unsent", "SQLite format 3"] {
                    #expect(file.range(of: Data(text.utf8)) == nil)
                }
                #expect(
                    try Self.contents(file, place, key: key) == ["ok", "25", "unsent", "merge"])
                let withoutKey = failure { try Self.contents(file, place, key: nil) }
                #expect(withoutKey?.code == "storage")
                for wrong in [Self.other, Self.key] where wrong != key {
                    let error = #expect(throws: DatabaseError.self) {
                        try Self.contents(file, place, key: wrong)
                    }
                    #expect(error?.resultCode == .SQLITE_NOTADB)
                }
            }
            // The store is as it was, and no copy is left.
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
                    == before.sorted())
            #expect(try Self.count(place.sync) == 25)
            #expect(place.sync.encryptionKey == Self.key)
            place.cutNetwork()
            try place.reopen { $0.encryptionKey = Self.key }
            #expect(try place.sync.queued().length == 1)
        }
    }

    @Test("CSP-173 a copy is in clear without a key and sealed with one, whatever the store is")
    func aCopyIsWhatItsKeySays() async throws {
        for key in [Self.key, nil] {
            try await ServiceWorkplace.run { place in
                try Self.download(place, key: key)
                let clear = try #require(try Self.uploaded(place, key: nil, note: nil)["database"])
                #expect(clear.starts(with: Data("SQLite format 3".utf8)))
                #expect(try Self.contents(clear, place, key: nil).prefix(2) == ["ok", "25"])
                if key != nil {
                    // Nothing of it was on disk.
                    #expect(try Self.files(of: place).range(of: Data("WorkOrders".utf8)) == nil)
                }
                let sealed = try #require(
                    try Self.uploaded(place, key: "a passphrase", note: "")["database"])
                #expect(sealed.range(of: Data("WorkOrders".utf8)) == nil)
                #expect(
                    try Self.contents(sealed, place, key: "a passphrase").prefix(2) == ["ok", "25"])
                // A key that is none is refused before anything is sent.
                place.observer.forget()
                #expect(throws: DataStorageError.self) {
                    try Self.uploaded(place, key: "", note: nil)
                }
                #expect(place.observer.requests.isEmpty)
                #expect(try Self.count(place.sync) == 25)
            }
        }
    }

    @Test func aRefusedCopyIsAnError() async throws {
        try await ServiceWorkplace.run { place in
            try Self.download(place, key: Self.key)
            place.observer.setFaults { _, _ in .answer(ResponseMessage(status: 403)) }
            let error = #expect(throws: DataServiceError.self) {
                try place.sync.uploadDatabaseFile(
                    encryptionKey: nil, note: nil, options: SyncOptions())
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "$database")
            #expect(error?.status == 403)
        }
    }
}
