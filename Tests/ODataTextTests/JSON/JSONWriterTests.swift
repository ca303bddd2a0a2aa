import ODataText
import Testing

@Suite struct JSONWriterTests {
    @Test func commasAndColonsComeByThemselves() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("a")
        writer.integer(.min)
        writer.name("b")
        writer.beginArray()
        writer.boolean(true)
        writer.null()
        writer.beginArray()
        writer.endArray()
        writer.beginObject()
        writer.endObject()
        writer.raw(Array("{\"x\":1}".utf8))
        writer.endArray()
        writer.name("c")
        writer.number("10.50")
        writer.endObject()
        #expect(
            writer.text
                == #"{"a":-9223372036854775808,"b":[true,null,[],{},{"x":1}],"c":10.50}"#)
    }

    @Test func controlCharactersAndQuotesAreEscaped() {
        var writer = JSONWriter()
        writer.string("\"\\/\u{0}\u{1f}\u{7f}\n\té😀")
        #expect(writer.text == "\"\\\"\\\\/\\u0000\\u001f\u{7f}\\n\\té😀\"")
    }

    @Test func escapesStandWhereverARunOfBytesEnds() throws {
        for length in 0..<70 {
            for place in 0..<length {
                var bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
                bytes[place] = [UInt8(ascii: "\""), 0x1f, UInt8(ascii: "\\"), 0x7f][place % 4]
                let text = String(decoding: bytes, as: UTF8.self)
                var writer = JSONWriter()
                writer.string(text)
                #expect(try JSONValue(parsing: writer.bytes) == .string(text))
                var direct = JSONWriter()
                bytes.withUnsafeBufferPointer { direct.string(utf8: $0) }
                #expect(direct.bytes == writer.bytes)
            }
        }
    }

    @Test func bytesThatAreNoUTF8AreReplaced() {
        var writer = JSONWriter()
        writer.beginArray()
        for bytes: [UInt8] in [[0x41, 0xff, 0x42], [], [0xc3], Array("é".utf8)] {
            bytes.withUnsafeBufferPointer { writer.string(utf8: $0) }
        }
        writer.endArray()
        #expect(writer.text == "[\"A\u{fffd}B\",\"\",\"\u{fffd}\",\"é\"]")
    }

    @Test(arguments: [0, 7, -7, 10, 99, -100, 1_234_567_890_123, .max, .min] as [Int64])
    func integersAreWrittenInFull(value: Int64) {
        var writer = JSONWriter()
        writer.integer(value)
        #expect(writer.text == "\(value)")
    }

    @Test func fragmentsTakeTheirCommas() {
        var writer = JSONWriter()
        writer.beginObject()
        for number in 1...3 as ClosedRange<Int64> {
            writer.fragment(Array("\"n\":".utf8), expectsValue: true)
            writer.integer(number)
        }
        writer.fragment(Array("\"m\":0".utf8), expectsValue: false)
        writer.name("o")
        writer.null()
        writer.endObject()
        #expect(writer.text == #"{"n":1,"n":2,"n":3,"m":0,"o":null}"#)
    }

    @Test func objectsKeepOrderWhenMembersChange() {
        var object = JSONObject([
            .init(name: "a", value: .null), .init(name: "b", value: .boolean(true)),
            .init(name: "c", value: .number("1")),
        ])
        object["b"] = nil
        object["a"] = .string("x")
        object["d"] = .array([])
        #expect(JSONValue.object(object).text == #"{"a":"x","c":1,"d":[]}"#)
        #expect(object["c"] == .number("1"))
    }
}
