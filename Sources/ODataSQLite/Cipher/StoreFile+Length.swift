import CODataVFS
import Foundation
import ODataText

/// What the lengths of a store's files say: whether every page is there that the file speaks of.
///
/// Lengths are asked for by name and bytes read by SQLite's own VFS: a file that is opened and closed beside SQLite loses
/// the locks of this process.
extension StoreFile {
    /// A file that was cut off is refused before anything is read from it or written to it.
    ///
    /// A file of no bytes, or of nothing but the header that a new encrypted one begins with, is a store that was never
    /// written to, unless a log lies beside it.
    ///
    /// - Throws: `storage` with `StoreDamage.cutOff`.
    package func checkLength() throws {
        // Asked twice, because only while nobody writes the file is its length that of its pages.
        let log = Self.length(path + "-wal")
        guard let found = Self.length(path) else { return }
        guard let expected = expectedLength(found, hasLog: log ?? 0 > Self.logHeader),
            Self.length(path + "-wal") == log
        else { return }
        throw StoreDamage.cutOff(expected: expected, found: found).error(at: path)
    }

    /// True for a file without any page. SQLite takes it for new, and deletes a log that lies beside it.
    package var hasNoPages: Bool { (Self.length(path) ?? 0) <= headerLength }

    /// What is wrong with the file when SQLite says that it is malformed, or no database.
    package func damage(isDatabase: Bool) -> ODataError {
        cutOff() ?? (isDatabase ? StoreDamage.malformed : .foreign).error(at: path)
    }

    /// The error for a file with fewer pages than its first one counts; nil for any other.
    package func cutOff() -> ODataError? {
        guard let found = Self.length(path), let expected = countedLength(found), expected > found
        else { return nil }
        return StoreDamage.cutOff(expected: expected, found: found).error(at: path)
    }

    /// A log of no more than this holds no page.
    private static let logHeader: Int64 = 32
    private static let smallestPage: Int64 = 512

    /// How many bytes a file has; nil where there is none.
    package static func length(_ path: String) -> Int64? {
        // Of the file and not of a link to it.
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : nil
    }

    private var headerLength: Int64 { isEncrypted ? Int64(SealedHeaderPair.byteCount) : 0 }

    private func head(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found = odata_vfs_peek(path, &bytes, Int32(count))
        return Array(bytes.prefix(max(0, Int(found))))
    }

    /// The length that the file should have at least; nil where nothing is amiss, or another check says more.
    private func expectedLength(_ found: Int64, hasLog: Bool) -> Int64? {
        let head = head(SealedHeaderPair.byteCount)
        let magic = isEncrypted ? SealedHeader.magic : Self.plainMagic
        guard head.prefix(magic.count).elementsEqual(magic.prefix(head.count)) else { return nil }
        if found == 0 { return hasLog ? headerLength + Self.smallestPage : nil }
        guard let pageSize = pageSize(head) else {
            return found < headerLength + 100 ? headerLength + Self.smallestPage : nil
        }
        if found <= headerLength {
            // The key of a store is only changed once it has pages.
            let hadPages = (try? SealedHeaderPair(head).current?.sequence ?? 0 > 1) ?? false
            return hasLog || hadPages ? headerLength + pageSize : nil
        }
        guard !hasLog else { return nil }
        let rest = (found - headerLength) % pageSize
        if rest != 0 { return found - rest + pageSize }
        guard !isEncrypted, let counted = Self.counted(head, pageSize) else { return nil }
        return counted > found ? counted : nil
    }

    /// The size of a page; nil where the file does not say one.
    private func pageSize(_ head: [UInt8]) -> Int64? {
        if isEncrypted {
            return (try? SealedHeaderPair(head).current?.pageSize).flatMap { $0 }.map(Int64.init)
        }
        guard head.count >= 100 else { return nil }
        let size = Int64(head[16]) << 8 | Int64(head[17])
        if size == 1 { return 65_536 }
        return size >= Self.smallestPage && size.nonzeroBitCount == 1 ? size : nil
    }

    /// How long the file is with all pages that its first one counts; nil where that cannot be read.
    private func countedLength(_ found: Int64) -> Int64? {
        let head = head(SealedHeaderPair.byteCount)
        guard let pageSize = pageSize(head) else { return nil }
        guard isEncrypted else { return Self.counted(head, pageSize) }
        let whole = self.head(SealedHeaderPair.byteCount + Int(pageSize))
        guard let page = firstPage(whole.dropFirst(SealedHeaderPair.byteCount)) else { return nil }
        return Self.counted(page, pageSize).map { $0 + headerLength }
    }

    /// The bytes that the pages take whose number stands in the first one (SQLite's file format, section 1.3.8).
    private static func counted(_ page: [UInt8], _ pageSize: Int64) -> Int64? {
        guard page.count >= 100, page[24..<28] == page[92..<96] else { return nil }
        let count = page[28..<32].reduce(0) { $0 << 8 | Int64($1) }
        return count > 0 ? count * pageSize : nil
    }
}
