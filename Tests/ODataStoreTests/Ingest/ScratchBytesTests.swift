import Testing

@testable import ODataStore

@Suite struct ScratchBytesTests {
    private static func write(
        _ byte: UInt8, _ count: Int, to scratch: inout ScratchBytes
    ) -> UnsafeRawBufferPointer {
        scratch.room(count).update(repeating: byte, count: count)
        return scratch.take(count)
    }

    /// A row that is looked for by a long key and then written takes its room twice.
    @Test func whatTheRoomIsTooSmallForLiesElsewhere() throws {
        var scratch = ScratchBytes(capacity: 16)
        scratch.reset(12)
        let first = Self.write(1, 12, to: &scratch)
        let second = Self.write(2, 12, to: &scratch)
        let third = Self.write(3, 100, to: &scratch)
        #expect(Array(first) == Array(repeating: 1, count: 12))
        #expect(Array(second) == Array(repeating: 2, count: 12))
        #expect(Array(third) == Array(repeating: 3, count: 100))
        let distance = try #require(second.baseAddress) - #require(first.baseAddress)
        #expect(distance < 0 || distance >= 16)
    }

    @Test func aRoomIsUsedAnew() {
        var scratch = ScratchBytes(capacity: 16)
        scratch.reset(8)
        let first = Self.write(1, 8, to: &scratch)
        scratch.reset(8)
        let second = Self.write(2, 8, to: &scratch)
        #expect(first.baseAddress == second.baseAddress)
    }
}
