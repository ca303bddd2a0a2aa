import ODataText
import Testing

/// Objects that may be taken over as they are: to read one and to write it again has to give the same bytes.
@Suite struct CompactJSONTests {
    private static let written = [
        "{}", #"{"a":1}"#,
        #"{"@odata.etag":"W/\"12\"","Name":"Hauptstraße \\ 7","Price":-12.50e+3}"#,
        #"{"a":null,"b":true,"c":false,"d":0,"e":"","f":"/"}"#,
    ]

    @Test(arguments: written) func whatTheWriterWroteIsTakenOver(text: String) throws {
        #expect(CompactJSON.isObject(Array(text.utf8)))
        #expect(try JSONValue(parsing: text, duplicates: .keepLast).text == text)
    }

    @Test(arguments: [
        "", "{", "[]", "1", #"{"a":1} "#, #" {"a":1}"#, #"{"a" :1}"#, #"{"a": 1}"#, #"{"a":1,}"#,
        #"{"a":1,"a":2}"#, #"{"a":{}}"#, #"{"a":[]}"#, #"{"a":"\u0041"}"#, #"{"a":"\/"}"#,
        #"{"a\"":1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":1e}"#, #"{"a":+1}"#,
        #"{"a":nul}"#, #"{"a":"x}"#, #"{"a":"\n"}"#, "{\"a\":\"\n\"}", #"{"a":1}}"#, #"{"a"}"#,
    ]) func everythingElseIsNot(text: String) {
        #expect(!CompactJSON.isObject(Array(text.utf8)))
    }

    @Test func brokenTextIsNot() {
        #expect(!CompactJSON.isObject(Array(#"{"a":""#.utf8) + [0xC3] + Array(#""}"#.utf8)))
    }

    @Test func noBytesAreTakenOverThatWouldComeOutOtherwise() throws {
        let marks = Array("\"\\{}[]:,.-+0e1tn \n\u{0}a/".utf8) + [0xC3, 0xBC, 0xFF]
        var taken = 0
        for text in Self.written {
            let bytes = Array(text.utf8)
            for position in bytes.indices {
                for mark in marks {
                    for isInserted in [false, true] {
                        var other = bytes
                        if isInserted {
                            other.insert(mark, at: position)
                        } else {
                            other[position] = mark
                        }
                        guard CompactJSON.isObject(other) else { continue }
                        taken += 1
                        let value = try JSONValue(parsing: other, duplicates: .keepLast)
                        #expect(value.bytes == other)
                    }
                }
            }
        }
        #expect(taken > 100)
    }
}
