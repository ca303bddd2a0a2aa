/// AES-256-GCM under one key. Any thread may call it.
protocol PageKey: Sendable {
    /// Fills `sealed`, as long as `plain`, and the 16 bytes of `tag`.
    ///
    /// - Parameter nonce: 12 bytes that were never used with the key.
    func seal(
        _ plain: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer
    ) -> Bool

    /// Fills `plain`, as long as `sealed`.
    ///
    /// - Returns: false when the bytes are not those that were sealed; `plain` may hold anything then.
    func open(
        _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
        associated: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool
}
