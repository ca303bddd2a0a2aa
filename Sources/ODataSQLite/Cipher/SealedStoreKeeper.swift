import CODataVFS
import GRDBSQLite
import ODataText
import Synchronization

/// Keeps the key of one store for the VFS: reads and writes the header, seals and opens pages.
final class SealedStoreKeeper: Sendable {
    struct Unlocked {
        let storeID: [UInt8]
        let pageSize: Int
        let dataKey: SecretKey
        let pages: any PageCipher
    }

    private struct State {
        var path: String?
        var unlocked: Unlocked?
        var failure: ODataError?
    }

    private let key: StoreKey
    private let pageSize: Int
    /// Damaged pages of the main file read as empty ones.
    private let salvages: Bool
    private let ephemeral = AESGCMPageCipher.ephemeral()
    private let state = Mutex(State())

    /// - Parameter pageSize: Of a store that is made.
    init(key: StoreKey, pageSize: Int, salvages: Bool = false) {
        self.key = key
        self.pageSize = pageSize
        self.salvages = salvages
    }

    /// Puts an empty page in place of a damaged one, when the store is being repaired.
    func salvage(role: Int32, page: UInt32, _ plain: UnsafeMutableRawBufferPointer) -> Bool {
        guard salvages, role == ODATA_ROLE_MAIN else { return false }
        plain.initializeMemory(as: UInt8.self, repeating: 0)
        guard page == 1 else { return true }
        let size = plain.count + Int(ODATA_TRAILER)
        let start =
            DatabasePages.header(
                pageSize: size, reserved: Int(ODATA_TRAILER), format: 0, application: 0)
            + [13, 0, 0, 0, 0, UInt8(plain.count >> 8 & 0xff), UInt8(plain.count & 0xff), 0]
        plain.copyBytes(from: start.prefix(plain.count))
        return true
    }

    /// Why the last call of SQLite failed, when it failed here.
    func takeFailure() -> ODataError? {
        state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
    }

    private func note(_ failure: ODataError) {
        state.withLock { $0.failure = failure }
    }

    func refused(role: Int32, page: UInt32, offset: Int64) {
        let damage: StoreDamage =
            switch role {
            case ODATA_ROLE_MAIN: .page(page)
            case ODATA_ROLE_WAL: .log(offset: offset)
            default: .temporary
            }
        let path = state.withLock { $0.path ?? "" }
        note(damage.error(at: path))
    }

    // MARK: Pages

    func cipher(role: Int32) -> (any PageCipher)? {
        if role == ODATA_ROLE_TEMPORARY { return ephemeral }
        return state.withLock { $0.unlocked?.pages }
    }

    /// The content of the first page, of its bytes on disk; nil where it does not open.
    func firstPage(_ sealed: ArraySlice<UInt8>) -> [UInt8]? {
        let count = sealed.count - Int(ODATA_TRAILER)
        guard count > 0, let cipher = cipher(role: ODATA_ROLE_MAIN) else { return nil }
        var plain = [UInt8](repeating: 0, count: count)
        let place = SealedPlace(role: UInt8(ODATA_ROLE_MAIN), page: 1, offset: 0)
        let isOpen = Array(sealed).withUnsafeBytes { bytes in
            plain.withUnsafeMutableBytes { target in
                cipher.open(
                    UnsafeRawBufferPointer(rebasing: bytes[..<count]),
                    trailer: UnsafeRawBufferPointer(rebasing: bytes[count...]), at: place,
                    into: target)
            }
        }
        return isOpen ? plain : nil
    }

    // MARK: Header

    /// Makes the file ready to be read: SQLite's result code.
    func attach(_ file: OpaquePointer, path: String, mayCreate: Bool) -> Int32 {
        let isOther = state.withLock { state in
            if state.path == nil { state.path = path }
            return state.path != path
        }
        // One VFS is one store: others are attached by their own VFS.
        if isOther { return SQLITE_CANTOPEN }
        do {
            try unlock(file, mayCreate: mayCreate)
            return SQLITE_OK
        } catch let error as StoreKeyError {
            note(error.error(at: path))
            return SQLITE_NOTADB
        } catch let error as StoreDamage {
            note(error.error(at: path))
            return SQLITE_NOTADB
        } catch let error as ResultCode {
            return error.code
        } catch let error as ODataError {
            note(error)
            return SQLITE_CANTOPEN
        } catch {
            note(ODataError(.storage, "The key could not be derived.", underlying: error))
            return SQLITE_CANTOPEN
        }
    }

    /// A result code of SQLite on its way through Swift.
    struct ResultCode: Error {
        let code: Int32

        static func check(_ code: Int32) throws {
            guard code == SQLITE_OK else { throw ResultCode(code: code) }
        }
    }

    private func unlock(_ file: OpaquePointer, mayCreate: Bool) throws {
        var bytes = try Self.headerBytes(file)
        if bytes.allSatisfy({ $0 == 0 }) {
            // New, or its making was interrupted before a page was written.
            guard mayCreate else { throw ResultCode(code: SQLITE_CANTOPEN) }
            if try create(file) { return }
            bytes = try Self.headerBytes(file)
        }
        guard let header = try SealedHeaderPair(bytes).current else {
            if bytes.starts(with: StoreFile.plainMagic) { throw StoreKeyError.notEncrypted }
            if bytes.starts(with: SealedHeader.magic) { throw StoreDamage.header }
            let second = bytes.dropFirst(SealedHeader.slotSize)
            throw second.starts(with: SealedHeader.magic)
                ? StoreDamage.header : StoreDamage.foreign
        }
        let known = state.withLock { $0.unlocked }
        if let known, known.storeID == header.storeID {
            odata_file_set_page_size(file, Int32(known.pageSize))
            return
        }
        let dataKey = try header.unwrap(with: key)
        adopt(dataKey, storeID: header.storeID, pageSize: header.pageSize, file)
    }

