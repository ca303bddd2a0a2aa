import ErrorFixture
import Foundation
import GRDB
import ODataSQLite
import ODataText
import Testing

/// Keys that fit, keys that do not, and their change.
@Suite struct KeyTests {
    @Test func aKeyThatDoesNotFitIsNamedAndChangesNothing() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let before = try fixture.everything()
        #expect(try fixture.failure(SealedFixture.otherKey) as? StoreKeyError == .wrongKey)
        #expect(try fixture.failure("open sesame") as? StoreKeyError == .wrongKey)
        #expect(try fixture.failure(nil) as? StoreKeyError == .missingKey)
        #expect(try fixture.failure("") as? StoreKeyError == .unusableKey)
        #expect(try fixture.everything() == before)
        #expect(try fixture.failure() == nil)
    }

    @Test func aKeyForAFileInClearIsNamedAndChangesNothing() throws {
        let fixture = try SealedFixture()
        let queue = try fixture.storeFile(nil).queue()
        try SealedFixture.fill(queue, rows: 3)
        try queue.close()
        let before = try fixture.everything()
        #expect(try fixture.failure() as? StoreKeyError == .notEncrypted)
        #expect(try fixture.everything() == before)
        #expect(try fixture.failure(nil) == nil)
    }

    @Test func aPassphraseOpensAsItWasGiven() throws {
        let fixture = try SealedFixture()
        func open(_ text: String) throws -> (any Error)? {
            var key = try StoreKey(text)
            key.passphraseCost = 10
            let file = try StoreFile(path: fixture.path, key: key)
            do {
                let queue = try file.queue()
                try queue.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS t (text)") }
                return nil
            } catch {
                return file.takeFailure()?.underlying ?? error
            }
        }
        #expect(try open("Grüße 🔑") == nil)
        #expect(try open("Grüße 🔑 ") as? StoreKeyError == .wrongKey)
        #expect(try open("grüße 🔑") as? StoreKeyError == .wrongKey)
        #expect(try open("Grüße 🔑") == nil)
    }

    @Test func hexadecimalDigitsAreTheBytesThatTheySpell() throws {
        let text = "00112233445566778899aAbBcCdDeEfF00112233445566778899aabbccddeeff"
        let bytes: [UInt8] = (0..<32).map { UInt8(($0 % 16) * 17) }
        #expect(try StoreKey(text) == StoreKey(bytes: bytes))
        #expect(try StoreKey(text.lowercased()) == StoreKey(text))
        #expect("\(try StoreKey("hush"))".contains("hush") == false)
        var dumped = ""
        dump(try StoreKey("hush"), to: &dumped)
        #expect(!dumped.contains("hush") && !dumped.contains("104"))
        #expect(
            failure { try StoreKey(bytes: []) } == Failure(.storage, at: .path("encryptionKey")))
        #expect(
            failure { try StoreKey(String(repeating: "x", count: 1025)) }
                == Failure(.storage, at: .path("encryptionKey")))
    }

    @Test func aChangedKeyOpensAtOnceAndTheOldOneNoLonger() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let file = try fixture.storeFile()
        let queue = try file.queue()
        let pages = try fixture.bytes().dropFirst(8192)
        try queue.inTransaction(.immediate) { database in
            try file.replaceKey(with: try StoreKey(SealedFixture.otherKey), database)
            return .commit
        }
        #expect(try fixture.bytes().dropFirst(8192) == pages)
        // Who has it open goes on.
        #expect(try SealedFixture.count(queue) == 50)
        try SealedFixture.fill(queue, rows: 1)
        try queue.close()
        #expect(try fixture.failure() as? StoreKeyError == .wrongKey)
        #expect(try fixture.failure(SealedFixture.otherKey) == nil)
    }

    @Test(arguments: 1...5) func aChangeThatFailsHalfWayLeavesOneKeyThatOpens(step: Int) throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let watch = WrittenBytes()
        let file = try fixture.storeFile(watch: watch)
        let queue = try file.queue()
        _ = try SealedFixture.count(queue)
        watch.fail(from: step)
        let isChanged: Bool
        do {
            try queue.inTransaction(.immediate) { database in
                try file.replaceKey(with: try StoreKey(SealedFixture.otherKey), database)
                return .commit
            }
            isChanged = true
        } catch {
            isChanged = false
        }
        #expect(isChanged == (step == 5))
        // The write of the first slot is what counts.
        let (old, new) = (
            try fixture.failure() == nil, try fixture.failure(SealedFixture.otherKey) == nil
        )
        #expect(new == (step > 1) && old == !new)
    }

    @Test func aHeaderSlotThatIsTornIsMadeUpForByTheOther() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let whole = try fixture.bytes()
        for start in [0, 4096] {
            var torn = whole
            for index in start..<start + 2048 { torn[index] = 0 }
            try fixture.write(torn)
            #expect(try fixture.failure() == nil)
        }
        var both = whole
        both[100] ^= 1
        both[4196] ^= 1
        try fixture.write(both)
        #expect(try fixture.failure() as? StoreDamage == .header)
        try fixture.write(Array(whole[..<3000]))
        #expect(try fixture.failure() as? StoreDamage == .header)
        try fixture.write(Array("Something else altogether".utf8))
        #expect(try fixture.failure() as? StoreDamage == .foreign)
    }
}
