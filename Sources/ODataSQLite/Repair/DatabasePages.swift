import ODataText

/// The pages of a damaged file, read without SQLite: nothing in them is believed before it was checked.
///
/// A few pages are in memory at a time, and a bit for each page of the file. Used by one thread, like the file.
package final class DatabasePages {
    private let file: DamagedFile
    package let pageSize: Int
    /// The bytes of a page that hold content.
    let usable: Int
    package let count: Int
    /// Pages that are unused; nil when the list of them cannot be trusted.
    package private(set) var free: PageSet?

    /// The page looked at last, and those before it.
    private var current: (page: Int, bytes: [UInt8]) = (0, [])
    private var held: [Int: [UInt8]] = [:]
    private var order: [Int] = []

    /// Deeper than any tree, so that the way back up reads nothing again.
    static let maximumHeld = 64

    /// - Parameter trustsHeader: False when the header was made up: the list of unused pages is unknown then.
    /// - Throws: `storage` when the file does not begin as a database does.
    package init(_ file: DamagedFile, trustsHeader: Bool) throws {
        let head = file.bytes(at: 0, count: 512)
        let size = try file.size()
        guard size >= 512, head.starts(with: StoreFile.plainMagic) else {
            throw ODataError(.storage, "Expected the file of a database, found something else.")
        }
        let stated = Int(head[16]) << 8 | Int(head[17])
        let pageSize = stated == 1 ? 65_536 : stated
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1, Int(head[20]) <= pageSize - 480 else {
            throw ODataError(.storage, "Expected a database with a page size, found none.")
        }
        self.file = file
        self.pageSize = pageSize
        usable = pageSize - Int(head[20])
        count = size / pageSize
        if trustsHeader { free = freePages() }
    }

    /// `PRAGMA user_version` and `PRAGMA application_id`, as the first page has them.
    package var format: Int64 { Int64(number(page: 1, 60, 4) ?? 0) }
    package var application: Int64 { Int64(number(page: 1, 68, 4) ?? 0) }

    /// The list of unused pages is not to be believed.
    package func distrustHeader() { free = nil }

    /// The trunks of the list and the pages that they name; nil when the list leads astray.
    private func freePages() -> PageSet? {
        let total = number(page: 1, 36, 4) ?? 0
        var free = PageSet(count: count)
        var found = 0
        var trunk = number(page: 1, 32, 4) ?? 0
        while trunk != 0 {
            guard trunk > 1, trunk <= count, free.insert(trunk),
                let leaves = number(page: trunk, 4, 4), leaves <= usable / 4 - 2
            else { return nil }
            found += 1 + leaves
            for leaf in 0..<leaves {
                guard let page = number(page: trunk, 8 + 4 * leaf, 4), page > 1, page <= count,
                    free.insert(page)
                else { return nil }
            }
            trunk = number(page: trunk, 0, 4) ?? 0
        }
        return found == total ? free : nil
    }

    /// How many pages are in memory.
    package var heldCount: Int { held.count }

    // MARK: Bytes

    /// The bytes of a page that is there; zeros where the file cannot be read.
    private func bytes(_ page: Int) -> [UInt8] {
        if current.page == page { return current.bytes }
        if let known = held[page] {
            current = (page, known)
            return known
        }
        let bytes = file.bytes(at: Int64(page - 1) * Int64(pageSize), count: pageSize)
        if order.count == Self.maximumHeld { held[order.removeFirst()] = nil }
        held[page] = bytes
        order.append(page)
        current = (page, bytes)
        return bytes
    }

    /// Big-endian, within one page; nil beyond its end.
    func number(page: Int, _ offset: Int, _ length: Int) -> Int? {
        guard page >= 1, page <= count, offset >= 0, offset + length <= pageSize else { return nil }
        return bytes(page)[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Content of one page; nil beyond its end.
    func content(page: Int, _ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard page >= 1, page <= count, offset >= 0, length >= 0, offset + length <= usable else {
            return nil
        }
        return bytes(page)[offset..<offset + length]
    }

    /// SQLite's variable-length integer and its length; nil beyond the end of the page.
    func varint(page: Int, _ offset: Int) -> (value: Int64, length: Int)? {
        let rest = min(9, usable - offset)
        guard rest > 0, let slice = content(page: page, offset, rest) else { return nil }
        return Varint.read(slice)
    }

    /// What a first page starts with that says nothing but how pages are laid out.
    package static func header(pageSize: Int, reserved: Int, format: Int64, application: Int64)
        -> [UInt8]
    {
        var header = StoreFile.plainMagic + [UInt8](repeating: 0, count: 84)
        func put(_ value: Int64, _ place: Int, _ length: Int) {
            for index in 0..<length {
                header[place + index] = UInt8(
                    truncatingIfNeeded: value >> Int64(8 * (length - 1 - index)))
            }
        }
        put(pageSize == 65_536 ? 1 : Int64(pageSize), 16, 2)
        // Log and payload fractions as every file has them; text in UTF-8, schema format 4.
        put(0x0202, 18, 2)
        put(Int64(reserved), 20, 1)
        put(0x402020, 21, 3)
        put(1, 40, 4)
        put(4, 44, 4)
        put(1, 56, 4)
        put(format, 60, 4)
        put(application, 68, 4)
        return header
    }
}

/// Numbers of pages, a bit for each page of a file.
package struct PageSet: Sendable, Hashable {
    private var words: [UInt64]

    /// - Parameter count: The pages of the file; their numbers begin with 1.
    package init(count: Int) { words = Array(repeating: 0, count: count / 64 + 1) }

    package func contains(_ page: Int) -> Bool {
        page >= 0 && page >> 6 < words.count && words[page >> 6] & 1 << UInt64(page & 63) != 0
    }

    /// False when the page was there, or is beyond the file.
    package mutating func insert(_ page: Int) -> Bool {
        guard page >= 0, page >> 6 < words.count, !contains(page) else { return false }
        words[page >> 6] |= 1 << UInt64(page & 63)
        return true
    }
}

/// SQLite's integers of 1 to 9 bytes.
enum Varint {
    static func read(_ bytes: ArraySlice<UInt8>) -> (value: Int64, length: Int)? {
        var value: UInt64 = 0
        for (index, byte) in bytes.prefix(9).enumerated() {
            if index == 8 {
                return (Int64(bitPattern: value << 8 | UInt64(byte)), 9)
            }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte < 0x80 { return (Int64(bitPattern: value), index + 1) }
        }
        return nil
    }
}
