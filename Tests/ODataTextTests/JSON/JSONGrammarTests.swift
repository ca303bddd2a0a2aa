import ErrorFixture
import ODataText
import Testing

@Suite struct JSONGrammarTests {
    static let accepted: [(String, String)] = [
        ("null", "null"), (" true ", "true"), ("false\n", "false"), ("[]", "[]"), ("{}", "{}"),
        ("\u{feff}[1]", "[1]"), ("[ 1 , 2 ]", "[1,2]"), ("-0", "-0"), ("0", "0"),
        ("10.50", "10.50"),
        ("1e5", "1e5"), ("1E+5", "1E+5"), ("-1.25e-7", "-1.25e-7"),
        ("123456789012345678901234567890.10", "123456789012345678901234567890.10"),
        (#"{"a":{"b":[null,{"c":"d"}]}}"#, #"{"a":{"b":[null,{"c":"d"}]}}"#),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\\"\\\\/\\b\\f\\n\\r\\t\""),
        (#""\u0041\u00e9\u20ac""#, "\"Aé€\""), (#""\ud83d\ude00""#, "\"😀\""),
        (#""😀 é""#, "\"😀 é\""),
        (#""\u0000""#, #""\u0000""#), ("\"\u{7f}\"", "\"\u{7f}\""), (#"{"":0}"#, #"{"":0}"#),
        (#"{"\u0061":1}"#, #"{"a":1}"#),
        ("\"0123456789abcdef0123456789abcdef\"", "\"0123456789abcdef0123456789abcdef\""),
    ]

    @Test(arguments: accepted)
    func acceptedTextIsReadWithItsMeaning(text: String, canonical: String) throws {
        #expect(try JSONValue(parsing: text).text == canonical)
    }

    static let refused: [(String, Int)] = [
        ("", 0),
        (" ", 1),
        ("nul", 0),
        ("nullx", 4),
        ("tru", 0),
        ("True", 0),
        ("[", 1),
        ("]", 0),
        ("{", 1),
        ("}", 0),
        ("[1", 2),
        ("[1,", 3),
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1 2]", 3),
        ("{\"a\"", 4),
        ("{\"a\":", 5),
        ("{\"a\":1", 6),
        ("{\"a\":1,", 7),
        ("{\"a\":1,}", 7),
        ("{,}", 1),
        ("{a:1}", 1),
        ("{'a':1}", 1),
        ("{\"a\" 1}", 5),
        ("{1:1}", 1),
        ("{\"a\"::1}", 5),
        ("[1}", 2),
        ("{\"a\":1]", 6),
        ("01", 0),
        ("-", 0),
        ("+1", 0),
        (".5", 0),
        ("1.", 0),
        ("1.e5", 0),
        ("1e", 0),
        ("1e+", 0),
        ("0x10", 1),
        ("--1", 0),
        ("1.2.3", 3),
        ("NaN", 0),
        ("Infinity", 0),
        ("\"", 1),
        ("\"a", 2),
        ("\"\\\"", 3),
        ("\"\\x\"", 1),
        ("\"\\u12\"", 6),
        ("\"\\u12g4\"", 1),
        ("\"\\ud800\"", 8),
        ("\"\\udc00\"", 1),
        ("\"\\ud800\\u0041\"", 1),
        ("\"\\ud800x\"", 9),
        ("\"a\nb\"", 2),
        ("\"a\tb\"", 2),
        ("\"\u{1}\"", 1),
        ("1 1", 2),
        ("[] []", 3),
        ("// c\n1", 0),
        ("[1]x", 3),
        ("\u{c}1", 0),
        ("\u{a0}1", 0),
        ("{\"a\":1,\"a\":2}", 11),
    ]

    @Test(arguments: refused)
    func refusedTextThrowsMalformedText(text: String, offset: Int) {
        #expect(
            failure { try JSONValue(parsing: text) }
                == Failure(.malformedText, at: .offset(offset)))
    }

    static let badUTF8: [[UInt8]] = [
        [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xc3], [0xc3, 0x28], [0xe0, 0x80, 0x80], [0xe2, 0x82],
        [0xed, 0xa0, 0x80], [0xef, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80],
        [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe],
    ]

    @Test(arguments: badUTF8)
    func invalidUTF8IsRefusedWhereverItStands(bytes: [UInt8]) {
        for padding in [0, 1, 7, 8, 15, 16, 17, 40] {
            let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
            #expect(
                failure { try JSONValue(parsing: text) } == Failure(.malformedText, at: .offset(1)))
        }
    }

    @Test func stringsEndAtEveryDistanceFromABlock() throws {
        for count in 0..<70 {
            let plain = String(repeating: "x", count: count)
            for tail in ["", "\\n", "é", "\\u00e9", "😀"] {
                let value = try JSONValue(parsing: "[\"\(plain)\(tail)\",1]")
                let meaning = tail == "\\n" ? "\n" : tail == "\\u00e9" ? "é" : tail
                #expect(value == .array([.string(plain + meaning), .number("1")]))
            }
        }
    }

    /// Names and numbers are looked at 16 bytes at a time where so many are there.
    @Test func namesAndNumbersOfEveryLengthReadAlikeHoweverMuchFollows() throws {
        for length in 0...34 {
            for rest in 0...20 {
                let tail = String(repeating: " ", count: rest)
                let name = String(repeating: "n", count: length)
                let number = "-1" + String(repeating: "7", count: length)
                let fraction = "0." + String(repeating: "4", count: length + 1)
                let text = #"{"\#(name)":\#(number),"\#(name)ä":\#(fraction),"\#(name)\u0041":1}"#
                let object = try JSONValue(parsing: text + tail).object
                #expect(object?.members.map(\.name) == [name, name + "ä", name + "A"])
                #expect(object?.members.map(\.value.number) == [number, fraction, "1"])
                for wrong in ["0\(number.dropFirst(2))5", "\(fraction).", "\(number)e", "--1"] {
                    // A number that is none is met at its start, a second point behind one that is.
                    let offset = wrong == "\(fraction)." ? fraction.count + 1 : 1
                    #expect(
                        failure { try JSONValue(parsing: "[\(wrong)]\(tail)") }
                            == Failure(.malformedText, at: .offset(offset)))
                }
                for (wrong, offset) in [
                    (#"{"\#(name)"1}"#, length + 3), (#"{"\#(name)\#u{1}":1}"#, length + 2),
                    (#"{,"\#(name)":1}"#, 1),
                ] {
                    #expect(
                        failure { try JSONValue(parsing: wrong + tail) }
                            == Failure(.malformedText, at: .offset(offset)))
                }
            }
        }
    }

    @Test func errorsNameTheByteOffset() {
        let error = #expect(throws: ODataError.self) { try JSONValue(parsing: "[1, x]") }
        #expect(error?.code == .malformedText)
        #expect(error?.location == .offset(4))
        let control = #expect(throws: ODataError.self) { try JSONValue(parsing: "[\"ab\u{1}\"]") }
        #expect(control?.code == .malformedText)
        #expect(control?.location == .offset(4))
    }

    @Test func depthIsBounded() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try JSONValue(parsing: nested(128)).array?.count == 1)
        let error = #expect(throws: ODataError.self) { try JSONValue(parsing: nested(129)) }
        #expect(error?.location == .offset(129))
        #expect(error?.code == .limitExceeded)
        var reader = JSONReader(text: String(repeating: "{\"a\":[", count: 100_000))
        #expect(failure { try reader.skipValue() } == Failure(.limitExceeded, at: .offset(385)))
    }

    @Test func numbersAndTokensAreBounded() {
        let digits = String(repeating: "1", count: 5000)
        #expect(
            failure {
                var reader = JSONReader(source: ByteParts([Array(digits.utf8)]), bufferSize: 64)
                _ = try reader.numberSpan()
            } == Failure(.limitExceeded, at: .offset(0)))
        let limits = JSONLimits(tokenBytes: 1024)
        let long = Array(("\"" + String(repeating: "a", count: 2000) + "\"").utf8)
        let error = #expect(throws: ODataError.self) {
            var reader = JSONReader(source: ByteParts([long]), bufferSize: 64, limits: limits)
            _ = try reader.readString()
        }
        #expect(error?.location == .offset(0))
        #expect(error?.code == .limitExceeded)
    }

    @Test func duplicatesFollowThePolicy() throws {
        let text = #"{"a":1,"b":2,"a":3}"#
        #expect(try JSONValue(parsing: text, duplicates: .keepFirst).text == #"{"a":1,"b":2}"#)
        #expect(try JSONValue(parsing: text, duplicates: .keepLast).text == #"{"a":3,"b":2}"#)
    }
}
