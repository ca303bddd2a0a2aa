import ErrorFixture
import ODataText
import ODataWire
import Testing

/// Writes down what it is handed, one line for each row.
struct WrittenRows: RowSink {
    var lines: [String] = []

    mutating func receive(_ row: IncomingRow) throws {
        var parts: [String] = []
        if row.kind != .entity { parts.append("\(row.kind)") }
        for (slot, field) in row.fields.enumerated() where field.kind != .missing {
            parts.append("\(slot)=\(Self.text(field, row))")
        }
        for control in RowControl.allCases where row[control].kind != .missing {
            parts.append("@\(control)=\(Self.text(row[control], row))")
        }
        for navigation in row.navigations {
            parts.append(
                "nav\(navigation.index).\(navigation.part)=\(Self.text(navigation.field, row))")
        }
        for extra in row.extras {
            parts.append("+\(row.text(extra.name))=\(Self.text(extra.field, row))")
        }
        if row.kind == .removed {
            let removal = try row.removal()
            parts.append("\(removal.id ?? "key")/\(removal.reason)")
        }
        lines.append(parts.joined(separator: " "))
    }

    private static func text(_ field: RowField, _ row: IncomingRow) -> String {
        field.kind == .string ? "'\(row.text(field.span))'" : row.text(field) ?? "null"
    }
}

@Suite struct RowReaderTests {
    static let tools = RowShape(
        path: "Tools",
        columns: ["Id", "Title", "Price", "Open", "Size", "Size/W", "Size/H", "Tags"],
        navigations: ["Owner", "Loans"])

    static func read(
        _ text: String, shape: RowShape = tools, partSize: Int? = nil
    ) throws -> (lines: [String], control: PageControl) {
        var reader = RowReader(shape: shape)
        var rows = WrittenRows()
        let bytes = Array(text.utf8)
        let size = partSize ?? max(bytes.count, 1)
        let parts = stride(from: 0, to: bytes.count, by: size)
            .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        var page = RowPage(source: ByteParts(parts))
        #expect(try reader.read(&page, into: &rows))
        return (rows.lines, page.control)
    }

    static let page = """
        {"@odata.context":"http://h/svc/$metadata#Tools","@odata.count":3,"value":[
         {"@odata.etag":"W/\\"3\\"","Id":7,"Title":"Saw \\u00e9\\n","Price":10.50,"Open":true,"Size":{"W":1,"H":2},
          "Tags":["a", "b"],"Unknown":{"x":[1]},"Title@odata.type":"#String"},
         {"Title":null,"Id" : -8, "Open":false,"Size":null,"Owner":{"Name":"Mia"},"Loans":[],
          "Loans@odata.nextLink":"Tools(8)/Loans?$skiptoken=5"},
         {}],"@odata.nextLink":"Tools?$skiptoken=8"}
        """
    static let pageLines = [
        "0=7 1='Saw é\n' 2=10.50 3=true 4= 5=1 6=2 7=[\"a\", \"b\"] @etag='W/\"3\"'",
        "0=-8 1=null 3=false 4=null 5=null 6=null nav0.value={\"Name\":\"Mia\"} nav1.value=[] "
            + "nav1.nextLink='Tools(8)/Loans?$skiptoken=5'",
        "",
    ]

    @Test func aPageGivesItsRowsAndItsControlInformation() throws {
        let (lines, control) = try Self.read(Self.page)
        #expect(lines == Self.pageLines)
        #expect(control.context == "http://h/svc/$metadata#Tools")
        #expect(control.count == 3)
        #expect(control.rows == 3)
        #expect(control.nextLink == "Tools?$skiptoken=8")
        #expect(control.deltaLink == nil)
    }

    @Test func everyPartSizeGivesTheSameRows() throws {
        let expected = try Self.read(Self.page)
        for size in 1...64 {
            let (lines, control) = try Self.read(Self.page, partSize: size)
            #expect(lines == expected.lines)
            #expect(control == expected.control)
        }
    }

