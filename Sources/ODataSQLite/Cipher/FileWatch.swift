import CODataVFS

/// What SQLite does to a file, where it reaches the system.
package struct FileOperation: Sendable {
    package enum Kind: Int32, Sendable {
        case open = 1
        case read, write, truncate, sync, delete
    }

    package let kind: Kind
    /// nil for a temporary file.
    package let path: String?
    package let offset: Int64
    package let count: Int64
}

/// Sees every operation on the files of a store and can refuse it: tests fail disks with it.
///
/// Calls come from every thread that uses a connection.
package protocol FileWatch: AnyObject, Sendable {
    /// SQLite's result code that the operation fails with, or 0.
    func before(_ operation: FileOperation) -> Int32
    /// It has succeeded; `bytes` are those of a write.
    func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer)
}

/// A reference that C keeps.
final class WatchBox: Sendable {
    let watch: any FileWatch
    init(_ watch: any FileWatch) { self.watch = watch }

    static func hooks(_ context: UnsafeMutableRawPointer) -> odata_vfs_watch {
        odata_vfs_watch(
            context: context,
            before: { context, kind, _, path, offset, count in
                guard let context, let kind = FileOperation.Kind(rawValue: kind) else { return 0 }
                let box = Unmanaged<WatchBox>.fromOpaque(context).takeUnretainedValue()
                return box.watch.before(
                    FileOperation(
                        kind: kind, path: path.map { String(cString: $0) }, offset: offset,
                        count: count))
            },
            after: { context, kind, _, path, offset, count, bytes in
                guard let context, let kind = FileOperation.Kind(rawValue: kind) else { return }
                let box = Unmanaged<WatchBox>.fromOpaque(context).takeUnretainedValue()
                box.watch.after(
                    FileOperation(
                        kind: kind, path: path.map { String(cString: $0) }, offset: offset,
                        count: count),
                    bytes: UnsafeRawBufferPointer(
                        start: bytes, count: bytes == nil ? 0 : Int(count))
                )
            })
    }
}
