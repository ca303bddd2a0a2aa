import Foundation
import GRDB
import OData
import ODataServer
import ODataTesting
import Testing

@Suite("The Swift face: streams")
struct StreamTests {
    private static let schema = """
        CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Caption TEXT, Content MEDIA, ContentType TEXT,
            Thumb STREAM, ThumbType TEXT);
        INSERT INTO Pictures VALUES (1, 'one', x'010203', 'image/png', x'0405', 'image/gif'),
            (2, 'two', x'07', 'image/png', NULL, NULL);
        """

    private static func run(
        streams: Bool = false,
        _ body: @escaping @Sendable (TestService, OfflineStore, URL) async throws -> Void
    ) async throws {
        let folder = try TestFolder.makeFast("odata-streams-")
        let service = try await onOwnThread { try TestService(schema: schema) }
        let download = Download.set(Picture.self)
        let file = folder.appendingPathComponent("store.odata")
        let result: Result<Void, any Error>
        do {
            let store = try await OfflineStore(
                service: service.url, at: .file(file),
                download: streams ? download.withStreams() : download)
            try await store.sync()
            try await body(service, store, file)
            result = .success(try await store.close())
        } catch {
            result = .failure(error)
        }
        try await onOwnThread {
            service.close()
            try FileManager.default.removeItem(at: folder)
        }
        try result.get()
    }

    private static func all(_ bytes: StreamBytes) async throws -> [UInt8] {
        var all: [UInt8] = []
        for try await part in bytes { all += part }
        return all
    }

    private static func picture(_ store: OfflineStore, _ id: Int) async throws -> Picture {
        try #require(try await store.fetch(Picture.all.where { $0.id == id }).first)
    }

    @Test(
        "SWI-035 Bytes come from the service where they are not downloaded, and say so without a network"
    )
    func fromService() async throws {
        try await Self.run { service, store, _ in
            let one = try await Self.picture(store, 1)
            let bytes = try await store.bytes(of: one.content)
            #expect(!bytes.isStored && bytes.mediaType == "image/png")
            #expect(try await Self.all(bytes) == [1, 2, 3])
            #expect(try await Self.all(store.bytes(of: one.thumb)) == [4, 5])
            try await onOwnThread { service.close() }
            await #expect(code { _ = try await store.bytes(of: one.content) } == .network)
        }
    }

    @Test("SWI-035 Contents that are downloaded need no network")
    func fromStore() async throws {
        try await Self.run(streams: true) { service, store, _ in
            try await onOwnThread { service.close() }
            let one = try await Self.picture(store, 1)
            let bytes = try await store.bytes(of: one.content)
            #expect(bytes.isStored && bytes.mediaType == "image/png")
            #expect(try await Self.all(bytes) == [1, 2, 3])
            #expect(try await Self.all(store.bytes(of: one.thumb)) == [4, 5])
        }
    }

    @Test(
        "SWI-035 Another content is in view at once, goes with the change set, and reaches the service"
    )
    func replacement() async throws {
        try await Self.run { service, store, _ in
            let two = try await Self.picture(store, 2)
            let content = try await store.stage(Data([9, 8, 7]), mediaType: "image/jpeg")
            #expect(content.length == 3)
            let (_, done) = try await store.write { tx in
                try tx.update(two) { $0.caption = "new" }
                try tx.replace(two.content, with: content)
            }
            let bytes = try await store.bytes(of: two.content)
            #expect(bytes.isStored && bytes.mediaType == "image/jpeg")
            #expect(try await Self.all(bytes) == [9, 8, 7])
            try await store.sync()
            try await done.settled()
            let sql = "SELECT Caption || ContentType FROM Pictures WHERE Id = 2"
            #expect(try await onOwnThread { try service.text(sql) } == "newimage/jpeg")
            // As another app, which has nothing in its store.
            let other = try await OfflineStore(
                service: service.url, at: .memory, download: .set(Picture.self))
            try await other.sync()
            let there = try await Self.picture(other, 2)
            #expect(try await Self.all(other.bytes(of: there.content)) == [9, 8, 7])
        }
    }

