import ODataText
import Testing

/// Meaning must not depend on where the parts of the input end.
@Suite struct JSONChunkTests {
    static let documents = [
        "{\"@odata.context\":\"$metadata#Orders\",\"value\":[{\"ID\":1,\"Name\":\"a\\\"b\",\"Note\":null},{\"ID\":-2.50e+3,"
            + "\"Name\":\"\\ud83d\\ude00 é € 😀\",\"Open\":true,\"Shut\":false}],\"@odata.nextLink\":\"x?$skiptoken=1\"}",
        "\u{feff}  [ 0 , -1 , 10.25 , 1e5 , \"\" , [ [ ] ] , { } , null , true , false ]  ",
        "12345.678", "\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\"", "null", " true", "-0.0e-0",
    ]

    @Test(arguments: documents)
    func everySplitIntoTwoPartsReadsAlike(text: String) throws {
        let bytes = Array(text.utf8)
        let expected = try JSONValue(parsing: bytes)
        for split in 0...bytes.count {
            let parts = [Array(bytes[..<split]), Array(bytes[split...])]
            var reader = JSONReader(source: ByteParts(parts), bufferSize: 16)
            #expect(try reader.readValue() == expected, "split at \(split)")
            try reader.finish()
        }
    }

    @Test(arguments: documents, [1, 2, 3, 5, 7, 16])
    func partsOfOneSizeReadAlike(text: String, size: Int) throws {
        let bytes = Array(text.utf8)
        let parts = stride(from: 0, to: bytes.count, by: size)
            .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        var reader = JSONReader(source: ByteParts(parts), bufferSize: 16)
        #expect(try reader.readValue() == JSONValue(parsing: bytes))
        try reader.finish()
    }

    @Test(arguments: documents)
    func everyTruncationThrowsOrIsAShorterNumber(text: String) {
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            var whole = JSONReader(Array(bytes[..<count]))
            let fromBytes = try? whole.readValue()
            var parts = JSONReader(source: ByteParts([Array(bytes[..<count])]), bufferSize: 16)
            #expect((try? parts.readValue()) == fromBytes)
        }
    }

    @Test func heldBytesStayReadableOverRefills() throws {
        let text =
            #"[{"a":"first","b":"second, which is longer than the buffer"},{"a":"3","b":"4"}]"#
        let parts = text.utf8.map { [$0] }
        var reader = JSONReader(source: ByteParts(parts), bufferSize: 16)
        var seen: [[String]] = []
        try reader.beginArray()
        while try reader.nextElement() {
            try reader.hold()
            try reader.beginObject()
            var spans: [JSONSpan] = []
            while try reader.nextMember() != nil { spans.append(try reader.stringSpan()) }
            seen.append(spans.map { reader.text($0) })
            reader.release()
        }
        #expect(seen == [["first", "second, which is longer than the buffer"], ["3", "4"]])
    }

    @Test func predictedKeysMatchOverPartBoundaries() throws {
        let text = #"{"Alpha":1, "Beta":2,"Gamma" :3}"#
        for split in 0...text.utf8.count {
            let bytes = Array(text.utf8)
            var reader = JSONReader(
                source: ByteParts([Array(bytes[..<split]), Array(bytes[split...])]), bufferSize: 16)
            try reader.beginObject()
            var matched: [Bool] = []
            for key in ["\"Alpha\":", "\"Beta\":", "\"Gamma\":"] {
                guard try reader.advance(closing: UInt8(ascii: "}"), "an end") else { break }
                let utf8 = Array(key.utf8)
                let isMatch = try utf8.withUnsafeBufferPointer { bytes in
                    try bytes.baseAddress.map { try reader.matchKey($0, count: bytes.count) }
                        ?? false
                }
                matched.append(isMatch)
                if !isMatch { _ = try reader.memberName() }
                try reader.skipValue()
            }
            #expect(matched == [true, true, false])
        }
    }

    @Test func rawValuesAreTheBytesAsWritten() throws {
        let text = #"{"a" : [1, {"b":"\u0041"}] ,"c":12.50}"#
        for size in [1, 3, 64] {
            let bytes = Array(text.utf8)
            let parts = stride(from: 0, to: bytes.count, by: size)
                .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            var reader = JSONReader(source: ByteParts(parts), bufferSize: 16)
            try reader.beginObject()
            #expect(try reader.nextName() == "a")
            #expect(try reader.rawValue() == Array(#"[1, {"b":"\u0041"}]"#.utf8))
            #expect(try reader.nextName() == "c")
            #expect(try reader.rawValue() == Array("12.50".utf8))
            #expect(try reader.nextName() == nil)
        }
    }

    @Test func aSourceErrorReachesTheCaller() {
        final class Broken: ByteSource {
            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                throw ODataError(.network, "Expected more, found a reset.")
            }
        }
        var reader = JSONReader(source: Broken())
        let error = #expect(throws: ODataError.self) { try reader.readValue() }
        #expect(error?.message == "Expected more, found a reset.")
        #expect(error?.code == .network)
    }
}
