import Foundation
import ODataModel
import ODataText

/// A stream of bytes.
open class ByteStream: StreamBase, @unchecked Sendable {
    // Confined as its base class says.
    private final var source: (() throws -> [UInt8]?)?
    private final var onClose: (() throws -> Void)?
    private final var restart: (() throws -> Void)?
    private final var isWhole = true
    private final var buffer: [UInt8] = []
    private final var offset = 0
    /// How many bytes the content has, where that is known in advance.
    package final private(set) var knownLength: Int64?

    /// Creates a stream without content.
    public override init() { super.init() }

    /// A stream that pulls its content: each call of `source` gives the next bytes, nil at the end. After `restart`
    /// the source begins again at the first byte.
    package convenience init(
        length: Int64? = nil, source: @escaping () throws -> [UInt8]?,
        onClose: (() throws -> Void)? = nil, restart: (() throws -> Void)? = nil
    ) {
        self.init()
        self.source = source
        self.onClose = onClose
        self.restart = restart
        isWhole = false
        knownLength = length
    }

    /// A stream of bytes in memory; `offset` and `length` are cut to what there is.
    open class func fromBinary(data: Data, offset: Int = 0, length: Int? = nil) -> ByteStream {
        let rest = data.dropFirst(Swift.max(0, offset))
        let part = length.map { rest.prefix(Swift.max(0, $0)) } ?? rest
        let stream = ByteStream()
        stream.buffer = [UInt8](part)
        stream.knownLength = Int64(part.count)
        return stream
    }

    /// A stream of bytes in memory.
    package static func fromBytes(_ bytes: [UInt8]) -> ByteStream {
        let stream = ByteStream()
        stream.buffer = bytes
        stream.knownLength = Int64(bytes.count)
        return stream
    }

    /// The bytes of a file, which is read piece by piece.
    ///
    /// - Throws: what the system says where the file cannot be read.
    open class func fromFile(_ path: String) throws -> ByteStream {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let length = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        let stream = ByteStream(
            length: Int64(length),
            source: {
                guard let part = try handle.read(upToCount: partSize), !part.isEmpty else {
                    return nil
                }
                return [UInt8](part)
            }, onClose: { try handle.close() }, restart: { try handle.seek(toOffset: 0) })
        stream.fileName = URL(fileURLWithPath: path).lastPathComponent
        return stream
    }

    private static let partSize = 256 << 10

    /// Whether ``rewind()`` can go back to the first byte.
    package final var canRewind: Bool { isWhole || restart != nil }

    /// Goes back to the first byte; false where the stream is read once.
    package final func rewind() throws -> Bool {
        guard canRewind else { return false }
        try restart?()
        if !isWhole { buffer = [] }
        offset = 0
        return true
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.byteStream }

    /// The next bytes, at most `limit`; nil at the end.
    ///
    /// - Throws: What the source of the content says: `DataNetworkError` for one that comes from a
    ///   service, the system's error for a file.
    open func readBinary(_ limit: Int) throws -> Data? {
        try read(limit).map { Data($0) }
    }

    /// The next bytes, at most `limit`; nil at the end. Never empty.
    package final func read(_ limit: Int) throws -> [UInt8]? {
        while offset == buffer.count {
            guard let next = try source?() else { return nil }
            (buffer, offset) = (next, 0)
        }
        let end = offset + Swift.min(Swift.max(1, limit), buffer.count - offset)
        defer { offset = end }
        return Array(buffer[offset..<end])
    }

    /// Everything up to the end; the stream is closed, also when reading fails.
    ///
    /// - Throws: What the source of the content says: `DataNetworkError` for one that comes from a
    ///   service, the system's error for a file.
    open func readAndClose() throws -> Data {
        defer { try? close() }
        var result = Data()
        while let part = try read(262_144) { result.append(contentsOf: part) }
        return result
    }

    /// Gives up what the stream holds; closing twice does nothing more.
    open override func close() throws {
        let action = onClose
        (source, onClose, restart, buffer, offset) = (nil, nil, nil, [], 0)
        try action?()
    }
}
