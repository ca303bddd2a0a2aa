import Foundation
import ODataStore
import ODataWorld
import Synchronization

/// Bytes that are in the store and belong to nothing yet: what a ``Transaction`` gives to a stream. They go with the last
/// reference to this unless a transaction has taken them.
public final class StagedContent: Sendable {
    let number: Int64
    /// How many bytes there are.
    public let length: Int64
    private let core: StoreCore
    private let isTaken = Atomic(false)

    init(_ number: Int64, _ length: Int64, _ core: StoreCore) {
        self.number = number
        self.length = length
        self.core = core
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        let (core, number) = (core, number)
        core.writes.add { try? core.store.giveUp(content: number) }
    }

    /// It belongs to a stream now.
    func take() { isTaken.store(true, ordering: .relaxed) }
}

/// The contents that a transaction gives to streams; confined to it.
final class UsedContents {
    private var contents: [StagedContent] = []

    func add(_ content: StagedContent) { contents.append(content) }

    /// The transaction is committed.
    func settle() { for content in contents { content.take() } }
}

extension OfflineStore {
    /// Puts bytes into the store for a stream; see ``Transaction/replace(_:with:)``.
    ///
    /// - Throws: ``ODataError``: `readOnly` for a reader, `storeClosed`, `storeSuspended`, `storage`; `CancellationError`.
    public func stage(_ bytes: Data, mediaType: String? = nil) async throws -> StagedContent {
        try await stage(mediaType, nil) {
            var rest: Data? = bytes
            return {
                defer { rest = nil }
                return rest.map { Array($0) }
            }
        }
    }

    /// Puts the bytes of a file into the store for a stream, part by part: the file may be larger than memory, and may be
    /// gone when this returns.
    ///
    /// - Throws: As ``stage(_:mediaType:)``, and the error of the system for a file that cannot be read.
    public func stage(file: URL, mediaType: String? = nil) async throws -> StagedContent {
        try await stage(mediaType, file.lastPathComponent) {
            let handle = try FileHandle(forReadingFrom: file)
            return { try handle.read(upToCount: 256 << 10).map { Array($0) } }
        }
    }

    /// - Parameter open: is run on a thread of the store; gives what reads the parts, nil or none at the end.
    private func stage(
        _ mediaType: String?, _ fileName: String?,
        _ open: @escaping @Sendable () throws -> () throws -> [UInt8]?
    ) async throws -> StagedContent {
        let core = core
        return try await core.run(on: core.writes, owner: true) { task in
            let next = try open()
            var length: Int64 = 0
            let number = try core.store.storeContent(mediaType: mediaType, fileName: fileName) {
                guard !task.isCancelled else { throw CancellationError() }
                guard let part = try next(), !part.isEmpty else { return nil }
                length += Int64(part.count)
                return part
            }
            return StagedContent(number, length, core)
        }
    }
}
