import ErrorFixture
import ODataText
import ODataWire
import Testing

/// Pages that are not in the standard JSON of V4: V2 pages and compact rows give the same rows.
@Suite struct OtherRowFormsTests {
    private static let v2 = #"""
        {"d":{"__count":"2","results":[
         {"__metadata":{"id":"http://h/svc/Tools(7)","uri":"Tools(7)","type":"Ws.Tool","etag":"W/\"3\""},
          "Id":7,"Title":"Saw","Price":"12.50","Size":{"__metadata":{"type":"Ws.Size"},"W":1,"H":2},
          "Owner":{"__deferred":{"uri":"http://h/svc/Tools(7)/Owner"}},
          "Loans":{"results":[{"Id":1}],"__next":"more"}},
         {"Id":8,"Owner":{"Name":"Mia"},"Loans":{"__deferred":{"uri":"x"}}},
         {"@odata.context":"$metadata#Tools/$deletedEntity","id":"http://h/svc/Tools(9)"}],
         "__next":"http://h/svc/Tools?$skiptoken=8"}}
        """#

    @Test func v2PagesAreReadAsRows() throws {
        let (lines, control) = try RowReaderTests.read(Self.v2)
        #expect(
            lines == [
                #"0=7 1='Saw' 2='12.50' 4= 5=1 6=2 @id='http://h/svc/Tools(7)' @etag='W/"3"' @type='Ws.Tool' @editLink='Tools(7)' nav1.value=[{"Id":1}] nav1.nextLink='more'"#,
                #"0=8 nav0.value={"Name":"Mia"}"#,
                "removed @context='$metadata#Tools/$deletedEntity' http://h/svc/Tools(9)/changed",
            ])
        #expect(control.count == 2)
        #expect(control.nextLink == "http://h/svc/Tools?$skiptoken=8")
    }

    @Test func everyPartSizeOfAV2PageGivesTheSameRows() throws {
        let expected = try RowReaderTests.read(Self.v2)
        for size in 1...48 {
            let found = try RowReaderTests.read(Self.v2, partSize: size)
            #expect(found.lines == expected.lines && found.control == expected.control)
        }
    }

    @Test(arguments: [
        (#"{"d":[{"Id":7}]}"#, nil, nil),
        (#"{"d":{"results":[{"Id":7}],"__delta":"D"}}"#, nil, "D"),
        (#"{"results":[{"Id":7}],"__next":{"uri":"N"}}"#, "N", nil),
        (#"{"d":{"__next":"N","__delta":"D","results":[{"Id":7}]}}"#, "N", "D"),
    ])
    func theSpellingsOfV2AreRead(page: String, next: String?, delta: String?) throws {
        let (lines, control) = try RowReaderTests.read(page)
        #expect(lines == ["0=7"])
        #expect(control.nextLink == next && control.deltaLink == delta)
    }

    @Test(arguments: [
        (#"{"d":{}}"#, Failure(.invalidPayload, at: .offset(8))),
        (#"{"d":{"results":7}}"#, Failure(.malformedText, at: .offset(16))),
        (#"{"d":{"results":[],"results":[]}}"#, Failure(.invalidPayload, at: .offset(29))),
        (#"{"d":7}"#, Failure(.malformedText, at: .offset(5))),
        (#"{"columns":["Id"],"rows":[[1,2]]}"#, Failure(.invalidPayload, at: .offset(29))),
        (#"{"columns":["Id","Title"],"rows":[[1]]}"#, Failure(.invalidPayload, at: .offset(37))),
        (#"{"rows":[[1]]}"#, Failure(.invalidPayload, at: .offset(14))),
        (
            #"{"columns":["@removed","Id"],"rows":[[{},1]]}"#,
            Failure(.invalidPayload, at: .offset(37))
        ),
        (#"{"columns":["Id"],"rows":{}}"#, Failure(.malformedText, at: .offset(25))),
    ])
    func otherPagesAreRefused(page: String, refused: Failure) {
        #expect(failure { try RowReaderTests.read(page) } == refused)
    }

    @Test func theNextLinkOfAV2PageIsFoundFromItsEnd() {
        let tail = { (text: String) in
            Array(text.utf8).withUnsafeBytes { PageTail.nextLink(in: $0) }
        }
        #expect(tail(Self.v2) == "http://h/svc/Tools?$skiptoken=8")
        #expect(tail(#"{"d":{"results":[{"Loans":{"results":[],"__next":"X"}}]}}"#) == nil)
    }

    // MARK: - Compact rows

    private static let standard = #"""
        {"@odata.context":"c","@odata.count":3,"value":[
         {"@odata.etag":"W/\"1\"","Id":1,"Title":"Saw","Size":{"W":1,"H":2},"Loans":[]},
         {"@odata.etag":"W/\"2\"","Id":2,"Title":null,"Size":null,"Loans":[{"Id":3}]},
         {"Id":9,"@odata.removed":{"reason":"deleted"}}],"@odata.nextLink":"N"}
        """#

    @Test func compactRowsAreWrittenWithTheirNamesOnce() throws {
        let bytes = try #require(try CompactRows.encode(Array(Self.standard.utf8)))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"@odata.context":"c","@odata.count":3,"columns":["@odata.etag","Id","Title","Size","Loans"],"rows":[["W/\"1\"",1,"Saw",{"W":1,"H":2},[]],["W/\"2\"",2,null,null,[{"Id":3}]],{"Id":9,"@odata.removed":{"reason":"deleted"}}],"@odata.nextLink":"N"}"#
        )
    }

    @Test func removalsInFrontLendNoColumns() throws {
        let delta =
            ##"{"value":[{"@odata.context":"#T/$deletedEntity","id":"T(1)"},{"Id":2,"@odata.removed":{}},{"Id":3},{"Id":4}]}"##
        let bytes = try #require(try CompactRows.encode(Array(delta.utf8)))
        let compact = String(decoding: bytes, as: UTF8.self)
        #expect(
            compact
                == ##"{"columns":["Id"],"rows":[{"@odata.context":"#T/$deletedEntity","id":"T(1)"},{"Id":2,"@odata.removed":{}},[3],[4]]}"##
        )
        #expect(try RowReaderTests.read(compact).lines == RowReaderTests.read(delta).lines)
        let removals = #"{"value":[{"Id":2,"@odata.removed":{}}]}"#
        #expect(try CompactRows.encode(Array(removals.utf8)) == nil)
    }

    @Test func compactRowsAreReadAsTheStandardPageIs() throws {
        let bytes = try #require(try CompactRows.encode(Array(Self.standard.utf8)))
        let compact = String(decoding: bytes, as: UTF8.self)
        let expected = try RowReaderTests.read(Self.standard)
        for size in [1, 2, 3, 7, 16, compact.utf8.count] {
            let found = try RowReaderTests.read(compact, partSize: size)
            #expect(found.lines == expected.lines)
            #expect(found.control == expected.control)
        }
        let tail = bytes.withUnsafeBytes { PageTail.nextLink(in: $0) }
        #expect(tail == "N")
    }

    @Test(arguments: [#"{"value":[]}"#, "[]", #"{"error":{}}"#, #"{"value":[1]}"#, #"{"value":7}"#])
    func whatIsNoPageOfRowsStaysAsItIs(text: String) throws {
        #expect(try CompactRows.encode(Array(text.utf8)) == nil)
    }

    @Test func mutatedPagesNeverTrap() throws {
        let compact = try #require(try CompactRows.encode(Array(Self.standard.utf8)))
        let seeds = [Array(Self.v2.utf8), compact]
        var random = SeededGenerator(seed: 33)
        let words = [
            "[", "]", "{", "}", "null", "\"columns\":", "\"d\":", "\"results\":", ",", "1e9", "\\",
        ]
        .map { Array($0.utf8) }
        for round in 0..<4_000 {
            var bytes = seeds[round % 2]
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 0...8, using: &random), bytes.count - index)
                bytes.replaceSubrange(
                    index..<index + length,
                    with: words[Int.random(in: 0..<words.count, using: &random)])
            }
            var reader = RowReader(shape: RowReaderTests.tools)
            var rows = WrittenRows()
            _ = try? reader.readPage(bytes, into: &rows)
            _ = bytes.withUnsafeBytes { PageTail.nextLink(in: $0) }
            _ = try? CompactRows.encode(bytes)
        }
    }
}
