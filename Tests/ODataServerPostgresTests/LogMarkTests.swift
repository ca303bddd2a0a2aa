import ODataText
import Testing

@testable import ODataServerPostgres

@Suite struct LogMarkTests {
    private func snapshot(_ text: String) throws -> TransactionSnapshot {
        try #require(TransactionSnapshot(text))
    }

    @Test(arguments: [
        "10:10:", "10:20:10,14,19", "1:9223372036854775807:9223372036854775806", "3:4:3",
    ])
    func aSnapshotComesBackFromItsToken(_ text: String) throws {
        let mark = LogMark(log: "ab12", snapshot: try snapshot(text))
        #expect(try LogMark(parsing: mark.text) == mark)
        #expect(mark.snapshot.text == text)
    }

    @Test func numbersAreDistances() throws {
        let mark = LogMark(log: "ab12", snapshot: try snapshot("1000000:1000040:1000000,1000036"))
        #expect(mark.text == "ab12.lfls.14.0.10")
    }

    @Test(arguments: [
        "", "x", "x.1", "x.1.", "x.0.1", "x.+1.1", "x.-1.1", "x.5.1.1", "x.5.9.1.0",
        "x.zzzzzzzzzzzzz.1", "x.1.zzzzzzzzzzzzzz", "x.1.1y2p0ij32e8e7", "x.5.9.1.zzzzzzzzzzzz",
        "x.5.9. 1", "x.5.9.1\u{0}", "x.1" + String(repeating: ".1", count: 5_000),
    ])
    func whatNoTokenSaysIsRefused(_ text: String) {
        let error = #expect(throws: ODataError.self) { try LogMark(parsing: text) }
        #expect(error?.status == 400)
    }

    @Test(arguments: ["", "1:2", "0:1:", "2:1:", "1:5:5", "1:5:3,3", "1:5:4,3", "1:x:", "1:5:a"])
    func whatIsNoSnapshotIsNone(_ text: String) {
        #expect(TransactionSnapshot(text) == nil)
    }

    @Test func ofVeryManyTransactionsSomeAreTakenForLater() throws {
        let running = (0..<3_000).map { String(10 + $0 * 2) }.joined(separator: ",")
        let mark = LogMark(log: "l", snapshot: try snapshot("10:9000:" + running))
        #expect(mark.snapshot.running.count == LogMark.maximumRunning)
        #expect(mark.snapshot.xmax == 10 + 2 * UInt64(LogMark.maximumRunning))
        #expect(try LogMark(parsing: mark.text) == mark)
        #expect(mark.text.utf8.count < 4_000)
    }
}
