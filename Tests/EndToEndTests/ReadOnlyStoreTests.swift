#if os(Linux)
    import ChildFixture
    import Foundation
    import GRDB
    import ODataSQLite
    import ODataTesting
    import SAPOData
    import Testing

    /// A store in a folder where a process may write nothing, as on media that are read-only. The process is another one, because
    /// modes mean nothing to the superuser that tests may run as.
    @Suite struct ReadOnlyStoreTests {
        /// A copy of a downloaded store that nobody may write.
        private struct Media {
            let folder: URL
            let store: String

            init(_ place: ServiceWorkplace, withLog: Bool, key: String?) throws {
                folder = FileManager.default.temporaryDirectory
                    .appendingPathComponent("odata-media-" + UUID().uuidString)
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                store = folder.appendingPathComponent("store.db").path
                place.sync.encryptionKey = key
                try place.sync.open()
                try place.sync.download()
                if !withLog { try place.sync.close() }
                for suffix in withLog ? ["", "-wal"] : [""] {
                    try FileManager.default.copyItem(
                        atPath: place.folder.appendingPathComponent("store.db").path + suffix,
                        toPath: store + suffix)
                }
                try close()
            }

            /// What a folder on read-only media holds: all of it for everybody, and nothing to be written.
            func close() throws {
                for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    chmod(folder.appendingPathComponent(file).path, 0o444)
                }
                chmod(folder.path, 0o555)
            }

            func open() {
                chmod(folder.path, 0o755)
                chmod(store, 0o644)
            }

            /// What stands in the folder, byte for byte.
            func contents() throws -> [String: Data] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) {
                    $0[$1] = try Data(contentsOf: folder.appendingPathComponent($1))
                }
            }

            func remove() {
                open()
                try? FileManager.default.removeItem(at: folder)
            }
        }

        private static func child(_ media: Media, _ key: String?) throws -> ChildProcess {
            try ChildProcess(
                Child.killChild, ["readonly", media.store, key ?? "-"], input: .pipe,
                output: .pipe)
        }

        @Test(arguments: [nil, String(repeating: "5c", count: 32)])
        func aStoreThatCannotBeWrittenIsRead(key: String?) async throws {
            try await ServiceWorkplace.run { place in
                let media = try Media(place, withLog: false, key: key)
                defer { media.remove() }
                let before = try media.contents()
                let child = try Self.child(media, key)
                for line in [
                    "open well", "rows 25", "change refused: storage true", "rows 25",
                ] {
                    #expect(try child.line() == line)
                }
                try child.send(line: "go on")
                #expect(try child.line() == "rows 25")
                #expect(try child.wait() == .exit(0))
                #expect(try media.contents() == before)
            }
        }

        /// Its connections would not see it.
        @Test func aStoreThatSomebodyElseChangesMeanwhileIsNotReadOn() async throws {
            try await ServiceWorkplace.run { place in
                let media = try Media(place, withLog: false, key: nil)
                defer { media.remove() }
                let child = try Self.child(media, nil)
                for _ in 0..<4 { _ = try child.line() }
                media.open()
                let queue = try DatabaseQueue(path: media.store)
                try queue.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM WorkOrders") }
                try queue.close()
                try media.close()
                try child.send(line: "go on")
                #expect(try child.line() == "rows refused: storage true")
                #expect(try child.wait() == .exit(0))
            }
        }

        /// What is in it is not in the file yet, and nobody can bring it there.
        @Test func aStoreWithALogIsRefused() async throws {
            try await ServiceWorkplace.run { place in
                let media = try Media(place, withLog: true, key: nil)
                defer { media.remove() }
                let before = try media.contents()
                #expect(before["store.db-wal"]?.isEmpty == false)
                let child = try Self.child(media, nil)
                #expect(try child.line() == "open refused: storage true")
                #expect(try child.wait() == .exit(0))
                #expect(try media.contents() == before)
            }
        }

        /// A transaction that did not end is half in the file, and nobody can take it back.
        @Test func aStoreWithAJournalIsRefused() async throws {
            try await ServiceWorkplace.run { place in
                let media = try Media(place, withLog: false, key: nil)
                defer { media.remove() }
                media.open()
                try Data(repeating: 0xd9, count: 512).write(
                    to: URL(fileURLWithPath: media.store + "-journal"))
                try media.close()
                let child = try Self.child(media, nil)
                #expect(try child.line() == "open refused: storage true")
                #expect(try child.wait() == .exit(0))
            }
        }
    }
#endif
