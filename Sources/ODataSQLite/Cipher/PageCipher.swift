/// Where sealed bytes belong: they open nowhere else.
package struct SealedPlace: Sendable, Hashable {
    /// What the file is to SQLite, as `CODataVFS` numbers it.
    package var role: UInt8
    /// The page, or the number of a temporary file.
    package var page: UInt32
    /// The frame's offset in the log, or the block of a journal.
    package var offset: Int64

    package init(role: UInt8, page: UInt32, offset: Int64 = 0) {
        self.role = role
        self.page = page
        self.offset = offset
    }
}

/// Seals pages in place: as many bytes as before, and a trailer of 32.
package protocol PageCipher: Sendable {
    /// Fills `sealed`, as long as `plain`, and `trailer`.
    ///
    /// - Returns: false when it cannot; nothing may be written then.
    func seal(
        _ plain: UnsafeRawBufferPointer, at place: SealedPlace,
        into sealed: UnsafeMutableRawBufferPointer, trailer: UnsafeMutableRawBufferPointer
    ) -> Bool

    /// Fills `plain`, as long as `sealed`.
    ///
    /// - Returns: false when the bytes are not those that were sealed for this place.
    func open(
        _ sealed: UnsafeRawBufferPointer, trailer: UnsafeRawBufferPointer, at place: SealedPlace,
        into plain: UnsafeMutableRawBufferPointer
    ) -> Bool
}
