import Foundation
import GRDB
import ODataCommand
import ODataSQLite
import ODataServer
import ODataTesting
import Testing

/// Check and export by command of stores that are whole, encrypted, damaged or cut off, and what is never printed.
@Suite struct CommandSecretTests {
    private static let key = String(repeating: "9c", count: 32)
    private static let wrong = "not the passphrase of it"

    /// A synchronised store with a change in its queue.
    private static func run(
        isEncrypted: Bool, _ body: @escaping @Sendable (CommandPlace, [String]) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let file = place.folder.file("key")
            try (key + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let options = isEncrypted ? ["--key-file", file] : []
            let sync = try Child.run(
                Child.command, ["sync", place.url, "--store", place.store] + options)
            #expect(sync.status == 0, "\(sync.errors)")
            let change = try place.odata(["update", "Sites(1)", #"{"Name":"kept"}"#] + options)
            #expect(change.status == 0, "\(change.errors)")
            try body(place, options)
        }
    }

    private static func store(_ place: CommandPlace, _ arguments: [String]) throws -> Child.Result {
        try Child.run(
            Child.command, ["store"] + arguments.prefix(1) + [place.store] + arguments.dropFirst())
    }

    private static func hides(_ result: Child.Result) -> Bool {
        ![key, wrong].contains {
            result.output.contains($0) || result.errors.contains($0)
        }
    }

    @Test(arguments: [false, true])
    func theQueueIsExportedAsJSON(isEncrypted: Bool) async throws {
        try await Self.run(isEncrypted: isEncrypted) { place, options in
            // With and without --json: an export is JSON.
            for json in [["--json"], []] {
                let export = try Child.run(
                    Child.command, ["queue", "--store", place.store, "export"] + json + options)
                #expect(export.status == 0 && export.errors.isEmpty, "\(export.errors)")
                let found = try JSONSerialization.jsonObject(with: Data(export.output.utf8))
                let requests = try #require(found as? [[String: Any]])
                #expect(requests.count == 1)
                #expect(requests.first?["method"] as? String == "PATCH")
                #expect((requests.first?["url"] as? String)?.hasSuffix("Sites(1)") == true)
                #expect((requests.first?["body"] as? [String: Any])?["Name"] as? String == "kept")
                #expect(requests.first?["failed"] as? Bool == false)
                #expect(Self.hides(export))
            }
            let errors = try place.odata(["errors", "export"] + options)
            #expect(errors.status == 0 && errors.output == "[]\n", "\(errors.errors)")
            let check = try Self.store(place, ["check"] + options)
            #expect(check.status == 0 && check.output == "ok\n" && Self.hides(check))
        }
    }

    @Test func aKeyThatDoesNotFitIsBadInputAndIsNotPrinted() async throws {
        try await Self.run(isEncrypted: true) { place, _ in
            let wrong = place.folder.file("wrong")
            try Self.wrong.write(toFile: wrong, atomically: true, encoding: .utf8)
            let before = try Data(contentsOf: URL(fileURLWithPath: place.store))
            for options in [["--key-file", wrong], [], ["--key-file", wrong + "x"]] {
                for command in [["queue", "export"], ["errors", "export"], ["query", "Sites"]] {
                    let result = try place.odata(command + options)
                    #expect(result.status == 2 && result.output.isEmpty, "\(command): \(result)")
                    #expect(!result.errors.isEmpty && Self.hides(result), "\(result.errors)")
                }
                for action in ["check", "repair"] {
                    let result = try Self.store(place, [action] + options)
                    #expect(result.status == 2 && result.output.isEmpty, "\(action): \(result)")
                    #expect(!result.errors.isEmpty && Self.hides(result), "\(result.errors)")
                }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == before)
        }
        try await Self.run(isEncrypted: false) { place, _ in
            for command in ["check", "repair"] {
                let result = try Self.store(
                    place, [command, "--key-file", place.folder.file("key")])
                #expect(result.status == 2 && result.errors.contains("in clear"), "\(result)")
                #expect(Self.hides(result))
            }
        }
    }

    @Test(arguments: [false, true])
    func aDamagedStoreStillGivesItsQueue(isEncrypted: Bool) async throws {
        try await Self.run(isEncrypted: isEncrypted) { place, options in
            let key = isEncrypted ? try StoreKey(Self.key) : nil
            let queue = try StoreFile(path: place.store, key: key).queue()
            let root = try queue.read {
                try Int.fetchOne(
                    $0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'WorkOrders'")
            }
            try queue.close()
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: place.store))
            try handle.seek(
                toOffset: UInt64(((root ?? 1) - 1) * 4096 + (isEncrypted ? 8192 : 0)))
            try handle.write(contentsOf: [UInt8](repeating: 0xE7, count: 4096))
            try handle.close()
            let check = try Self.store(place, ["check", "--json"] + options)
            #expect(check.status == 1 && check.output.contains(#""intact":false"#), "\(check)")
            #expect(check.errors.contains("repair") && Self.hides(check))
            let read = try place.odata(["query", "WorkOrders"] + options)
            #expect(read.status == 1 && !read.errors.isEmpty && Self.hides(read), "\(read)")
            let export = try place.odata(["queue", "export"] + options)
            #expect(export.status == 0 && export.output.contains("kept"), "\(export)")
            let repair = try Self.store(place, ["repair"] + options)
            #expect(repair.status == 0 && repair.output.contains("1 requests"), "\(repair)")
            #expect(Self.hides(repair))
            let again = try place.odata(["queue", "export"] + options)
            #expect(again.output == export.output)
        }
    }

    @Test(arguments: [false, true])
    func aStoreThatWasCutOffIsSaidToBe(isEncrypted: Bool) async throws {
        try await Self.run(isEncrypted: isEncrypted) { place, options in
            let whole = try Data(contentsOf: URL(fileURLWithPath: place.store))
            for count in [whole.count / 2 / 4096 * 4096, whole.count - 9, 100] {
                let short = whole.prefix(count)
                try short.write(to: URL(fileURLWithPath: place.store))
                for command in [["queue", "export"], ["query", "Sites/$count"], ["upload"]] {
                    let result = try place.odata(command + options)
                    #expect(result.status == 2 && result.output.isEmpty, "\(command): \(result)")
                    #expect(result.errors.contains("cut off after \(count)"), "\(result.errors)")
                    #expect(Self.hides(result))
                }
                let sync = try Child.run(
                    Child.command, ["sync", place.url, "--store", place.store] + options)
                #expect(sync.status == 2 && sync.errors.contains("cut off"), "\(sync)")
                let check = try Self.store(place, ["check"] + options)
                #expect(check.status == 1 && check.output.contains("cut off"), "\(check)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == short)
            }
        }
    }

    /// What is sent along to a service is nobody else's.
    @Test func headersOfRequestsAreNotPrinted() async throws {
        try await Self.run(isEncrypted: false) { place, _ in
            place.service.stop()
            for command in ["upload", "download"] {
                let result = try place.odata(
                    [command, "--header", "Authorization: Bearer planted-secret"])
                #expect(result.status == 1)
                #expect(!result.errors.contains("planted") && !result.output.contains("planted"))
            }
            let export = try place.odata("queue", "export")
            #expect(export.output.contains("kept") && !export.output.contains("planted"))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: place.store))
            #expect(bytes.range(of: Data("planted-secret".utf8)) == nil)
        }
    }

    @Test func passwordsInDatabaseURLsAreNotRepeated() async throws {
        try await onOwnThread {
            let url = "postgres://ada:pass-word@127.0.0.1/shop"
            for (arguments, reason) in [
                (["serve", "--database", url], "without a password"),
                (
                    ["serve", "--sample", "fieldservice", "--database", url],
                    "without a password"
                ),
                (
                    ["serve", "--proxy", "http://127.0.0.1:9/", "--database", url],
                    "expected a SQLite file"
                ),
                (["service", "untrack", "--database", url], "found a URL"),
            ] {
                let refused = try Child.run(Child.command, arguments)
                #expect(refused.status != 0)
                let said = refused.output + refused.errors
                // Where there is no libpq that is what is said.
                #expect(said.contains(reason) || said.contains("built without libpq"), "\(said)")
                #expect(!said.contains("pass-word"), "\(said)")
            }
        }
    }
}
