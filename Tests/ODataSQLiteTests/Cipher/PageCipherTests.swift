import Dispatch
import ODataSQLite
import Testing

/// The page cipher by itself.
@Suite struct PageCipherTests {
    private struct Sealed: Equatable {
        var bytes: [UInt8]
        var trailer: [UInt8]
        var selector: [UInt8] { Array(trailer[28...]) }
    }

    private func cipher(writesPerKey: UInt64 = 1 << 31) -> AESGCMPageCipher {
        AESGCMPageCipher(
            dataKey: SecretKey([UInt8](repeating: 7, count: 32)),
            storeID: [UInt8](repeating: 9, count: 16), writesPerKey: writesPerKey)
    }

    private func seal(
        _ plain: [UInt8], _ place: SealedPlace, _ cipher: AESGCMPageCipher
    ) -> Sealed {
        var sealed = Sealed(
            bytes: [UInt8](repeating: 0, count: plain.count),
            trailer: [UInt8](repeating: 0, count: 32))
        let done = plain.withUnsafeBytes { plain in
            sealed.bytes.withUnsafeMutableBytes { bytes in
                sealed.trailer.withUnsafeMutableBytes {
                    cipher.seal(plain, at: place, into: bytes, trailer: $0)
                }
            }
        }
        #expect(done)
        return sealed
    }

    private func open(
        _ sealed: Sealed, _ place: SealedPlace, _ cipher: AESGCMPageCipher
    ) -> [UInt8]? {
        var plain = [UInt8](repeating: 0, count: sealed.bytes.count)
        let done = plain.withUnsafeMutableBytes { plain in
            sealed.bytes.withUnsafeBytes { bytes in
                sealed.trailer.withUnsafeBytes {
                    cipher.open(bytes, trailer: $0, at: place, into: plain)
                }
            }
        }
        return done ? plain : nil
    }

    private let plain = (0..<4064).map { UInt8(truncatingIfNeeded: $0) }
    private let place = SealedPlace(role: 1, page: 5)

    @Test func whatIsSealedOpensAtItsPlaceOnly() {
        let cipher = cipher()
        let sealed = seal(plain, place, cipher)
        #expect(open(sealed, place, cipher) == plain)
        for other in [
            SealedPlace(role: 2, page: 5), SealedPlace(role: 1, page: 6),
            SealedPlace(role: 1, page: 5, offset: 4096),
        ] {
            #expect(open(sealed, other, cipher) == nil)
        }
        // Another opening of the store knows the same keys.
        #expect(open(sealed, place, self.cipher()) == plain)
    }

    @Test func nothingIsSealedAsWell() {
        let empty = seal([], place, cipher())
        #expect(open(empty, place, cipher()) == [])
    }

    @Test func severalThreadsSealAndOpenAtOnce() {
        let (cipher, plain, place) = (cipher(), plain, place)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                var mine = plain
                mine[0] = UInt8(thread)
                mine[1] = UInt8(truncatingIfNeeded: round)
                #expect(open(seal(mine, place, cipher), place, cipher) == mine)
            }
        }
    }

    @Test func nonceAfterNonceIsNew() {
        let cipher = cipher()
        let nonces = (0..<1_000).map { _ in Array(seal([1], place, cipher).trailer[..<12]) }
        #expect(Set(nonces).count == 1_000)
    }

    @Test func eachByteCounts() {
        let cipher = cipher()
        let sealed = seal(plain, place, cipher)
        for index in [0, 1, 2000, 4063] {
            var changed = sealed
            changed.bytes[index] ^= 0x80
            #expect(open(changed, place, cipher) == nil)
        }
        for index in 0..<32 {
            var changed = sealed
            changed.trailer[index] ^= 1
            #expect(open(changed, place, cipher) == nil)
        }
    }

    @Test func equalPagesLookDifferent() {
        let cipher = cipher()
        let (first, second) = (seal(plain, place, cipher), seal(plain, place, cipher))
        #expect(first.bytes != second.bytes && first.trailer != second.trailer)
    }

    @Test func aKeyIsRenewedBeforeItsLimitAndOldPagesStillOpen() {
        let cipher = cipher(writesPerKey: 3)
        let sealed = (0..<9).map { _ in seal(plain, place, cipher) }
        let selectors = sealed.map(\.selector)
        #expect(Set(selectors).count == 3)
        #expect(selectors[0] == selectors[2] && selectors[2] != selectors[3])
        #expect(sealed.allSatisfy { open($0, place, cipher) == plain })
        #expect(AESGCMPageCipher.writesPerKey < 1 << 32)
    }
}
