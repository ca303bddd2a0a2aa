#if os(Linux)
    import Foundation
    import GRDB
    import ODataServer
    import ODataTesting
    import Testing

    /// Contents much longer than what may be in memory; `ODATA_STREAM_MB` makes them longer still (`docs/soak.md`).
    @Suite struct StreamMemoryTests {
        private static let megabytes =
            ProcessInfo.processInfo.environment["ODATA_STREAM_MB"].flatMap { Int($0) } ?? 100

        @Test(.timeLimit(.minutes(30)))
        func aLongStreamLeavesMemoryAndLogSmall() async throws {
            try await onOwnThread {
                let folder = FileManager.default.temporaryDirectory
                    .appendingPathComponent("odata-streams-" + UUID().uuidString)
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                defer { try? FileManager.default.removeItem(at: folder) }
                let path = folder.appendingPathComponent("service.db").path
                let queue = try DatabaseQueue(path: path)
                try queue.write {
                    try $0.execute(
                        sql: """
                            CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Content MEDIA);
                            INSERT INTO Pictures VALUES (1, x'00');
                            """)
                }
                try queue.close()
                let service = try ODataService(ServiceConfiguration(databasePath: path))
                try service.start()
                defer { try? service.close() }
                let child = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
                    .deletingLastPathComponent().appendingPathComponent("KillChild").path
                let result = try Child.run(
                    child,
                    [
                        "stream", folder.appendingPathComponent("store.db").path,
                        service.url ?? "", "\(Self.megabytes)",
                    ])
                #expect(result.status == 0, "\(result.errors)")
                let figures = Dictionary(
                    result.output.split(separator: "\n").map { line in
                        let words = line.split(separator: " ")
                        return (String(words[0]), Int(words.last ?? "") ?? -1)
                    }, uniquingKeysWith: { $1 })
                #expect(figures["stored"] == Self.megabytes << 20)
                #expect(figures["downloaded"] == Self.megabytes << 20)
                #expect(figures["replaced"] == 1)
                // A debug build without any content has about 50 MiB.
                #expect(figures["peak"] ?? .max < 128 << 10)
                #expect(figures["log"] ?? .max < 128 << 20)
                print("stream of \(Self.megabytes) MiB: \(figures)")
            }
        }
    }
#endif
