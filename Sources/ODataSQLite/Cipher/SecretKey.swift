/// The bytes of a key, wiped when nobody holds them any more.
///
/// What a `StoreKey` or the app holds of it is theirs to wipe.
package final class SecretKey: @unchecked Sendable {
    // Written by the initialisers only.
    private let memory: UnsafeMutableRawBufferPointer

    package init(_ bytes: some Collection<UInt8>) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
    }

    /// A key of so many bytes that `fill` writes.
    init(byteCount: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        memory = .allocate(byteCount: byteCount, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(memory)
    }

    deinit {
        for index in memory.indices { memory[index] = 0 }
        memory.deallocate()
    }

    /// 256 bits that nobody can predict.
    static func random() -> SecretKey {
        SecretKey(byteCount: StoreKey.byteCount) {
            $0.copyBytes(from: SecureRandom.bytes($0.count))
        }
    }

    var byteCount: Int { memory.count }

    func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }
}
