import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct EntityReadTests {
    private let reader = EntityJSONReader(Workshop.v4)

    private func tool(_ json: String) throws -> StructureValue {
        try reader.entity(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
    }

    @Test func everyPrimitiveTypeIsReadExactly() throws {
        let value = try tool(
            #"""
            {"@odata.context":"http://h/svc/$metadata#Tools/$entity","Id":-2147483648,
             "Title":"Saw \"A\"\nü","Price":12345678901234567890.120,"Stock":9007199254740993,
             "Weight":1.5e-3,"Ratio":3.25,"Lent":true,"Serial":"01234567-89AB-cdef-0123-456789abcdef",
             "Added":"2031-05-01","Changed":"2031-05-01T08:30:00.25+02:00","Opens":"08:30:00.250",
             "Span":"-P1DT2H","Icon":"-_8","Colour":"Red,Green",
             "Place":{"type":"Point","coordinates":[8.6,49.3]}}
            """#)
        #expect(value.type == Workshop.tool)
        #expect(value["Id"] == .scalar(.integer(-2_147_483_648)))
        #expect(value["Title"] == .scalar(.string("Saw \"A\"\nü")))
        #expect(value.text("Price") == "12345678901234567890.120")
        #expect(value["Stock"] == .scalar(.integer(9_007_199_254_740_993)))
        #expect(value["Weight"] == .scalar(.double(0.0015)))
        #expect(value["Ratio"] == .scalar(.double(3.25)))
        #expect(value["Lent"] == .scalar(.boolean(true)))
        #expect(value.text("Serial") == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(value.text("Added") == "2031-05-01")
        #expect(value.text("Changed") == "2031-05-01T08:30:00.25+02:00")
        #expect(value.text("Opens") == "08:30:00.25")
        #expect(value.text("Span") == "-P1DT2H")
        #expect(value["Icon"] == .scalar(.binary([0xfb, 0xff])))
        #expect(value["Colour"] == .scalar(.integer(5)))
        guard case .scalar(.geo(let place)) = value["Place"] else {
            Issue.record("Expected a point.")
            return
        }
        #expect(place.shape == .point(.init(8.6, 49.3)))
    }

    @Test func numbersMayBeStringsWhereIEEE754AsksForIt() throws {
        let value = try tool(
            #"{"Id":1.0,"Stock":"9007199254740993","Price":"2.50","Weight":"-INF","Ratio":"NaN"}"#)
        #expect(value["Id"] == .scalar(.integer(1)))
        #expect(value["Stock"] == .scalar(.integer(9_007_199_254_740_993)))
        #expect(value.text("Price") == "2.50")
        #expect(value["Weight"] == .scalar(.double(-.infinity)))
        #expect(value.text("Ratio") == "NaN")
    }

    @Test func nullIsNotUnset() throws {
        let value = try tool(#"{"Id":7,"Title":null,"Size":null,"Owner":null,"Tags":null}"#)
        #expect(value["Title"] == .null)
        #expect(value["Size"] == .null)
        #expect(value["Owner"] == .null)
        #expect(value["Tags"] == .list([]))
        #expect(value["Price"] == nil)
        #expect(value["Loans"] == nil)
    }

    @Test(arguments: ["@odata.", "@"])
    func controlInformationIsReadInBothSpellings(prefix: String) throws {
        let value = try tool(
            """
            {"Id":7,"\(prefix)type":"#Ws.PowerTool","\(prefix)id":"Tools(7)","\(prefix)etag":"W/\\"3\\"",
             "\(prefix)editLink":"e","\(prefix)readLink":"r","\(prefix)mediaReadLink":"mr",
             "\(prefix)mediaEditLink":"me","\(prefix)mediaContentType":"image/png",
             "\(prefix)mediaEtag":"\\"m\\"","\(prefix)metadataEtag":"x","Watts":5,
             "Photo\(prefix)mediaReadLink":"Tools(7)/Photo","Owner\(prefix)navigationLink":"Tools(7)/Owner",
             "Owner\(prefix)bind":"Members(3)","Loans\(prefix)count":31,"Loans":[{"Id":1}],
             "Loans\(prefix)nextLink":"Tools(7)/Loans?$skiptoken=5","#Ws.Lend":{"target":"x"},
             "@odata.unknown":{"a":[1]},"Title@odata.type":"#String"}
            """)
        #expect(value.type == Workshop.powerTool)
        #expect(value["Watts"] == .scalar(.double(5)))
        let control = value.control
        #expect(control.id == "Tools(7)")
        #expect(control.etag == "W/\"3\"")
        #expect(control.editLink == "e")
        #expect(control.readLink == "r")
        #expect(control.mediaReadLink == "mr")
        #expect(control.mediaEditLink == "me")
        #expect(control.mediaContentType == "image/png")
        #expect(control.mediaETag == "\"m\"")
        #expect(control.bindings == ["Owner": ["Members(3)"]])
        #expect(control.counts == ["Loans": 31])
        #expect(control.nextLinks == ["Loans": "Tools(7)/Loans?$skiptoken=5"])
        #expect(
            control.annotations == [
                "Photo@odata.mediaReadLink": .scalar(.string("Tools(7)/Photo")),
                "Owner@odata.navigationLink": .scalar(.string("Tools(7)/Owner")),
            ])
        #expect(value["Loans"]?.list?.count == 1)
    }

    @Test func typesMayBeNamedByURLAliasOrWithoutHash() throws {
        for name in ["Ws.PowerTool", "#Self.PowerTool", "http://h/svc/$metadata#Ws.PowerTool"] {
            #expect(try tool(#"{"@odata.type":"\#(name)"}"#).type == Workshop.powerTool)
        }
        #expect(try tool(##"{"@odata.type":"#Ws.NewerTool","Id":1}"##).type == Workshop.tool)
    }

    @Test func aTypeThatIsNotDerivedIsRefused() {
        #expect(
            failure { try tool(##"{"@odata.type":"#Ws.Member","Id":1}"##) }
                == Failure(
                    .invalidPayload, "Expected Ws.Tool or a type derived from it, found Ws.Member.")
        )
    }

    @Test func complexValuesAndCollectionsNest() throws {
        let value = try tool(
            #"{"Size":{"Height":20,"Width":1.10,"Depth":3},"Sizes":[{"Height":1},{}],"Tags":["a",""]}"#
        )
        let size = try #require(value["Size"]?.structure)
        #expect(size.type == Workshop.size)
        #expect(size.text("Width") == "1.10")
        #expect(size["Height"] == .scalar(.integer(20)))
        let sizes = try #require(value["Sizes"]?.list)
        #expect(sizes.map { $0.structure?["Height"] } == [.scalar(.integer(1)), nil])
        #expect(value["Tags"] == .list([.scalar(.string("a")), .scalar(.string(""))]))
    }

    @Test func expandedEntitiesKeepTheirControlInformation() throws {
        let value = try tool(
            ##"{"Id":7,"Owner":{"@odata.etag":"\"o\"","Name":"Mia"},"Loans":[{"Id":1,"Tool":{"@odata.type":"#Ws.PowerTool","Watts":2}}]}"##
        )
        let owner = try #require(value["Owner"]?.structure)
        #expect(owner.control.etag == "\"o\"")
        #expect(owner["Name"] == .scalar(.string("Mia")))
        let loan = try #require(value["Loans"]?.list?.first?.structure)
        #expect(loan["Tool"]?.structure?.type == Workshop.powerTool)
    }

    @Test func openTypesKeepWhatTheModelDoesNotDeclare() throws {
        let note = try reader.entity(
            Array(
                ##"{"Key":"k","Whole":5,"Exact":1.50,"Text":"t","Day@odata.type":"#Date","Day":"2031-05-01","List":[1,"a"],"Box":{"@odata.type":"#Ws.Size","Height":4},"@Ns.Term":"x","Key@Ns.Mark":true}"##
                    .utf8), of: Workshop.note)
        #expect(note.dynamicValues["Whole"] == .scalar(.integer(5)))
        #expect(note.dynamicValues["Exact"].flatMap(\.scalar).map { Lexical.text($0) } == "1.50")
        #expect(note.dynamicValues["Text"] == .scalar(.string("t")))
        guard case .scalar(.date) = note.dynamicValues["Day"] else {
            Issue.record("Expected a date.")
            return
        }
        #expect(
            note.dynamicValues["List"] == .list([.scalar(.integer(1)), .scalar(.string("a"))]))
        #expect(note.dynamicValues["Box"]?.structure?["Height"] == .scalar(.integer(4)))
        #expect(
            note.control.annotations == [
                "Ns.Term": .scalar(.string("x")), "Key@Ns.Mark": .scalar(.boolean(true)),
            ])
    }

    @Test(
        arguments: [
            (#"{"Id":"7"}"#, "Id", "Expected Edm.Int32, found a JSON string."),
            (#"{"Id":2147483648}"#, "Id", nil),
            (#"{"Id":1.5}"#, "Id", nil),
            (#"{"Title":7}"#, "Title", "Expected Edm.String, found a JSON number."),
            (#"{"Lent":"true"}"#, "Lent", nil),
            (
                #"{"Size":{"Height":true}}"#, "Size/Height",
                "Expected Edm.Int32, found a JSON Boolean."
            ),
            (#"{"Sizes":[{},{"Height":[]}]}"#, "Sizes[1]/Height", nil),
            (#"{"Tags":"a"}"#, "Tags", "Expected an array, found a JSON string."),
            (#"{"Tags":["a",1]}"#, "Tags[1]", nil),
            (#"{"Loans":[{"Tool":{"Added":"2031-13-01"}}]}"#, "Loans[0]/Tool/Added", nil),
            (#"{"Colour":"Pink"}"#, "Colour", "Expected members of Ws.Colour."),
            (#"{"Serial":"0123"}"#, "Serial", nil),
            (#"{"Place":"Point"}"#, "Place", nil),
            (#"{"Owner":[]}"#, "Owner", "Expected Ws.Member, found a JSON array."),
            (#"{"Price":{}}"#, "Price", nil),
        ] as [(String, String, String?)])
    func typeMistakesNameTheirPlace(json: String, path: String, message: String?) {
        let error = #expect(throws: ODataError.self) { try tool(json) }
        #expect(error?.location == .path(path))
        #expect(
            error.map { [.invalidPayload, .invalidValue, .unknownName].contains($0.code) } == true)
        #expect(message == nil || error?.message == message)
    }

    @Test func propertyValuesAreRead() throws {
        let string = TypeReference(.primitive(.string))
        #expect(
            try reader.property(Array(#"{"@odata.context":"c","value":"Saw"}"#.utf8), as: string)
                == .scalar(.string("Saw")))
        let colours = TypeReference(.enumeration(Workshop.colour), isCollection: true)
        #expect(
            try reader.property(Array(#"{"value":["Red",4]}"#.utf8), as: colours)
                == .list([.scalar(.integer(1)), .scalar(.integer(4))]))
        let size = TypeReference(.structure(Workshop.size))
        #expect(
            try reader.property(Array(#"{"@odata.context":"c","Height":3}"#.utf8), as: size)
                .structure?["Height"] == .scalar(.integer(3)))
        #expect(
            failure {
                try reader.property(Array(#"{"Saw":1}"#.utf8), as: string)
            } == Failure(.invalidPayload, "Expected a member named value."))
    }

    @Test func referencesAreRead() throws {
        #expect(try reader.reference(Array(#"{"@odata.id":"Members(3)"}"#.utf8)) == "Members(3)")
        #expect(try reader.reference(Array(#"{"@id":"Members(3)"}"#.utf8)) == "Members(3)")
        let page = try reader.references(
            Array(
                #"{"value":[{"@odata.id":"A(1)"},{"@id":"A(2)"}],"@odata.nextLink":"n"}"#.utf8))
        #expect(page.ids == ["A(1)", "A(2)"])
        #expect(page.nextLink == "n")
        #expect(
            failure { try reader.reference(Array("{}".utf8)) }
                == Failure(.invalidPayload, "Expected an entity reference."))
    }
}

@Suite struct RequestReadTests {
    private let reader = EntityJSONReader(Workshop.v4, isRequest: true)

    private func tool(_ json: String) throws -> StructureValue {
        try reader.entity(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
    }

    @Test func linksAndDeepInsertsAreToldApart() throws {
        let value = try tool(
            #"{"Id":1,"Owner":{"@id":"Members(3)"},"Loans@odata.bind":["Loans(1)"],"Loans":[{"Id":9}]}"#
        )
        #expect(value.control.bindings == ["Owner": ["Members(3)"], "Loans": ["Loans(1)"]])
        #expect(value["Owner"] == nil)
        #expect(value["Loans"]?.list?.count == 1)
        let references = try tool(#"{"Loans":[{"@odata.id":"Loans(1)"},{"@odata.id":"Loans(2)"}]}"#)
        #expect(references.control.bindings == ["Loans": ["Loans(1)", "Loans(2)"]])
        #expect(references["Loans"] == nil)
    }

    @Test(arguments: [
        (#"{"Id":null}"#, Failure(.invalidPayload, at: .path("Id"))),
        (#"{"Nope":1}"#, Failure(.unknownName, at: .path("Nope"))),
        (#"{"Id":1,"Id":2}"#, Failure(.malformedText, at: .offset(13))),
        (#"{"Owner@odata.bind":7}"#, Failure(.invalidPayload, at: .path("Owner@odata.bind"))),
        (##"{"@odata.type":"#Ws.Unknown"}"##, Failure(.unknownName, at: .path("Ws.Unknown"))),
    ])
    func whatAServiceMustRefuseIsRefused(json: String, refused: Failure) {
        #expect(failure { try tool(json) } == refused)
    }

    @Test func actionParametersAreTyped() throws {
        let operation = OperationDefinition(
            namespace: "Ws", name: "Lend", isAction: true, isBound: true,
            parameters: [
                .init(name: "tool", type: TypeReference(.structure(Workshop.tool))),
                .init(name: "days", type: TypeReference(.primitive(.int32))),
                .init(name: "box", type: TypeReference(.structure(Workshop.size))),
            ])
        let arguments = try reader.arguments(
            Array(#"{"days":3,"box":{"Height":1}}"#.utf8), of: operation)
        #expect(arguments["days"] == .scalar(.integer(3)))
        #expect(arguments["box"]?.structure?["Height"] == .scalar(.integer(1)))
        #expect(try reader.arguments([], of: operation).isEmpty)
        #expect(
            failure {
                try reader.arguments(Array(#"{"hours":3}"#.utf8), of: operation)
            } == Failure(.unknownName, at: .path("hours")))
    }
}
