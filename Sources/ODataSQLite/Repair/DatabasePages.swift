import ODataText

/// The pages of a database file as one image, read without SQLite: nothing in it is believed before it was checked.
package struct DatabasePages: Sendable {
    let bytes: [UInt8]
    package let pageSize: Int
    /// The bytes of a page that hold content.
    let usable: Int
    /// Pages that are unused; nil when the list of them cannot be trusted.
    package let free: Set<Int>?

    package var count: Int { bytes.count / pageSize }
    /// `PRAGMA user_version` and `PRAGMA application_id`, as the first page has them.
    package var format: Int64 { Int64(number(page: 1, 60, 4) ?? 0) }
    package var application: Int64 { Int64(number(page: 1, 68, 4) ?? 0) }

    /// - Parameter trustsHeader: False when the header was made up: the list of unused pages is unknown then.
    /// - Throws: `storage` when the image does not begin as a database does.
    package init(_ bytes: [UInt8], trustsHeader: Bool) throws {
        guard bytes.count >= 512, bytes.starts(with: StoreFile.plainMagic) else {
            throw ODataError(.storage, "Expected the image of a database, found something else.")
        }
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        let size = stated == 1 ? 65_536 : stated
        guard size >= 512, size.nonzeroBitCount == 1, Int(bytes[20]) <= size - 480 else {
            throw ODataError(.storage, "Expected a database with a page size, found none.")
        }
        self.bytes = bytes
        pageSize = size
        usable = size - Int(bytes[20])
        free = trustsHeader ? Self.freePages(bytes, size, usable) : nil
    }

    /// The trunks of the list and the pages that they name; nil when the list leads astray.
    private static func freePages(_ bytes: [UInt8], _ size: Int, _ usable: Int) -> Set<Int>? {
        func number(_ place: Int) -> Int {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let count = bytes.count / size
        let total = number(36)
        var free: Set<Int> = []
        var trunk = number(32)
        while trunk != 0 {
            guard trunk > 1, trunk <= count, free.insert(trunk).inserted else { return nil }
            let start = (trunk - 1) * size
            let leaves = number(start + 4)
            guard leaves <= usable / 4 - 2 else { return nil }
            for leaf in 0..<leaves {
                let page = number(start + 8 + 4 * leaf)
                guard page > 1, page <= count, free.insert(page).inserted else { return nil }
            }
            trunk = number(start)
        }
        return free.count == total ? free : nil
    }

    /// Big-endian, within one page; nil beyond its end.
    func number(page: Int, _ offset: Int, _ length: Int) -> Int? {
        guard page >= 1, page <= count, offset >= 0, offset + length <= pageSize else { return nil }
        let start = (page - 1) * pageSize + offset
        return bytes[start..<start + length].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Content of one page; nil beyond its end.
    func content(page: Int, _ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard page >= 1, page <= count, offset >= 0, length >= 0, offset + length <= usable else {
            return nil
        }
        let start = (page - 1) * pageSize + offset
        return bytes[start..<start + length]
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
