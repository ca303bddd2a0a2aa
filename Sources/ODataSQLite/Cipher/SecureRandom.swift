import Foundation
import Synchronization

/// Bytes that nobody can predict, from the system. Keys and nonces are never simulated, so no `World` gives them.
enum SecureRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Bytes for nonces, drawn many at a time; each is given out once.
    private struct Nonces {
        var bytes: [UInt8] = []
        var position = 0
        /// A process that was forked off must not give out what its parent does.
        var process: Int32 = 0
    }

    private static let nonces = Mutex(Nonces())

    /// Fills twelve bytes: a nonce of AES-GCM.
    static func fillNonce(_ target: UnsafeMutableRawBufferPointer) {
        nonces.withLock { nonces in
            if nonces.position + target.count > nonces.bytes.count || nonces.process != getpid() {
                nonces = Nonces(bytes: bytes(64 * 12), process: getpid())
            }
            let range = nonces.position..<nonces.position + target.count
            target.copyBytes(from: nonces.bytes[range])
            nonces.position = range.upperBound
        }
    }

    /// Any number but zero.
    static func selector() -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return UInt32.random(in: 1...UInt32.max, using: &generator)
    }
}
