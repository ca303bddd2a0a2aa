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

    /// Fills twelve bytes: a nonce of AES-GCM.
    static func fillNonce(_ target: UnsafeMutableRawBufferPointer) {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next()
        let low = UInt32(truncatingIfNeeded: generator.next())
        target.storeBytes(of: high, toByteOffset: 0, as: UInt64.self)
        target.storeBytes(of: low, toByteOffset: 8, as: UInt32.self)
    }

    /// Any number but zero.
    static func selector() -> UInt32 {
        var generator = SystemRandomNumberGenerator()
        return UInt32.random(in: 1...UInt32.max, using: &generator)
    }
}
