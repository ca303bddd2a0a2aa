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
