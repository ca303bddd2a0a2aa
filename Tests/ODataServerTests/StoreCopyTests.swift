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
        maximumBytes: Int64 = 1 << 30, maximumCount: Int = 100,
        adjust: @escaping @Sendable (inout ServiceConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ServiceWorkplace, _ folder: String) throws -> Void
    ) async throws {
        let place = NSTemporaryDirectory() + "copies-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let folder = place + "/of/stores"
        let copies = try StoreCopies(
            folder: folder, maximumBytes: maximumBytes, maximumCount: maximumCount)
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
        type: String = "multipart/form-data; boundary=\"\(boundary)\"",
        _ headers: HeaderFields = HeaderFields()
    ) throws -> Int {
        var request = RequestMessage(
            method: "POST", url: (place.service.url ?? "") + "$database", headers: headers,
            body: body)
        request.headers["Content-Type"] = type
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
                ("database", "line\r\n--a boundar\r\n--"), ("other", "x"), (" \"note\" ", "why"),
            ])
            #expect(try Self.post(place, body) == 204)
            let (path, said) = try Self.copy(folder)
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == "line\r\n--a boundar\r\n--")
            #expect(said["note"]?.string == "why" && said["other"] == nil)
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
        try await Self.run(maximumBytes: 10, maximumCount: 2) {
            (place: ServiceWorkplace, folder: String) throws in
            #expect(try Self.post(place, Self.form([("database", "0123456789a")])) == 413)
            // What is no part counts, too.
            let long = Array(repeating: UInt8(ascii: "x"), count: 300_000)
            #expect(try Self.post(place, long + Self.form([("database", "x")])) == 413)
            for status in [204, 204, 507] {
                #expect(try Self.post(place, Self.form([("database", "0123456789")])) == status)
            }
            #expect(try Self.files(folder).count == 4)
        }
    }

    /// One that is on its way has its place, gives it back when it does not come to its end, and leaves nothing.
    @Test func aCopyThatIsCutOffGivesItsPlaceBack() async throws {
        try await Self.run(maximumCount: 1) { (place: ServiceWorkplace, folder: String) throws in
            let port = try #require(place.service.url.flatMap { URL(string: $0)?.port })
            let whole = Self.form([("database", String(repeating: "y", count: 5_000))])
            let head =
                "POST /$database HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(whole.count)\r\n"
                + "Content-Type: multipart/form-data; boundary=\"\(Self.boundary)\"\r\n\r\n"
            let slow = FileHandle(
                fileDescriptor: try #require(ServiceSocketTests.connection(port: port)))
            try slow.write(contentsOf: Data(head.utf8) + whole[..<4_000])
            try Self.until { try Self.files(folder).contains { $0.hasSuffix(".part") } }
            #expect(try Self.post(place, Self.form([("database", "x")])) == 507)
            try slow.close()
            try Self.until { try Self.files(folder) == [] }
            #expect(try Self.post(place, Self.form([("database", "x")])) == 204)
            // What a service that was killed has left goes with the next one.
            try Data().write(to: URL(fileURLWithPath: folder + "/1-a.part"))
            _ = try StoreCopies(folder: folder)
            #expect(try Self.files(folder).count == 2)
        }
    }

    private static func until(_ isTrue: () throws -> Bool) throws {
        for _ in 0..<500 {
            if try isTrue() { return }
            usleep(20_000)
        }
        Issue.record("It did not happen within ten seconds.")
    }

    /// A form is what every page of the web may send here without being asked.
    @Test func whatABrowserSendsIsRefused() async throws {
        try await Self.run { (place: ServiceWorkplace, folder: String) throws in
            let form = Self.form([("database", "x")])
            for headers in [
                ["Origin": "https://elsewhere.test"], ["Sec-Fetch-Site": "cross-site"],
                ["Origin": "null"], ["Sec-Fetch-Site": "same-site"],
            ] as [HeaderFields] {
                #expect(try Self.post(place, form, headers) == 403)
            }
            #expect(try Self.files(folder) == [])
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
            var reader = try FormReader(boundary: Self.boundary)
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

    @Test func aBoundaryIsShortAndThere() {
        for boundary in ["", String(repeating: "b", count: 71)] {
            #expect(throws: ODataError.self) { _ = try FormReader(boundary: boundary) }
        }
    }
}
