import Foundation
import ODataSQLite
import ODataStore
import ODataSync

/// Where a store is.
public enum StoreLocation: Sendable, Hashable {
    /// A file, made where there is none; its folder, too.
    case file(URL)
    /// The file `NAME.odata` in the container that the apps and extensions of a group share.
    ///
    /// Opening throws `notImplemented` where the system has no such groups.
    case appGroup(String, name: String)
    /// A store of this process that is gone when it is closed or let go: for tests and previews.
    ///
    /// Honestly: it is a file of its own, the same engine over it, in memory where the system has a place for that
    /// (`/dev/shm` of Linux) and in the folder for temporary files elsewhere. Nobody else may read it, but it is not
    /// hidden from who may read everything, and a process that is killed leaves it: use a key for what is secret.
    case memory

    /// The file, and whether it goes with the store.
    ///
    /// - Throws: `usage` for what is no file, `notImplemented` where there are no groups.
    func file() throws -> (path: String, isTemporary: Bool) {
        switch self {
        case .file(let url):
            guard url.isFileURL else {
                throw ODataError(.usage, "Expected the URL of a file for the store.")
            }
            return (url.path, false)
        case .appGroup(let group, let name):
            #if canImport(Darwin)
                guard
                    let folder = FileManager.default.containerURL(
                        forSecurityApplicationGroupIdentifier: group)
                else {
                    throw ODataError(
                        .usage, "Expected an app group that this app belongs to.", at: group)
                }
                return (folder.appendingPathComponent(name + ".odata").path, false)
            #else
                throw ODataError(
                    .notImplemented, "Expected a system with app groups.", at: "\(group)/\(name)")
            #endif
        case .memory:
            let memory = URL(fileURLWithPath: "/dev/shm")
            let isThere = FileManager.default.isWritableFile(atPath: memory.path)
            let folder = isThere ? memory : FileManager.default.temporaryDirectory
            return (folder.appendingPathComponent("odata-\(UUID().uuidString).store").path, true)
        }
    }
}

/// What a store's file is sealed with.
public struct StoreKey: Sendable, CustomStringConvertible {
    private enum Content: Sendable {
        case none
        case bytes([UInt8])
        case text(String)
    }

    private let content: Content

    /// The file is in clear.
    public static let none = StoreKey(content: .none)

    /// A key of 32 bytes, as a key chain keeps one. Another length counts as a passphrase.
    public static func bytes(_ bytes: Data) -> StoreKey { StoreKey(content: .bytes(Array(bytes))) }

    /// A passphrase; opening takes longer with one.
    public static func passphrase(_ text: String) -> StoreKey { StoreKey(content: .text(text)) }

    /// Never the key.
    public var description: String { "a key" }

    /// - Throws: `storage` for an empty key and one of more than 1,024 bytes.
    func engineKey() throws -> ODataSQLite.StoreKey? {
        switch content {
        case .none: nil
        case .bytes(let bytes): try ODataSQLite.StoreKey(bytes: bytes)
        case .text(let text): try ODataSQLite.StoreKey(bytes: Array(text.utf8))
        }
    }
}

/// What proves to the service who is asking; never part of an error or a description.
public struct Credentials: Sendable, CustomStringConvertible {
    /// The value of the `Authorization` header; nil for none.
    let header: String?

    /// Nobody in particular.
    public static let none = Credentials(header: nil)

    /// A name and a password (RFC 7617).
    public static func basic(user: String, password: String) -> Credentials {
        Credentials(header: "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A token (RFC 6750).
    public static func bearer(_ token: String) -> Credentials {
        Credentials(header: "Bearer " + token)
    }

    /// Never the secret.
    public var description: String { header == nil ? "no credentials" : "credentials" }
}

/// What a process may do with a store.
public enum Role: Sendable, Hashable {
    /// Writes, sends and downloads. A store has one owner at a time, over all processes; who comes second is told so
    /// (`storeInUse`). It belongs to nobody again when it is closed or suspended, or its process ends, however it ends.
    case owner
    /// Reads only, and sees what the owner commits: for widgets and extensions. The store has been opened by its owner
    /// before.
    case reader
}