    @Test func membersMayComeInAnyOrderAndAnyRowDifferently() throws {
        let text = """
            {"value":[{"Id":1,"Title":"a","Price":2},{"Price":3,"Id":2,"Title":"b"},{"Title":"c","Id":3},
            {"\\u0049d":4,"Title":"d"},{"Id":5,"Title":"e","Price":6}]}
            """
        #expect(
            try Self.read(text).lines == [
                "0=1 1='a' 2=2", "0=2 1='b' 2=3", "0=3 1='c'", "0=4 1='d'", "0=5 1='e' 2=6",
            ])
    }

    @Test func shortControlNamesOfVersion401AreReadToo() throws {
        let text = """
            {"@context":"$metadata#Tools","@count":"9","value":[{"@id":"Tools(1)","@etag":"x","@type":"#Ws.PowerTool"}],
            "@deltaLink":"Tools?$deltatoken=1"}
            """
        let (lines, control) = try Self.read(text)
        #expect(lines == ["@id='Tools(1)' @etag='x' @type='#Ws.PowerTool'"])
        #expect(control.count == 9)
        #expect(control.deltaLink == "Tools?$deltatoken=1")
    }

    @Test func theFlatDeltaFormTellsItsEntriesApart() throws {
        let text = """
            {"@odata.context":"http://h/svc/$metadata#Tools/$delta","value":[
             {"@odata.id":"Tools(7)","Id":7,"Title":"Saw, repaired"},
             {"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(9)","reason":"deleted"},
             {"@odata.context":"#Tools/$deletedEntity","@odata.id":"Tools(10)"},
             {"@odata.context":"$metadata#Tools(Id,Title)/$entity","Id":8},
             {"@odata.context":"$metadata#Loans/$entity","@odata.id":"Loans(4)","Open":false},
             {"@odata.context":"$metadata#Tools/$deletedLink","source":"Tools(7)","relationship":"Loans"},
             {"@odata.context":"$metadata#Tools/$link","source":"Tools(7)","relationship":"Loans"}],
             "@odata.deltaLink":"Tools?$deltatoken=51"}
            """
        let lines = try Self.read(text).lines
        #expect(lines[0] == "0=7 1='Saw, repaired' @id='Tools(7)'")
        #expect(lines[1].hasPrefix("removed ") && lines[1].hasSuffix("Tools(9)/deleted"))
        #expect(lines[2].hasSuffix("Tools(10)/changed"))
        #expect(lines[3].hasPrefix("0=8"))
        #expect(lines[4].hasPrefix("foreign(path: \"Loans\")"))
        #expect(lines[5].hasPrefix("deletedLink"))
        #expect(lines[6].hasPrefix("link"))
    }

    @Test func removalsFromOtherSetsBelongToThem() throws {
        let text = ##"""
            {"value":[{"@context":"#Loans/$entity","@removed":{"reason":"deleted"},"Id":7},
             {"@context":"$metadata#Loans(Id)/$deletedEntity","@removed":{},"Id":7},
             {"@odata.context":"#Loans/$deletedEntity","id":"Loans(7)"},
             {"@context":"#Tools/Ws.PowerTool/$deletedEntity","@removed":{},"Id":7},
             {"@context":"#Box.Tools/$entity","@removed":{},"Id":7},
             {"@context":"#%54ools/$deletedEntity","@removed":{},"Id":7}]}
            """##
        let lines = try Self.read(text).lines
        #expect(lines.prefix(3).allSatisfy { $0.hasPrefix("foreign(path: \"Loans\")") })
        #expect(lines.suffix(3).allSatisfy { $0.hasPrefix("removed 0=7") })
    }

    @Test func theNestedDeltaFormNamesRemovalsByIdOrKey() throws {
        let text = """
            {"@context":"http://h/svc/$metadata#Tools/$delta","value":[
             {"Id":7,"Loans@delta":[{"@removed":{"reason":"changed"},"@id":"Loans(2)"}]},
             {"@removed":{"reason":"deleted"},"Id":9},
             {"@odata.removed":{},"@id":"Tools(11)"}],"@deltaLink":"Tools?$deltatoken=51"}
            """
        let lines = try Self.read(text).lines
        #expect(lines[0].hasPrefix("0=7 nav1.delta=[{"))
        #expect(lines[1].hasPrefix("removed 0=9") && lines[1].hasSuffix("key/deleted"))
        #expect(lines[2].hasSuffix("Tools(11)/changed"))
    }

    @Test func dynamicPropertiesReachTheSinkOfAnOpenType() throws {
        let shape = RowShape(path: "Open", columns: ["Id"], keepsUnknown: true)
        let text =
            ##"{"value":[{"Id":1,"Colour":"red","n":1.5,"Colour@odata.type":"#String"},{"Id":2,"\u0041":null}]}"##
        #expect(
            try Self.read(text, shape: shape).lines == [
                "0=1 +Colour='red' +n=1.5 +Colour@odata.type='#String'", "0=2 +A=null",
            ])
    }

    @Test func nestedRowsAndSingletonsAreReadByTheSameReader() throws {
        let shape = RowShape(path: "Loans", columns: ["Id"])
        var reader = RowReader(shape: shape)
        var rows = WrittenRows()
        for text in [#"[{"Id":1},{"Id":2}]"#, #"{"Id":3}"#, "null"] {
            try Array(text.utf8).withUnsafeBytes { try reader.readNested($0, into: &rows) }
        }
        let singleton = #"{"@odata.context":"$metadata#Me","Id":4}"#
        try reader.readEntity(from: ByteParts([Array(singleton.utf8)]), into: &rows)
        #expect(rows.lines == ["0=1", "0=2", "0=3", "0=4 @context='$metadata#Me'"])
    }

    @Test(
        arguments: [
            ("", .malformedText, 0),
            ("[]", .malformedText, 0),
            ("{}", .invalidPayload, 2),
            (#"{"value":{}}"#, .malformedText, 9),
            (#"{"value":[1]}"#, .malformedText, 10),
            (#"{"value":[{"Id":1]}"#, .malformedText, 17),
            (#"{"value":[{"Id":1}],"value":[]}"#, .invalidPayload, 28),
            (#"{"value":[{"Id":1,"Id":2}]}"#, .invalidPayload, 23),
            (#"{"value":[{"Size":5}]}"#, .invalidPayload, 18),
            (#"{"value":[{"Id":01}]}"#, .malformedText, 16),
            (#"{"value":[{"Id":1}]"#, .malformedText, 19),
            (#"{"value":[]} x"#, .malformedText, 13),
            (#"{"value":[{"Title":"\ud800"}]}"#, .malformedText, 30),
            (#"{"error":{"code":"x"}}"#, .service, 9),
            (#"{"value":[],"@odata.nextLink":5}"#, .malformedText, 30),
        ] as [(String, ODataError.Code, Int)])
    func aPageThatIsNoneIsRefused(text: String, code: ODataError.Code, offset: Int) {
        #expect(failure { try Self.read(text) } == Failure(code, at: .offset(offset)))
    }

    @Test func aSinkThatIsFullIsGivenTheRestLater() throws {
        struct Pairs: RowSink {
            var rows = WrittenRows()
            var isFull: Bool { rows.lines.count % 2 == 0 }
            mutating func receive(_ row: IncomingRow) throws { try rows.receive(row) }
        }
        let objects = (1...5).map { "{\"Id\":\($0)}" }.joined(separator: ",")
        var page = RowPage(Array("{\"value\":[\(objects)],\"@odata.nextLink\":\"N\"}".utf8))
        var reader = RowReader(shape: Self.tools)
        var sink = Pairs()
        var counts: [Int] = []
        while try !reader.read(&page, into: &sink) { counts.append(sink.rows.lines.count) }
        #expect(counts == [2, 4])
        #expect(sink.rows.lines == ["0=1", "0=2", "0=3", "0=4", "0=5"])
        #expect(page.control.nextLink == "N")
        #expect(try reader.read(&page, into: &sink))
    }

    @Test func anErrorOfTheSinkEndsThePage() {
        struct Failing: RowSink {
            mutating func receive(_ row: IncomingRow) throws {
                throw ODataError(.storage, "Expected room, found none.")
            }
        }
        var sink = Failing()
        var reader = RowReader(shape: Self.tools)
        let error = #expect(throws: ODataError.self) {
            try reader.readPage(Array(Self.page.utf8), into: &sink)
        }
        #expect(error?.message == "Expected room, found none.")
        #expect(error?.code == .storage)
    }

    @Test func mutatedPagesNeverTrap() {
        let bytes = Array(Self.page.utf8)
        var generator = SeededGenerator(seed: 42)
        func next(_ bound: Int) -> Int { generator.below(bound) }
        let interesting = Array("\"\\{}[]:,01e.u@".utf8) + [0, 0x80, 0xff]
        for _ in 0..<3000 {
            var changed = bytes
            for _ in 0...next(3) { changed[next(changed.count)] = interesting[next(17)] }
            var rows = WrittenRows()
            var reader = RowReader(shape: Self.tools)
            let control = try? reader.readPage(changed, into: &rows)
            if let control { #expect(control.rows == rows.lines.count) }
        }
    }

    @Test func moreNamesThanCanBeLearnedAreStillRead() throws {
        let members = (0..<2000).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
        let text = "{\"value\":[{\(members),\"Id\":1},{\(members),\"Id\":2}]}"
        #expect(try Self.read(text).lines == ["0=1", "0=2"])
    }
}
