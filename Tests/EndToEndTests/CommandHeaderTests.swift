import Foundation
import ODataCommand
import ODataQuery
import ODataServer
import ODataTesting
import Synchronization
import Testing

/// Headers that the command sends come from the environment, from files and from arguments; key files are read as they are
/// meant, or refused.
@Suite struct CommandHeaderTests {
    /// A service that remembers the headers it was sent, and lets nobody in without the token.
    private final class Guarded: Sendable {
        let edge: HTTPEdge
        let url: String

        init(token: String) throws {
            let box = Box()
            edge = HTTPEdge(HTTPEdge.Configuration()) { request in
                box.requests.withLock { $0.append(request) }
                let isIn = request.headers["Authorization"] == "Bearer " + token
                guard isIn else {
                    return .answer(
                        ResponseMessage(
                            status: 401,
                            headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                            body: Array(#"{"error":{"code":"in","message":"Who are you?"}}"#.utf8)))
                }
                return .answer(
                    ResponseMessage(
                        status: 200, headers: ["Content-Type": "application/xml"],
                        body: Array(Guarded.model.utf8)))
            }
            self.box = box
            url = "http://127.0.0.1:\(try edge.start())/s/"
        }

        private let box: Box
        var requests: [RequestMessage] { box.requests.withLock { $0 } }

        final class Box: Sendable { let requests = Mutex<[RequestMessage]>([]) }

        private static let model = """
            <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
            <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
            <EntityContainer Name="C"/></Schema></edmx:DataServices></edmx:Edmx>
            """
    }

    private static func odata(_ environment: [String], _ arguments: [String]) throws -> Child.Result
    {
        try Child.run("/usr/bin/env", environment + [Child.command] + arguments)
    }

    @Test func tokensComeByFileAndByEnvironment() async throws {
        try await onOwnThread {
            let service = try Guarded(token: "planted-token")
            defer { service.edge.stop() }
            let folder = try TemporaryFolder("odata-headers")
            defer { folder.remove() }
            let file = folder.file("headers")
            try "# ours\r\n\r\nAuthorization: Bearer planted-token\r\nX-Tenant: 7\r\n".write(
                toFile: file, atomically: true, encoding: .utf8)
            let metadata = ["metadata", service.url]
            let none = try Self.odata([], metadata)
            #expect(none.status == 1 && none.errors.contains("Who are you?"), "\(none)")
            let byFile = try Self.odata([], metadata + ["--header-file", file])
            #expect(byFile.status == 0, "\(byFile)")
            #expect(service.requests.last?.headers["X-Tenant"] == "7")
            let variable = "ODATA_HEADER_AUTHORIZATION=Bearer planted-token"
            let byEnvironment = try Self.odata([variable, "ODATA_HEADER_X_API_KEY=k"], metadata)
            #expect(byEnvironment.status == 0, "\(byEnvironment)")
            #expect(service.requests.last?.headers["X-API-Key"] == "k")
            // Of one name, what is said closest to the command counts.
            let later = try Self.odata(
                ["ODATA_HEADER_AUTHORIZATION=Bearer old"],
                metadata + ["--header", "X-Tenant: 8", "--header-file", file])
            #expect(later.status == 0, "\(later)")
            #expect(service.requests.last?.headers.values("X-Tenant") == ["8"])
            #expect(service.requests.last?.headers.values("Authorization").count == 1)
        }
    }

    @Test(arguments: [
        ("Authorization Bearer planted", "line 2: expected 'Name: value', found no colon"),
        ("Bad name: planted", "line 2: expected the name of a header"),
        (": planted", "line 2: expected the name of a header"),
        ("A: plan\u{1B}ted", "line 2: expected a value on one line"),
    ]) func aHeaderFileThatIsNoneIsBadInput(line: String, complaint: String) async throws {
        try await onOwnThread {
            let folder = try TemporaryFolder("odata-headers")
            defer { folder.remove() }
            let file = folder.file("headers")
            try "X-A: 1\n\(line)\n".write(toFile: file, atomically: true, encoding: .utf8)
            let result = try Child.odata(
                "metadata", "http://127.0.0.1:1/", "--header-file", file)
            #expect(result.status == 2 && result.errors.contains(complaint), "\(result)")
            #expect(!result.errors.contains("plan"))
        }
    }

    private static let digits = String(repeating: "5D", count: 32)

    private static func bytes(_ text: String) -> Data { Data(text.utf8) }

    private static let meant: [(Data, String)] = [
        (bytes("\(digits)\n"), digits), (bytes("\(digits)\r\n"), digits),
        (bytes(" \(digits)\t"), digits), (bytes("\u{FEFF}\(digits)"), digits),
        (bytes("a passphrase \n"), "a passphrase "), (bytes("deadbeef"), "deadbeef"),
        (Data(repeating: 0xFE, count: 32), String(repeating: "fe", count: 32)),
    ]

    @Test(arguments: meant) func aKeyFileIsReadAsItIsMeant(bytes: Data, key: String) throws {
        let folder = try TemporaryFolder("odata-key")
        defer { folder.remove() }
        try bytes.write(to: URL(fileURLWithPath: folder.file("key")))
        #expect(try KeyFile.key(in: folder.file("key")) == key)
    }

    private static let refused: [(Data, String)] = [
        (Data(), "expected a key, found an empty line"), (bytes("\n"), "found an empty line"),
        (bytes("  \n"), "found blanks"),
        (bytes("\(digits.dropLast(2))\n"), "64 hexadecimal digits (32 bytes), found 62"),
        (bytes("\(digits)00"), "64 hexadecimal digits (32 bytes), found 66"),
        (bytes("-----BEGIN KEY-----\nabc\n"), "expected one line with a key, found 2 lines"),
        (Data(repeating: 0xFE, count: 31), "found 31 bytes that are no text"),
        (Data(repeating: 0x78, count: 1025), "a passphrase of at most 1024 bytes, found 1025"),
        (Data(repeating: 0x78, count: 5000), "a key of at most 1024 bytes, found 5000"),
    ]

    @Test(arguments: refused) func aKeyFileThatIsNoneSaysWhatWasExpected(
        bytes: Data, complaint: String
    ) throws {
        let folder = try TemporaryFolder("odata-key")
        defer { folder.remove() }
        try bytes.write(to: URL(fileURLWithPath: folder.file("key")))
        let error = #expect(throws: CommandError.self) { try KeyFile.key(in: folder.file("key")) }
        let sentence = error?.description ?? ""
        #expect(error?.status == 2 && sentence.contains(complaint), "\(sentence)")
    }
}
