import Foundation
import GRDB
import ODataQuery
import ODataSQLite
import ODataServer
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Testing

/// What people send who ask for help: copies of their stores, from our client and from whoever writes a form.
@Suite struct StoreCopyTests {
    private static func run(
        adjust: @escaping @Sendable (inout ServiceConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ServiceWorkplace, _ folder: String) throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "copies-\(UUID().uuidString)/of/stores"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copies = try StoreCopies(folder: folder)
        try await ServiceWorkplace.run(adjust: { configuration in
            configuration.copies = copies
            adjust(&configuration)
        }) { try body($0, folder) }
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// The only copy in the folder, and what is said of it.
    private static func copy(_ folder: String) throws -> (path: String, said: JSONObject) {
        let files = try files(folder)
        let name = try #require(files.first { $0.hasSuffix(".db") })
        #expect(files == [name, String(name.dropLast(3)) + ".json"])
        let text = try String(
            contentsOfFile: folder + "/" + name.dropLast(3) + ".json", encoding: .utf8)
        return (folder + "/" + name, try #require(try JSONValue(parsing: text).object))
    }

    private static let boundary = "--a boundary--"

    private static func form(_ parts: [(name: String, content: String)], ends: Bool = true)
        -> [UInt8]
    {
        var text = "what comes before\r\n"
        for part in parts {
            text += "--\(boundary)\r\ncontent-disposition: form-data; name=\(part.name)\r\n\r\n"
            text += part.content + "\r\n"
        }
        return Array((text + (ends ? "--\(boundary)--\r\nand after" : "")).utf8)
    }

    private static func post(
        _ place: ServiceWorkplace, _ body: [UInt8],
        type: String = "multipart/form-data; boundary=\"\(boundary)\""
    ) throws -> Int {
        let request = RequestMessage(
            method: "POST", url: (place.service.url ?? "") + "$database",
            headers: ["Content-Type": type], body: body)
        return try StandardTransport.shared.send(request, options: TransportOptions()).readAll()
            .status
    }

    @Test("CSP-172 the companion service keeps a copy under the key that was named, with the note")
    func aCopyOfOurClientIsKept() async throws {
        try await Self.run { (place: ServiceWorkplace, folder: String) throws in
            try place.sync.open()
            try place.sync.download()
            try place.sync.uploadDatabaseFile(
                encryptionKey: "a passphrase", note: "Ärger with \"quotes\"\r\n--x",
                options: SyncOptions())
            let (path, said) = try Self.copy(folder)
            #expect(said["note"]?.string == "Ärger with \"quotes\"\r\n--x")
            #expect(said["service"]?.string == "FieldService")
            #expect(said["received"]?.string?.hasSuffix("Z") == true && said["sender"] == nil)
            let queue = try StoreFile(path: path, key: try StoreKey("a passphrase")).queue()
            let rows = try queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM WorkOrders")
            }
            #expect(rows == 25)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test(arguments: [false, true]) func aFormOfOthersIsTakenInBothVersions(
        speaksV2: Bool
    ) async throws {
        try await Self.run(adjust: { $0.speaksV2 = speaksV2 }) {
            (place: ServiceWorkplace, folder: String) throws in
            let body = Self.form([
                ("database", "line\r\n--a boundar\r\n--"), ("other", "x"), ("\"note\"", ""),
            ])
            #expect(try Self.post(place, body) == 204)
            let (path, said) = try Self.copy(folder)
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == "line\r\n--a boundar\r\n--")
            #expect(said["other"] == nil)
        }
    }

    @Test func whatIsNoWholeCopyLeavesNothing() async throws {
        try await Self.run { (place: ServiceWorkplace, folder: String) throws in
            for body in [
                Self.form([("database", "cut off")], ends: false), Self.form([("note", "only")]),
                Self.form([("database", "1"), ("database", "2")]), Array("no form".utf8), [],
            ] {
                #expect(try Self.post(place, body) == 400)
            }
            #expect(try Self.post(place, Self.form([("database", "x")]), type: "text/plain") == 400)
            let note = String(repeating: "n", count: 70_000)
            #expect(try Self.post(place, Self.form([("note", note), ("database", "x")])) == 413)
            #expect(try Self.files(folder) == [])
        }
    }

    @Test func copiesAreBounded() async throws {
        try await Self.run(adjust: {
            $0.copies?.maximumBytes = 10
            $0.copies?.maximumCount = 2
        }) { (place: ServiceWorkplace, folder: String) throws in
            #expect(try Self.post(place, Self.form([("database", "0123456789a")])) == 413)
            for status in [204, 204, 507] {
                #expect(try Self.post(place, Self.form([("database", "0123456789")])) == status)
            }
            #expect(try Self.files(folder).count == 4)
        }
    }

    @Test func withoutAFolderItIsNotFound() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            let error = #expect(throws: DataServiceError.self) {
                try place.sync.uploadDatabaseFile(
                    encryptionKey: nil, note: nil, options: SyncOptions())
            }
            #expect(error?.status == 404)
        }
    }

    /// However the body is cut into pieces.
    @Test func aFormIsReadInAnyPieces() throws {
        let body = Self.form([("a", "one\r\n"), ("b", "\r\n--a boundary-"), ("c", "")])
        for size in 1...body.count {
            var reader = FormReader(boundary: Self.boundary)
            var found: [String: String] = [:]
            var name = ""
            for start in stride(from: 0, to: body.count, by: size) {
                let part = Array(body[start..<min(start + size, body.count)])
                for event in try reader.read(part) {
                    switch event {
                    case .part(let next):
                        name = next
                        found[name] = ""
                    case .bytes(let bytes): found[name]? += String(decoding: bytes, as: UTF8.self)
                    }
                }
            }
            #expect(reader.isComplete)
            #expect(found == ["a": "one\r\n", "b": "\r\n--a boundary-", "c": ""])
        }
    }
}