    @Test(
        "SWI-035 Content larger than a change set takes goes in a request of its own, and is read part by part"
    )
    func large() async throws {
        try await Self.run { service, store, file in
            let two = try await Self.picture(store, 2)
            let large = file.deletingLastPathComponent().appendingPathComponent("large.bin")
            let bytes = Data((0..<(3 << 19)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try bytes.write(to: large)
            let content = try await store.stage(file: large, mediaType: "image/bmp")
            try FileManager.default.removeItem(at: large)
            #expect(content.length == Int64(bytes.count))
            let (_, done) = try await store.write { tx in
                try tx.update(two) { $0.caption = "large" }
                try tx.replace(two.content, with: content)
            }
            try await store.sync()
            try await done.settled()
            let put = service.requests.filter { $0.method == "PUT" }
            #expect(put.map(\.isInBatch) == [false])
            let other = try await OfflineStore(
                service: service.url, at: .memory, download: .set(Picture.self))
            try await other.sync()
            var (parts, largest, read) = (0, 0, Data())
            for try await part in try await other.bytes(of: Self.picture(other, 2).content) {
                parts += 1
                largest = max(largest, part.count)
                read.append(contentsOf: part)
            }
            #expect(read == bytes && parts > 1 && largest <= 1 << 20)
        }
    }

    @Test("SWI-035 Content that is staged outlives the opening of a reader, and a suspension")
    func keptContent() async throws {
        try await Self.run { service, store, file in
            let one = try await Self.picture(store, 1)
            let staged = try await store.stage(Data([4, 2]), mediaType: "image/x")
            let reader = try await OfflineStore(
                service: service.url, at: .file(file), download: .set(Picture.self), role: .reader)
            #expect(try await reader.fetch(Picture.all).count == 2)
            try await reader.close()
            await store.suspend()
            try await store.resume()
            try await store.write { tx in try tx.replace(one.thumb, with: staged) }
            #expect(try await Self.all(store.bytes(of: one.thumb)) == [4, 2])
        }
    }

    @Test("SWI-018 A change whose error the body of a write catches leaves no part of itself")
    func caughtError() async throws {
        try await Self.run { _, store, file in
            let one = try await Self.picture(store, 1)
            let staged = try await store.stage(Data([1]), mediaType: "image/x")
            try await store.write { tx in try tx.replace(one.thumb, with: staged) }
            let count = {
                try await onOwnThread {
                    try DatabaseQueue(path: file.path).read {
                        try Int.fetchOne($0, sql: "SELECT count(*) FROM _odata_request")
                    }
                }
            }
            #expect(try await count() == 1)
            // The content is taken already.
            try await store.write { tx in
                #expect(throws: (any Error).self) { try tx.replace(one.content, with: staged) }
            }
            try await store.write { tx in
                #expect(throws: (any Error).self) {
                    try tx.insert(Picture.Draft(caption: "never"), content: staged)
                }
            }
            #expect(try await count() == 1)
            #expect(try await store.fetch(Picture.all.where { $0.caption == "never" }).isEmpty)
            #expect(try await Self.all(store.bytes(of: one.content)) == [1, 2, 3])
        }
    }

    @Test("SWI-035 A media entity is created of its content, with what else it has")
    func creation() async throws {
        try await Self.run { service, store, _ in
            let content = try await store.stage(Data([5, 6]), mediaType: "image/png")
            let (made, done) = try await store.write { tx in
                try tx.insert(Picture.Draft(caption: "made"), content: content)
            }
            let here = try #require(try await store.fetch(made))
            #expect(here.caption == "made")
            #expect(try await Self.all(store.bytes(of: here.content)) == [5, 6])
            // A thumb that it was not given is nowhere to be had.
            await #expect(code { _ = try await store.bytes(of: here.thumb) } == .notFound)
            try await store.sync()
            try await done.settled()
            let sql =
                "SELECT count(*) FROM Pictures WHERE Caption = 'made' AND ContentType = 'image/png'"
            #expect(try await onOwnThread { try service.text(sql) } == "1")
        }
    }

    @Test(
        "SWI-035 Content that no transaction takes leaves nothing, and that of one which throws may be used again"
    )
    func unused() async throws {
        struct Stop: Error {}
        try await Self.run { service, store, file in
            let one = try await Self.picture(store, 1)
            do {
                let dropped = try await store.stage(Data([2]), mediaType: "image/dropped")
                #expect(dropped.length == 1)
            }
            // Whoever handed it out may be the last to let go of it; what is let go of is gone behind the next write.
            var left: Int?
            for _ in 0..<500 where left != 0 {
                try await store.write { _ in }
                left = try await onOwnThread {
                    try DatabaseQueue(path: file.path).read {
                        try Int.fetchOne(
                            $0,
                            sql: """
                                SELECT count(*) FROM _odata_stream
                                WHERE media_type = 'image/dropped'
                                """)
                    }
                }
                if left != 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
            #expect(left == 0)
            let staged = try await store.stage(Data([1]), mediaType: "image/x")
            await #expect(throws: Stop.self) {
                try await store.write { tx in
                    try tx.replace(one.thumb, with: staged)
                    throw Stop()
                }
            }
            try await store.write { tx in try tx.replace(one.thumb, with: staged) }
            #expect(try await Self.all(store.bytes(of: one.thumb)) == [1])
            // What is taken cannot be given to another.
            await #expect(
                code {
                    try await store.write { tx in try tx.replace(one.content, with: staged) }
                } == .storage)
            try await store.write { tx in try tx.removeContent(of: one.thumb) }
            await #expect(code { _ = try await store.bytes(of: one.thumb) } == .notFound)
            try await store.sync()
            let gone = "SELECT count(*) FROM Pictures WHERE Thumb IS NULL"
            #expect(try await onOwnThread { try service.text(gone) } == "2")
        }
    }
}
