import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct V2ReadTests {
    private let reader = EntityJSONReader(Workshop.v2)

    static let entity = #"""
        {"__metadata":{"id":"http://h/svc/Tools(7)","uri":"http://h/svc/Tools(7)e","type":"Ws.PowerTool",
          "etag":"W/\"3\"","content_type":"image/png","media_src":"m","edit_media":"em","media_etag":"\"x\""},
         "Id":7,"Title":"Saw","Price":"12.50","Stock":"9007199254740993","Weight":"1.5E+1","Ratio":2.5,
         "Added":"\/Date(1935390600123)\/","Changed":"\/Date(1935390600000+0120)\/","Opens":"PT8H30M",
         "Icon":"+/8=","Lent":true,"Serial":"01234567-89ab-cdef-0123-456789abcdef","Watts":"3",
         "Size":{"__metadata":{"type":"Ws.Size"},"Height":20},
         "Owner":{"__deferred":{"uri":"http://h/svc/Tools(7)/Owner"}},
         "Loans":{"__count":"31","results":[{"Id":1}],"__next":"n"},
         "Parts":{"__deferred":{"uri":"http://h/svc/Tools(7)/Parts"}}}
        """#

    @Test(arguments: [true, false])
    func verboseJSONIsRead(isWrapped: Bool) throws {
        let json = isWrapped ? "{\"d\":\(Self.entity)}" : Self.entity
        let value = try reader.entity(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(value.type == Workshop.powerTool)
        #expect(value.control.id == "http://h/svc/Tools(7)")
        #expect(value.control.editLink == "http://h/svc/Tools(7)e")
        #expect(value.control.etag == "W/\"3\"")
        #expect(value.control.mediaReadLink == "m")
        #expect(value.control.mediaEditLink == "em")
        #expect(value.control.mediaContentType == "image/png")
        #expect(value.control.mediaETag == "\"x\"")
        #expect(value.text("Price") == "12.50")
        #expect(value["Stock"] == .scalar(.integer(9_007_199_254_740_993)))
        #expect(value["Weight"] == .scalar(.double(15)))
        #expect(value["Ratio"] == .scalar(.double(2.5)))
        #expect(value.text("Added") == "2031-05-01T08:30:00.123")
        #expect(value.text("Changed") == "2031-05-01T08:30:00+02:00")
        #expect(value.text("Opens") == "08:30:00")
        #expect(value["Icon"] == .scalar(.binary([0xfb, 0xff])))
        #expect(value["Watts"] == .scalar(.double(3)))
        #expect(value["Size"]?.structure?["Height"] == .scalar(.integer(20)))
        #expect(value["Owner"] == nil)
        #expect(value["Parts"] == nil)
        #expect(value["Loans"]?.list?.count == 1)
        #expect(value.control.counts == ["Loans": 31])
        #expect(value.control.nextLinks == ["Loans": "n"])
        #expect(
            value.control.annotations["Owner@odata.navigationLink"]
                == .scalar(.string("http://h/svc/Tools(7)/Owner")))
    }

    @Test(arguments: [
        #"{"d":{"__count":"2","results":[{"Id":7},{"Id":8}],"__next":"n","__delta":"d"}}"#,
        #"{"d":{"results":[{"Id":7},{"Id":8}],"__count":2,"__next":{"uri":"n"},"__delta":"d"}}"#,
        #"{"__delta":"d","__next":"n","__count":"2","results":[{"Id":7},{"Id":8}]}"#,
    ])
    func pagesAreReadInTheirVariants(json: String) throws {
        let page = try reader.page(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(page.count == 2)
        #expect(page.nextLink == "n")
        #expect(page.deltaLink == "d")
        #expect(page.entities.map { $0["Id"] } == [.scalar(.integer(7)), .scalar(.integer(8))])
    }

    @Test(arguments: [#"{"d":[{"Id":7}]}"#, #"[{"Id":7}]"#])
    func theOldArrayFormIsRead(json: String) throws {
        let page = try reader.page(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(page.entities.map { $0["Id"] } == [.scalar(.integer(7))])
    }

    @Test func tombstonesAmongTheResultsAreRemovals() throws {
        let page = try reader.page(
            Array(
                #"{"d":{"results":[{"@odata.context":"$metadata#Tools/$deletedEntity","id":"http://h/svc/Tools(9)","when":"\/Date(1935390600000)\/"}],"__delta":"t"}}"#
                    .utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(
            page.items == [
                .removed(RemovedEntity(.id("http://h/svc/Tools(9)"), set: Workshop.tools))
            ])
    }

    @Test(arguments: [
        ("0", "1970-01-01T00:00:00"), ("-1", "1969-12-31T23:59:59.999"),
        ("253402300799999", "9999-12-31T23:59:59.999"),
        ("-9223372036854775808", "-292275055-05-16T16:47:04.192"),
    ])
    func ticksAreMillisecondsOfTheWallClock(ticks: String, text: String) throws {
        let value = try reader.entity(
            Array(#"{"d":{"Added":"/Date(\#(ticks))/"}}"#.utf8), of: Workshop.tool)
        #expect(value.text("Added") == text)
    }

    @Test(arguments: [
        "", "x", "9223372036854775808", "1+", "1+9999",
        "1+-9223372036854775808", "1-9223372036854775808",
    ])
    func badTicksAreErrors(ticks: String) {
        for name in ["Added", "Changed"] {
            let json = #"{"d":{"\#(name)":"/Date(\#(ticks))/"}}"#
            #expect(
                failure { try reader.entity(Array(json.utf8), of: Workshop.tool) }
                    == Failure(.invalidValue, at: .path(name)))
        }
    }

    @Test func propertiesAndFunctionResultsAreRead() throws {
        let integer = TypeReference(.primitive(.int32))
        #expect(
            try reader.property(Array(#"{"d":{"MaximalAge":56}}"#.utf8), as: integer)
                == .scalar(.integer(56)))
        let strings = TypeReference(.primitive(.string), isCollection: true)
        #expect(
            try reader.property(Array(#"{"d":{"results":["a"]}}"#.utf8), as: strings)
                == .list([.scalar(.string("a"))]))
        #expect(
            try reader.reference(Array(#"{"d":{"uri":"http://h/svc/Loans(1)"}}"#.utf8))
                == "http://h/svc/Loans(1)")
        #expect(
            try reader.references(Array(#"{"d":{"results":[{"uri":"a"},{"uri":"b"}]}}"#.utf8)).ids
                == ["a", "b"])
    }

    /// Operations put their results under their names (V2 JSON Format, "Representing the results of service operations");
    /// some services leave the name out.
    @Test(arguments: [
        ##"{"d":{"Best":{"__metadata":{"uri":"Tools(7)"},"Id":7}}}"##,
        ##"{"d":{"Best":{"Id":7}}}"##, ##"{"d":{"Id":7}}"##,
        ##"{"d":{"__metadata":{"uri":"Tools(7)"},"Id":7}}"##,
    ])
    func anEntityMayStandUnderTheNameOfAnOperation(json: String) throws {
        let value = try reader.entity(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(value["Id"] == .scalar(.integer(7)))
    }

    @Test(arguments: [##"{"d":{"Best":null}}"##, ##"{"d":null}"##])
    func nullIsNoEntity(json: String) throws {
        #expect(try reader.optionalEntity(Array(json.utf8), of: Workshop.tool) == nil)
    }

    @Test(arguments: [
        ##"{"d":{"All":{"results":[{"Id":7},{"Id":8}]}}}"##,
        ##"{"d":{"All":[{"Id":7},{"Id":8}]}}"##,
        ##"{"d":{"__count":"2","results":[{"Id":7},{"Id":8}]}}"##, ##"{"d":[{"Id":7},{"Id":8}]}"##,
    ])
    func aCollectionMayStandUnderTheNameOfAnOperation(json: String) throws {
        let page = try reader.page(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
        #expect(page.entities.map { $0["Id"] } == [.scalar(.integer(7)), .scalar(.integer(8))])
    }

    @Test(arguments: [
        ##"{"d":{"Resize":{"Height":5}}}"##, ##"{"d":{"Height":5}}"##,
        ##"{"d":{"Size":{"__metadata":{"type":"Ws.Size"},"Height":5}}}"##,
    ])
    func aComplexValueMayStandWithoutAName(json: String) throws {
        let size = try #require(Workshop.v2[Workshop.tool].slot(named: "Size"))
        let type = Workshop.v2[Workshop.tool].properties[size].type
        let value = try reader.property(Array(json.utf8), as: type)
        #expect(value.structure?["Height"] == .scalar(.integer(5)))
    }
}
