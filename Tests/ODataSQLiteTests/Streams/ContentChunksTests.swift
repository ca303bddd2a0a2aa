import GRDB
import ODataSQLite
import ODataText
import Testing

/// Contents in parts, as the store and the service keep them.
@Suite struct ContentChunksTests {
    private static let size = ContentChunks.partSize

    /// A database with one content that arrives, under names of its own.
    private static func desk(_ body: (ContentChunks, Int64) throws -> Void) throws {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE given (id INTEGER PRIMARY KEY, length INTEGER NOT NULL DEFAULT 0,
                        state TEXT NOT NULL);
                    CREATE TABLE given_part (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
                    INSERT INTO given (id, state) VALUES (6, 'whole'), (7, 'arriving');
                    """)
            try body(
                ContentChunks(
                    database, ContentChunks.Tables(contents: "given", parts: "given_part")), 7)
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test(arguments: [0, 1, size - 1, size, size + 1, 2 * size, 2 * size + 5])
    func whatIsCutAndStoredIsReadBack(count: Int) throws {
        let all = Self.bytes(count)
        try Self.desk { chunks, content in
            var cutter = ContentCutter()
            for start in stride(from: 0, to: count, by: 100_003) {
                cutter.append(Array(all[start..<min(start + 100_003, count)]))
                let isWanted = try cutter.cut(isAtEnd: false) {
                    try chunks.append($0, to: content, position: $1)
                }
                #expect(isWanted && cutter.rest.count < Self.size)
            }
            #expect(
                try cutter.cut(isAtEnd: true) {
                    try chunks.append($0, to: content, position: $1)
                })
            try chunks.setLength(Int64(count), of: content)
            #expect(try chunks.length(of: content) == Int64(count))
            let extent = try chunks.extent(of: content)
            #expect(extent.bytes == Int64(count) && extent.parts == cutter.position)
            #expect(extent.parts == Int64((count + Self.size - 1) / Self.size))
            var read: [UInt8] = []
            for position in 0..<extent.parts {
                read += try #require(try chunks.part(position, of: content))
            }
            #expect(read == all)
            #expect(try chunks.extent(of: 6) == (0, 0))
        }
    }

    @Test func rangesArePiecesOfParts() throws {
        let all = Self.bytes(2 * Self.size + 5)
        try Self.desk { chunks, content in
            var cutter = ContentCutter()
            cutter.append(all)
            _ = try cutter.cut(isAtEnd: true) { try chunks.append($0, to: content, position: $1) }
            let size = Int64(Self.size)
            for range in [0..<5, size - 3..<size + 4, 3..<2 * size + 5, 2 * size..<2 * size + 5] {
                var read: [UInt8] = []
                var offset = range.lowerBound
                while offset < range.upperBound {
                    let piece = try #require(
                        try chunks.piece(offset..<range.upperBound, of: content))
                    try #require(!piece.isEmpty)
                    read += piece
                    offset += Int64(piece.count)
                }
                #expect(read == Array(all[Int(range.lowerBound)..<Int(range.upperBound)]))
            }
            #expect(try chunks.piece(0..<1, of: 6) == nil)
        }
    }

    @Test func whatIsGivenUpTakesNothingAndGoesInSlices() throws {
        try Self.desk { chunks, content in
            for position in 0..<5 as Range<Int64> {
                #expect(try chunks.append([1, 2], to: content, position: position))
            }
            // The content is whole: nothing is added to it.
            #expect(try !chunks.append([1], to: 6, position: 0))
            #expect(try !chunks.hasDoomed())
            try chunks.giveUp(content)
            #expect(try chunks.hasDoomed())
            #expect(try !chunks.append([3], to: content, position: 5))
            var slices = 0
            while try chunks.sweep(limit: 2) { slices += 1 }
            #expect(slices == 3)
            #expect(try chunks.extent(of: content) == (0, 0))
            #expect(try !chunks.hasDoomed())
            #expect(try Int.fetchOne(chunks.database, sql: "SELECT count(*) FROM given") == 1)
        }
    }

    @Test func positionsHaveAnEnd() throws {
        try Self.desk { chunks, content in
            #expect(throws: ODataError.self) {
                try chunks.append([1], to: content, position: 1 << 24)
            }
        }
    }
}
