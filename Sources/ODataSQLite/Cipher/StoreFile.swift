import CODataVFS
import Foundation
import GRDB
import GRDBSQLite
import ODataText
import Synchronization

/// The file of a store as connections open it: by its plain path, or through a VFS of its own when it is encrypted
/// or watched.
///
/// Keep the value as long as a connection is open.
package final class StoreFile: Sendable {
    static let plainMagic = Array("SQLite format 3\0".utf8)
    private static let count = Atomic<Int>(0)

    package let path: String
    /// What a connection is opened with.
    package let connectionPath: String
    package let isEncrypted: Bool
    /// The VFS that every connection must be on; nil for the system's own.
    private let name: String?
    private let keeper: SealedStoreKeeper?
    private let box: WatchBox?
    // Set once in `init`, given back in `deinit`; what it points to guards itself.
    private nonisolated(unsafe) let vfs: OpaquePointer?

    /// - Parameters:
    ///   - pageSize: Of an encrypted file that is made.
    ///   - salvages: Lets damaged pages of an encrypted file read as empty ones, for its repair only.
    /// - Throws: `storage` with a `StoreKeyError` when the file is in clear and a key is given, or the other way round.
    package init(
        path: String, key: StoreKey? = nil, watch: (any FileWatch)? = nil, pageSize: Int = 4096,
        salvages: Bool = false
    ) throws {
        let path = URL(fileURLWithPath: path).path
        self.path = path
        isEncrypted = key != nil
        try Self.check(path, hasKey: key != nil)
        guard key != nil || watch != nil else {
            connectionPath = path
            name = nil
            keeper = nil
            box = nil
            vfs = nil
            return
        }
        let name = "odata-\(Self.count.add(1, ordering: .relaxed).newValue)"
        self.name = name
        connectionPath = Self.address(of: path, vfs: name)
        let keeper = key.map { SealedStoreKeeper(key: $0, pageSize: pageSize, salvages: salvages) }
        let box = watch.map { WatchBox($0) }
        self.keeper = keeper
        self.box = box
        vfs = Self.register(name, keeper, box)
        guard vfs != nil else {
            throw ODataError(
                .storage, "Expected SQLite to accept a VFS, found that it does not.",
                at: .path(path))
        }
    }

    deinit {
        // The VFS stays when SQLite still uses it, and then its contexts have to stay, too.
        guard let vfs, odata_vfs_unregister(vfs) == 0 else { return }
        if let keeper { _ = Unmanaged.passRetained(keeper) }
        if let box { _ = Unmanaged.passRetained(box) }
    }

    private static func register(
        _ name: String, _ keeper: SealedStoreKeeper?, _ box: WatchBox?
    ) -> OpaquePointer? {
        let watch = box.map { WatchBox.hooks(Unmanaged.passUnretained($0).toOpaque()) }
        guard let keeper else {
            guard var watch else { return nil }
            return odata_vfs_register(name, nil, &watch)
        }
        var cipher = SealedStoreKeeper.hooks(Unmanaged.passUnretained(keeper).toOpaque())
        guard var watch else { return odata_vfs_register(name, &cipher, nil) }
        return odata_vfs_register(name, &cipher, &watch)
    }

    /// A `file:` name that asks for a VFS (`docs/decisions/0003`).
    package static func address(of path: String, vfs: String) -> String {
        address(of: path, parameter: "vfs=\(vfs)")
    }

    private static func address(of path: String, parameter: String) -> String {
        var allowed = CharacterSet(charactersIn: "-._~/")
        for range in ["a"..."z", "A"..."Z", "0"..."9"] as [ClosedRange<Unicode.Scalar>] {
            allowed.insert(charactersIn: range)
        }
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        return "file:\(encoded)?\(parameter)"
    }

    /// What a connection to a file is opened with that nobody changes: SQLite takes no locks and makes nothing beside it.
    package var immutablePath: String {
        name == nil
            ? Self.address(of: path, parameter: "immutable=1") : connectionPath + "&immutable=1"
    }

    /// A name that makes or opens the file in clear, whatever the connection's own VFS is.
    package static func plainAddress(of path: String) throws -> String {
        guard let root = odata_vfs_root_name() else {
            throw ODataError(.storage, "Expected SQLite to have a VFS, found none.")
        }
        return address(of: URL(fileURLWithPath: path).path, vfs: String(cString: root))
    }

    /// What the first bytes of a file say that it is.
    private static func check(_ path: String, hasKey: Bool) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        var bytes = [UInt8](repeating: 0, count: plainMagic.count)
        let count = odata_vfs_peek(path, &bytes, Int32(bytes.count))
        guard count > 0 else { return }
        let start = bytes[..<Int(count)]
        if hasKey, start.starts(with: plainMagic) {
            throw StoreKeyError.notEncrypted.error(at: path)
        }
        if !hasKey, start.starts(with: SealedHeader.magic) {
            throw StoreKeyError.missingKey.error(at: path)
        }
    }

    // MARK: Connections

    /// Makes a connection ready; called before anything else is done with it.
    ///
    /// - Throws: `storage` when the connection is not on the VFS of this file.
    package func prepare(_ database: Database) throws {
        guard let name else { return }
        var text: UnsafeMutablePointer<CChar>?
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_VFSNAME, &text)
        defer { sqlite3_free(text) }
        guard let text, String(cString: text).hasPrefix(name) else {
            throw ODataError(
                .storage, "Expected SQLite to open the store through its own VFS.", at: .path(path))
        }
        if isEncrypted { Self.reserve(in: database) }
    }

    /// Leaves room for the trailer in each page of files that the connection makes.
    package static func reserve(in database: Database) {
        var count = Int32(ODATA_TRAILER)
        sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }

    /// A connection beside those of the store.
    package func queue(readonly: Bool = false, busySeconds: Double = 10) throws -> DatabaseQueue {
        var options = Configuration()
        options.readonly = readonly
        options.busyMode = .timeout(busySeconds)
        options.prepareDatabase { [self] in try prepare($0) }
        return try DatabaseQueue(path: connectionPath, configuration: options)
    }

    /// True for the first bytes of an encrypted store.
    package static func isSealed(_ head: some Sequence<UInt8>) -> Bool {
        head.starts(with: SealedHeader.magic)
    }

    /// The error behind SQLite's, when it is one of keys or damage; each is given once.
    package func takeFailure() -> ODataError? { keeper?.takeFailure() }

    /// The first page in clear, of its bytes in an encrypted file; nil where it does not open.
    func firstPage(_ sealed: ArraySlice<UInt8>) -> [UInt8]? { keeper?.firstPage(sealed) }

    // MARK: Keys

    /// Lets another key open the store, and no longer the old one: instant at any size.
    ///
    /// - Parameter database: A connection that holds the write lock.
    package func replaceKey(with key: StoreKey, _ database: Database) throws {
        guard let keeper else {
            throw ODataError(
                .usage, "Expected an encrypted store; one in clear is encrypted by an export.",
                at: .path(path))
        }
        var pointer: UnsafeMutableRawPointer?
        sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard let file = odata_file_of(pointer) else {
            throw ODataError(
                .storage, "Expected SQLite to open the store through its own VFS.", at: .path(path))
        }
        do {
            try keeper.replaceKey(with: key, file)
        } catch let damage as StoreDamage {
            throw damage.error(at: path)
        } catch let error as SealedStoreKeeper.ResultCode {
            throw ODataError(
                .storage, "The header of the store could not be written: code \(error.code).",
                at: .path(path))
        }
    }
}