    private func adopt(
        _ dataKey: SecretKey, storeID: [UInt8], pageSize: Int, _ file: OpaquePointer
    ) {
        let unlocked = Unlocked(
            storeID: storeID, pageSize: pageSize, dataKey: dataKey,
            pages: AESGCMPageCipher(dataKey: dataKey, storeID: storeID))
        state.withLock { $0.unlocked = unlocked }
        odata_file_set_page_size(file, Int32(pageSize))
    }

    /// The bytes before page 1, as many as there are.
    private static func headerBytes(_ file: OpaquePointer) throws -> [UInt8] {
        var size: Int64 = 0
        try ResultCode.check(odata_file_size(file, &size))
        let count = Int(min(size, Int64(SealedHeaderPair.byteCount)))
        var bytes = [UInt8](repeating: 0, count: count)
        guard count > 0 else { return bytes }
        try ResultCode.check(odata_file_read(file, &bytes, Int32(count), 0))
        // Zeros count as new only where nothing follows them.
        if size > Int64(SealedHeaderPair.byteCount), bytes.allSatisfy({ $0 == 0 }) {
            throw StoreDamage.header
        }
        return bytes
    }

    /// Writes both slots of a new file under its exclusive lock.
    ///
    /// - Returns: false when another process was faster.
    private func create(_ file: OpaquePointer) throws -> Bool {
        let dataKey = SecretKey.random()
        let storeID = SecureRandom.bytes(16)
        let header = try SealedHeader(
            sequence: 1, pageSize: pageSize, storeID: storeID, dataKey: dataKey, key: key)
        let slots = try header.encoded + header.encoded
        try lock(file)
        defer { odata_file_unlock(file) }
        guard try Self.headerBytes(file).allSatisfy({ $0 == 0 }) else { return false }
        let code = odata_file_write(file, slots, Int32(slots.count), 0)
        if code != SQLITE_OK {
            _ = odata_file_truncate(file, 0)
            throw ResultCode(code: code)
        }
        try ResultCode.check(odata_file_sync(file))
        adopt(dataKey, storeID: storeID, pageSize: pageSize, file)
        return true
    }

    /// Waits for others that make the same file, at most for ten seconds.
    private func lock(_ file: OpaquePointer) throws {
        for _ in 0..<1000 {
            let code = odata_file_lock(file)
            if code == SQLITE_OK { return }
            guard code & 0xff == SQLITE_BUSY else { throw ResultCode(code: code) }
            sqlite3_sleep(10)
        }
        throw ResultCode(code: SQLITE_BUSY)
    }

    /// Lets `key` open the store from now on, and no other; the caller holds the store's write lock.
    ///
    /// The older slot goes first and is on disk before the other is written, so one of the two keys opens the store at
    /// any time.
    func replaceKey(with key: StoreKey, _ file: OpaquePointer) throws {
        guard let unlocked = state.withLock({ $0.unlocked }) else {
            throw ResultCode(code: SQLITE_MISUSE)
        }
        let pair = try SealedHeaderPair(try Self.headerBytes(file))
        guard let current = pair.current, current.storeID == unlocked.storeID else {
            throw StoreDamage.header
        }
        let header = try SealedHeader(
            sequence: current.sequence + 1, pageSize: unlocked.pageSize,
            storeID: unlocked.storeID, dataKey: unlocked.dataKey, key: key)
        let slot = try header.encoded
        for offset in pair.offsetsToReplace {
            try ResultCode.check(
                odata_file_write(file, slot, Int32(SealedHeader.slotSize), offset))
            try ResultCode.check(odata_file_sync(file))
        }
    }
}

extension SealedStoreKeeper {
    /// The functions that the VFS calls.
    static func hooks(_ context: UnsafeMutableRawPointer) -> odata_vfs_cipher {
        odata_vfs_cipher(
            context: context,
            attach: { context, file, path, mayCreate in
                guard let keeper = SealedStoreKeeper.from(context) else { return SQLITE_MISUSE }
                return keeper.attach(file, path: String(cString: path), mayCreate: mayCreate != 0)
            },
            seal: { context, role, page, offset, plain, count, sealed, trailer in
                guard let cipher = SealedStoreKeeper.from(context)?.cipher(role: role) else {
                    return 0
                }
                let done = cipher.seal(
                    UnsafeRawBufferPointer(start: plain, count: count),
                    at: SealedPlace(role: UInt8(role), page: page, offset: offset),
                    into: UnsafeMutableRawBufferPointer(start: sealed, count: count),
                    trailer: UnsafeMutableRawBufferPointer(
                        start: trailer, count: Int(ODATA_TRAILER)))
                return done ? 1 : 0
            },
            open: { context, role, page, offset, sealed, count, trailer, plain in
                guard let keeper = SealedStoreKeeper.from(context),
                    let cipher = keeper.cipher(role: role)
                else { return 0 }
                let target = UnsafeMutableRawBufferPointer(start: plain, count: count)
                let done = cipher.open(
                    UnsafeRawBufferPointer(start: sealed, count: count),
                    trailer: UnsafeRawBufferPointer(start: trailer, count: Int(ODATA_TRAILER)),
                    at: SealedPlace(role: UInt8(role), page: page, offset: offset), into: target)
                return done || keeper.salvage(role: role, page: page, target) ? 1 : 0
            },
            refused: { context, role, page, offset in
                SealedStoreKeeper.from(context)?.refused(role: role, page: page, offset: offset)
            })
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> SealedStoreKeeper? {
        context.map { Unmanaged<SealedStoreKeeper>.fromOpaque($0).takeUnretainedValue() }
    }
}
