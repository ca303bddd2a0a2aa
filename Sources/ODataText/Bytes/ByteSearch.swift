import CODataScan

/// Looks at bytes where they stand.
@usableFromInline
package enum ByteSearch {
    /// How many bytes stand in front of the first `byte`; nil where there is none.
    @inlinable
    package static func distance(
        to byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        let distance = odata_find_byte(start, bytes.count, byte)
        return distance < bytes.count ? distance : nil
    }

    /// Whether both hold the same bytes.
    @inlinable
    package static func areEqual(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        guard let left = left.baseAddress, let start = right.baseAddress else { return true }
        return odata_same_bytes(left, start, right.count)
    }
}
