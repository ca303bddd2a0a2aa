import Foundation
import GRDB
import ODataText

/// The pages of a delta or sweep that wait until the last one has come, in order (docs/design.md, decision 7).
///
/// They are kept as received, because bytes are the most compact form there is: the last mebibytes in memory, all
/// before in `_odata_stage`, where the complete ones survive a kill together with the resume point that counts them.
struct StagedPages {
    struct Page {
        let number: Int
        /// Where the rest of an expanded collection was read from; nil for a page of the query itself.
        let link: String?
        var rows = 0
        /// Parts that are in the table.
        var storedParts = 0
        /// Whether the table says how many rows it has: a page that moves there while it comes does not know yet.
        var isCounted = false
        /// Parts behind those.
        var parts: [[UInt8]] = []
    }

    let query: String
    /// Bytes beyond which pages move to the table.
    let memoryLimit: Int
    private(set) var pages: [Page] = []
    private(set) var rows = 0
    private var bytesInMemory = 0
    private var isClean = false
    private var areFound = false

    init(query: String, memoryLimit: Int = 4 << 20) {
        self.query = query
        self.memoryLimit = memoryLimit
    }

    /// Whether there may be rows to apply. Of pages that were found nobody can tell: earlier versions did not always count
    /// their rows.
    var mayHaveRows: Bool { rows > 0 || areFound }

    var isHeavy: Bool { bytesInMemory >= memoryLimit }

    /// Begins a page; what follows belongs to it.
    mutating func beginPage(link: String? = nil) {
        pages.append(Page(number: (pages.last?.number ?? -1) + 1, link: link))
    }

    mutating func append(_ part: [UInt8]) {
        guard !pages.isEmpty else { return }
        pages[pages.count - 1].parts.append(part)
        bytesInMemory += part.count
    }

    mutating func endPage(rows count: Int) {
        guard !pages.isEmpty else { return }
        pages[pages.count - 1].rows = count
        rows += count
    }

    /// Some of the last page is in the table.
    var hasStoredPartsOfLastPage: Bool { (pages.last?.storedParts ?? 0) > 0 }

    /// Forgets the last page.
    ///
    /// - Returns: the bytes of it that were in memory.
    @discardableResult
    mutating func dropLastPage() -> Int {
        guard let page = pages.popLast() else { return 0 }
        let bytes = page.parts.reduce(0) { $0 + $1.count }
        bytesInMemory -= bytes
        rows -= page.rows
        return bytes
    }

    /// Whether the page is in Atom, which its first character tells; JSON otherwise.
    func isAtom(_ page: Page, in database: Database) throws -> Bool {
        var beginning = page.parts.first?[...] ?? []
        if page.storedParts > 0 {
            let bytes = try Data.fetchOne(
                database.cachedStatement(
                    sql: "SELECT substr(bytes, 1, 64) FROM _odata_stage"
                        + " WHERE query = ? AND page = ? AND part = 0"),
                arguments: [query, page.number])
            beginning = Array(bytes ?? Data())[...]
        }
        let ignored: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
        return beginning.first { !ignored.contains($0) } == UInt8(ascii: "<")
    }

    /// The page's bytes again; inside one access to the database.
    func source(of page: Page, in database: Database) -> any ByteSource {
        page.storedParts == 0
            ? ByteParts(page.parts)
            : StagedPageSource(page, of: query, in: database)
    }
}

// MARK: The table

extension StagedPages {
    /// Moves everything that is in memory to the table.
    mutating func store(_ database: Database) throws {
        try clean(database)
        let insert = try database.cachedStatement(
            sql: "INSERT INTO _odata_stage (query, page, part, link, \"rows\", bytes)"
                + " VALUES (?, ?, ?, ?, ?, ?)")
        let count = try database.cachedStatement(
            sql: "UPDATE _odata_stage SET \"rows\" = ? WHERE query = ? AND page = ?")
        for index in pages.indices {
            let page = pages[index]
            for (offset, part) in page.parts.enumerated() {
                try insert.execute(arguments: [
                    query, page.number, page.storedParts + offset, page.link, page.rows, Data(part),
                ])
            }
            if page.storedParts > 0, !page.isCounted, page.rows > 0 {
                try count.execute(arguments: [page.rows, query, page.number])
            }
            pages[index].isCounted = page.rows > 0
            pages[index].storedParts += page.parts.count
            pages[index].parts = []
        }
        bytesInMemory = 0
    }

    /// Forgets the last page, in the table, too.
    mutating func dropLastPage(_ database: Database) throws {
        guard let page = pages.last else { return }
        dropLastPage()
        try database.execute(
            sql: "DELETE FROM _odata_stage WHERE query = ? AND page = ?",
            arguments: [query, page.number])
    }

    /// Takes away what an interrupted read left behind its last complete page.
    private mutating func clean(_ database: Database) throws {
        guard !isClean else { return }
        let first =
            pages.first { $0.storedParts == 0 }?.number ?? (pages.last?.number ?? -1) + 1
        try database.execute(
            sql: "DELETE FROM _odata_stage WHERE query = ? AND page >= ?",
            arguments: [query, first])
        isClean = true
    }

    /// Finds the complete pages of an interrupted read, the first `count`.
    mutating func load(_ count: Int, from database: Database) throws {
        let found = try Row.fetchAll(
            database,
            sql: """
                SELECT page, link, max("rows") AS "rows", count(*) AS parts FROM _odata_stage
                WHERE query = ? AND page < ? GROUP BY page ORDER BY page
                """, arguments: [query, count])
        pages = found.map { row in
            Page(
                number: row["page"], link: row["link"], rows: row["rows"],
                storedParts: row["parts"], isCounted: true)
        }
        areFound = !pages.isEmpty
        rows = pages.reduce(0) { $0 + $1.rows }
    }

    /// Forgets everything, here and in the table.
    mutating func removeAll(_ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM _odata_stage WHERE query = ?")
            .execute(arguments: [query])
        self = StagedPages(query: query, memoryLimit: memoryLimit)
        isClean = true
    }
}

/// Reads a page part by part from the table, then what of it is in memory.
private final class StagedPageSource: ByteSource {
    private let page: StagedPages.Page
    private let query: String
    private let database: Database
    private var next = 0
    private var current: [UInt8] = []
    private var offset = 0

    init(_ page: StagedPages.Page, of query: String, in database: Database) {
        self.page = page
        self.query = query
        self.database = database
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while offset == current.count {
            guard let part = try part(next) else { return 0 }
            (current, offset) = (part, 0)
            next += 1
        }
        let count = min(buffer.count, current.count - offset)
        current.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }

    private func part(_ number: Int) throws -> [UInt8]? {
        guard number < page.storedParts else {
            let index = number - page.storedParts
            return page.parts.indices.contains(index) ? page.parts[index] : nil
        }
        let bytes = try Data.fetchOne(
            database.cachedStatement(
                sql: "SELECT bytes FROM _odata_stage WHERE query = ? AND page = ? AND part = ?"),
            arguments: [query, page.number, number])
        guard let bytes else {
            throw ODataError(.storage, "Expected all parts of a staged page, found one missing.")
        }
        return Array(bytes)
    }
}

/// Hands bytes on and gives a copy of them away.
final class CopyingSource: ByteSource {
    private let source: any ByteSource
    private let keep: ([UInt8]) throws -> Void

    init(_ source: any ByteSource, keep: @escaping ([UInt8]) throws -> Void) {
        self.source = source
        self.keep = keep
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.read(into: buffer)
        if count > 0 { try keep(Array(buffer[..<count])) }
        return count
    }
}
