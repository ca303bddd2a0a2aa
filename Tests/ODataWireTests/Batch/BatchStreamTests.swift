import ErrorFixture
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct BatchStreamTests {
    /// Hands out `bytes` in slices of the given size, counting what was asked for.
    final class Slices {
        let bytes: [UInt8]
        let size: Int
        private(set) var position = 0

        init(_ bytes: [UInt8], size: Int) {
            self.bytes = bytes
            self.size = size
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, size, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000])
    func anyDivisionOfTheBytesGivesTheSameAnswers(size: Int) throws {
        let slices = Slices(crlf(BatchReaderTests.mixed), size: size)
        let reader = try BatchResponseReader(
            contentType: "multipart/mixed; boundary=b", source: slices.read)
        var found: [String] = []
        while let answer = try reader.next() {
            let body = String(decoding: try reader.readBody(), as: UTF8.self)
            found.append("\(answer.part).\(answer.member ?? -1) \(answer.status) \(body)")
        }
        #expect(
            found == [
                "0.-1 200 {\"Id\":7}", "1.0 204 ", "1.1 201 {\"Id\":8}", "2.-1 404 ",
            ])
        #expect(reader.isComplete)
        #expect(reader.partCount == 3)
    }

    @Test(arguments: [true, false])
    func largeBodiesAreHandedOverWhileTheyArrive(counted: Bool) throws {
        let page = Array(String(repeating: "0123456789abcdef\r\n--", count: 50_000).utf8)
        var bytes: [UInt8] = []
        for _ in 0..<3 {
            bytes += crlf("--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n")
            if counted { bytes += crlf("Content-Length: \(page.count)\n") }
            bytes += crlf("\n") + page + crlf("\n")
        }
        bytes += crlf("--b--\n")
        let slices = Slices(bytes, size: 10_000)
        let reader = try BatchResponseReader(
            contentType: "multipart/mixed; boundary=b", source: slices.read)
        var buffer = [UInt8](repeating: 0, count: 4_096)
        for round in 0..<3 {
            let answer = try #require(try reader.next())
            #expect(answer.part == round)
            var content: [UInt8] = []
            while true {
                let before = slices.position
                let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
                if count == 0 { break }
                content += buffer[..<count]
                #expect(slices.position - before <= 1 << 17)
            }
            #expect(content == page)
            #expect(reader.bodyIsComplete)
        }
        #expect(try reader.next() == nil)
        #expect(reader.isComplete)
    }

    @Test func unreadBodiesAreSkipped() throws {
        let slices = Slices(crlf(BatchReaderTests.mixed), size: 11)
        let reader = try BatchResponseReader(
            contentType: "multipart/mixed; boundary=b", source: slices.read)
        var statuses: [Int] = []
        while let answer = try reader.next() { statuses.append(answer.status) }
        #expect(statuses == [200, 204, 201, 404])
    }

    @Test func aCutInsideABodyIsAnErrorAndNotAnEnd() throws {
        let text = "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\n{\"value\":[1,"
        let reader = try BatchResponseReader(
            contentType: "multipart/mixed; boundary=b", source: Slices(crlf(text), size: 9).read)
        _ = try #require(try reader.next())
        #expect(
            failure { try reader.readBody() }
                == Failure(.malformedText, "Expected a delimiter after a message, found the end."))
        #expect(!reader.bodyIsComplete)
    }

    @Test func errorsOfTheSourceComeThrough() throws {
        struct Lost: Error {}
        let reader = try BatchResponseReader(contentType: "multipart/mixed; boundary=b") { _ in
            throw Lost()
        }
        #expect(throws: Lost.self) { try reader.next() }
    }
}
