import Foundation
import GRDB
import ODataCommand
import ODataSQLite
import ODataServer
import ODataTesting
import Testing

/// What the command does with encrypted stores, several processes at a time.
@Suite struct CommandKeyTests {
    @Test func aKeyFileOpensTheStoreForEachCommand() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let (right, wrong) = (place.folder.file("key"), place.folder.file("wrong"))
            try (String(repeating: "d7", count: 32) + "\n").write(
                toFile: right, atomically: true, encoding: .utf8)
            try "something else".write(toFile: wrong, atomically: true, encoding: .utf8)
            let sync = try Child.odata(
                "sync", place.url, "--store", place.store, "--key-file", right, "--json")
            #expect(sync.status == 0, "\(sync.errors)")
            #expect(sync.output.contains(#""WorkOrders":100"#))
            let count = try place.odata("query", "WorkOrders/$count", "--key-file", right)
            #expect(count.output == "100\n", "\(count.errors)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: place.store))
            #expect(bytes.range(of: Data("WorkOrders".utf8)) == nil)
            for arguments in [["--key-file", wrong], []] {
                let refused = try place.odata(["query", "WorkOrders/$count"] + arguments)
                #expect(refused.status == 2 && refused.output.isEmpty)
                #expect(refused.errors.contains("key"), "\(refused.errors)")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == bytes)
        }
    }

    @Test func severalProcessesWriteOneEncryptedStore() async throws {
        try await onOwnThread {
            let place = try CommandPlace()
            defer { place.close() }
            let text = String(repeating: "e1", count: 32)
            let key = place.folder.file("key")
            try text.write(toFile: key, atomically: true, encoding: .utf8)
            let sync = try Child.odata(
                "sync", place.url, "--store", place.store, "--key-file", key)
            #expect(sync.status == 0, "\(sync.errors)")
            // This process holds the store open, and looks at it after each change by another.
            let file = try StoreFile(path: place.store, key: try StoreKey(text))
            let queue = try file.queue()
            for number in 1...4 {
                let made = try place.odata(
                    "update", "Sites(\(number))", #"{"Name":"n\#(number)"}"#, "--key-file", key)
                #expect(made.status == 0, "\(made.errors)")
                let name = try queue.read {
                    try String.fetchOne(
                        $0, sql: "SELECT Name FROM Sites WHERE Id = ?", arguments: [number])
                }
                #expect(name == "n\(number)")
                try queue.write {
                    try $0.execute(
                        sql: "UPDATE Sites SET City = 'c' || Id WHERE Id = ?", arguments: [number])
                }
            }
            let city = try place.odata(
                "query", "Sites/$count?$filter=startswith(City,'c') and startswith(Name,'n')",
                "--key-file", key)
            #expect(city.output == "4\n", "\(city.errors)")
            try queue.close()
            #expect(try place.odata("upload", "--key-file", key).status == 0)
            #expect(try place.execute("SELECT count(*) FROM Sites WHERE Name = 'n3'") == "1")
        }
    }
}
