import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

/// A value with some slots set.
private func make(_ type: StructureID, _ values: [String: ODataValue]) -> StructureValue {
    var value = StructureValue(type: type, in: Workshop.v4)
    for (name, content) in values {
        value.slots[Workshop.slot(name, of: type)] = content
    }
    return value
}

private func scalar(_ text: String, _ type: PrimitiveType) throws -> ODataValue {
    .scalar(try Lexical.parse(text, as: type))
}

@Suite struct EntityWriteTests {
    private let writer = EntityJSONWriter(Workshop.v4, dialect: .v4)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func sample() throws -> StructureValue {
        var value = make(
            Workshop.powerTool,
            [
                "Id": .scalar(.integer(7)), "Title": .scalar(.string("Saw \"A\"")),
                "Price": try scalar("12.50", .decimal),
                "Stock": .scalar(.integer(9_007_199_254_740_993)),
                "Weight": .scalar(.double(.infinity)), "Lent": .scalar(.boolean(false)),
                "Added": try scalar("2031-05-01", .date),
                "Changed": try scalar("2031-05-01T08:30:00Z", .dateTimeOffset),
                "Icon": .scalar(.binary([0xfb, 0xff])), "Colour": .scalar(.integer(5)),
                "Size": .structure(make(Workshop.size, ["Height": .null])),
                "Tags": .list([.scalar(.string("a"))]), "Owner": .null,
                "Loans": .list([.structure(make(Workshop.loan, ["Id": .scalar(.integer(1))]))]),
                "Watts": .scalar(.double(5)),
            ])
        value.control.id = "Tools(7)"
        value.control.etag = "W/\"3\""
        value.control.counts = ["Loans": 31]
        value.control.nextLinks = ["Loans": "n"]
        return value
    }

    @Test func aResponseCarriesMinimalMetadata() throws {
        let bytes = writer.entity(
            try sample(), declared: Workshop.tool, context: "$metadata#Tools/$entity")
        #expect(
            text(bytes)
                == ##"{"@odata.context":"$metadata#Tools/$entity","@odata.type":"#Ws.PowerTool","##
                + #""@odata.id":"Tools(7)","@odata.etag":"W/\"3\"","Id":7,"Title":"Saw \"A\"","#
                + #""Price":12.50,"Stock":9007199254740993,"Weight":"INF","Lent":false,"#
                + #""Added":"2031-05-01","Changed":"2031-05-01T08:30:00Z","Icon":"-_8=","#
                + #""Colour":"Red,Green","Size":{"Height":null},"Tags":["a"],"Owner":null,"#
                + #""Loans@odata.count":31,"Loans":[{"Id":1}],"Loans@odata.nextLink":"n","Watts":5.0}"#
        )
    }

    @Test func version401DropsThePrefixAndStringsHoldLongNumbersOnRequest() throws {
        let writer = EntityJSONWriter(Workshop.v4, dialect: .v401, isIEEE754Compatible: true)
        var value = make(
            Workshop.tool,
            [
                "Stock": .scalar(.integer(5)), "Price": try scalar("1.0", .decimal),
                "Id": .scalar(.integer(1)),
            ])
        value.control.etag = "e"
        #expect(
            text(writer.entity(value, declared: Workshop.tool, context: "c"))
                == #"{"@context":"c","@etag":"e","Id":1,"Price":"1.0","Stock":"5"}"#)
    }

    @Test func metadataNoneLeavesControlInformationOut() throws {
        let writer = EntityJSONWriter(Workshop.v4, dialect: .v4, metadata: .none)
        var value = make(Workshop.powerTool, ["Id": .scalar(.integer(1))])
        value.control.etag = "e"
        let page = EntityPage(
            items: [.entity(value, Workshop.tools)], context: "c", count: 4, nextLink: "n")
        #expect(
            text(try writer.page(page, of: Workshop.tool, in: Workshop.tools))
                == #"{"@odata.count":4,"value":[{"Id":1}],"@odata.nextLink":"n"}"#)
    }

    @Test func valuesOfPropertiesAreWrapped() throws {
        let string = TypeReference(.primitive(.string))
        #expect(
            text(writer.property(.scalar(.string("x")), named: "Title", as: string, context: "c"))
                == #"{"@odata.context":"c","value":"x"}"#)
        let size = TypeReference(.structure(Workshop.size))
        #expect(
            text(
                writer.property(
                    .structure(make(Workshop.size, ["Height": .scalar(.integer(2))])),
                    named: "Size", as: size)) == #"{"Height":2}"#)
        #expect(
            text(
                EntityJSONWriter(Workshop.v2, dialect: .v2).property(
                    .scalar(.integer(5)), named: "Stock", as: TypeReference(.primitive(.int64))))
                == #"{"d":{"Stock":"5"}}"#)
    }

    @Test func dynamicPropertiesStateTheirType() throws {
        var note = make(Workshop.note, ["Key": .scalar(.string("k"))])
        note.dynamicValues = [
            "A": .scalar(.integer(1)), "B": try scalar("1.50", .decimal),
            "C": try scalar("2031-05-01", .date), "D": .scalar(.string("s")),
            "E": .structure(make(Workshop.size, ["Height": .scalar(.integer(2))])),
        ]
        #expect(
            text(writer.entity(note, declared: Workshop.note))
                == ##"{"Key":"k","A":1,"B@odata.type":"#Decimal","B":1.50,"C@odata.type":"#Date","##
                + ##""C":"2031-05-01","D":"s","E":{"@odata.type":"#Ws.Size","Height":2}}"##)
    }

    @Test func v2ResponsesAreVerbose() throws {
        let writer = EntityJSONWriter(Workshop.v2, dialect: .v2)
        var value = make(
            Workshop.tool,
            [
                "Id": .scalar(.integer(7)), "Price": try scalar("12.50", .decimal),
                "Stock": .scalar(.integer(5)), "Weight": .scalar(.double(1.5)),
                "Added": try scalar("2031-05-01T08:30:00.123", .dateTime),
                "Changed": try scalar("2031-05-01T08:30:00+02:00", .dateTimeOffset),
                "Opens": try scalar("PT8H30M", .time), "Icon": .scalar(.binary([0xfb, 0xff])),
                "Loans": .list([.structure(make(Workshop.loan, ["Id": .scalar(.integer(1))]))]),
            ])
        value.control.id = "http://h/svc/Tools(7)"
        value.control.etag = "W/\"3\""
        let page = EntityPage(
            items: [
                .entity(value, Workshop.tools),
                .removed(RemovedEntity(.id("Tools(9)"), set: Workshop.tools)),
            ], count: 2, nextLink: "n", deltaLink: "d")
        #expect(
            text(try writer.page(page, of: Workshop.tool, in: Workshop.tools))
                == #"{"d":{"__count":"2","results":[{"__metadata":{"id":"http://h/svc/Tools(7)","#
                + #""uri":"http://h/svc/Tools(7)","type":"Ws.Tool","etag":"W/\"3\""},"Id":7,"#
                + #""Price":"12.50","Stock":"5","Weight":"1.5","Added":"\/Date(1935390600123)\/","#
                + #""Changed":"\/Date(1935390600000+0120)\/","Opens":"PT8H30M","Icon":"+/8=","#
                + #""Owner":{"__deferred":{"uri":"http://h/svc/Tools(7)/Owner"}},"#
                + #""Loans":{"results":[{"__metadata":{"type":"Ws.Loan"},"Id":1}]},"#
                + #""Parts":{"__deferred":{"uri":"http://h/svc/Tools(7)/Parts"}}},"#
                + #"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(9)"}],"#
                + #""__next":"n","__delta":"d"}}"#)
    }

    @Test func referencesAreWritten() {
        #expect(text(writer.reference("Members(3)")) == #"{"@odata.id":"Members(3)"}"#)
        #expect(
            text(EntityJSONWriter(Workshop.v2, dialect: .v2).reference("Members(3)"))
                == #"{"uri":"Members(3)"}"#)
        #expect(
            text(writer.references(["A(1)"], context: "$metadata#Collection($ref)", nextLink: "n"))
                == ##"{"@odata.context":"$metadata#Collection($ref)","value":[{"@odata.id":"A(1)"}],"##
                + #""@odata.nextLink":"n"}"#)
    }
}

@Suite struct DeltaWriteTests {
    private func items() -> [EntityPageItem] {
        let tool = make(Workshop.tool, ["Id": .scalar(.integer(7)), "Title": .null])
        let loan = make(Workshop.loan, ["Id": .scalar(.integer(4))])
        return [
            .entity(tool, Workshop.tools), .entity(loan, Workshop.loans),
            .removed(
                RemovedEntity(
                    .key(make(Workshop.tool, ["Id": .scalar(.integer(9))])), reason: .changed,
                    set: Workshop.tools)),
            .removed(RemovedEntity(.id("Loans(1)"), set: Workshop.loans)),
            .link(
                LinkChange(
                    source: .key(tool), relationship: "Loans", target: .key(loan),
                    set: Workshop.tools)),
            .deletedLink(
                LinkChange(
                    source: .id("Tools(7)"), relationship: "Loans", target: .id("Loans(2)"),
                    set: Workshop.tools)),
        ]
    }

    @Test func theFlatFormIsWrittenFor40() throws {
        let bytes = try EntityJSONWriter(Workshop.v4, dialect: .v4).page(
            EntityPage(items: items(), context: "$metadata#Tools/$delta", deltaLink: "d"),
            of: Workshop.tool, in: Workshop.tools)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == ##"{"@odata.context":"$metadata#Tools/$delta","value":[{"Id":7,"Title":null},"##
                + ##"{"@odata.context":"$metadata#Loans/$entity","Id":4},"##
                + ##"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(9)","reason":"changed"},"##
                + ##"{"@odata.context":"$metadata#Loans/$deletedEntity","id":"Loans(1)","reason":"deleted"},"##
                + ##"{"@odata.context":"$metadata#Tools/$link","source":"Tools(7)","relationship":"Loans","target":"Loans(4)"},"##
                + ##"{"@odata.context":"$metadata#Tools/$deletedLink","source":"Tools(7)","relationship":"Loans","target":"Loans(2)"}],"##
                + ##""@odata.deltaLink":"d"}"##)
    }

    @Test func removedIsWrittenFor401() throws {
        let bytes = try EntityJSONWriter(Workshop.v4, dialect: .v401).page(
            EntityPage(items: Array(items()[2...3]), deltaLink: "d"), of: Workshop.tool,
            in: Workshop.tools)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == ##"{"value":[{"@removed":{"reason":"changed"},"Id":9},"##
                + ##"{"@context":"$metadata#Loans/$deletedEntity","@removed":{"reason":"deleted"},"@id":"Loans(1)"}],"##
                + ##""@deltaLink":"d"}"##)
    }

    @Test(arguments: [Dialect.v4, .v401])
    func whatIsWrittenIsReadBack(dialect: Dialect) throws {
        let bytes = try EntityJSONWriter(Workshop.v4, dialect: dialect).page(
            EntityPage(items: items(), deltaLink: "d"), of: Workshop.tool, in: Workshop.tools)
        let page = try EntityJSONReader(Workshop.v4).page(
            bytes, of: Workshop.tool, in: Workshop.tools)
        #expect(page.items.count == items().count)
        #expect(page.items[0] == items()[0])
        #expect(page.items[1] == items()[1])
        #expect(page.items[3] == items()[3])
        #expect(page.items[5] == items()[5])
    }

    @Test func aRemovalWithoutKeyCannotBeWritten() {
        for dialect in [Dialect.v4, .v401] {
            #expect(
                failure {
                    try EntityJSONWriter(Workshop.v4, dialect: dialect).page(
                        EntityPage(items: [
                            .removed(
                                RemovedEntity(.key(make(Workshop.tool, [:])), set: Workshop.tools))
                        ]), of: Workshop.tool, in: Workshop.tools)
                } == Failure(.usage, at: .path("Id")))
        }
    }
}

@Suite struct RequestWriteTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private var tool: StructureValue {
        var value = make(
            Workshop.tool,
            [
                "Id": .scalar(.integer(7)), "Title": .null, "Lent": .scalar(.boolean(true)),
                "Loans": .list([.structure(make(Workshop.loan, ["Id": .scalar(.integer(1))]))]),
            ])
        value.control.etag = "not written"
        value.control.id = "not written"
        value.control.bindings = ["Owner": ["Members(3)"], "Parts": ["Tools(1)", "Tools(2)"]]
        return value
    }

    @Test func aCreateBodyHasValuesLinksAndNestedEntities() {
        #expect(
            text(
                EntityJSONWriter(Workshop.v4, dialect: .v4).requestBody(
                    tool, declared: Workshop.tool))
                == #"{"Id":7,"Title":null,"Lent":true,"Owner@odata.bind":"Members(3)","#
                + #""Loans":[{"Id":1}],"Parts@odata.bind":["Tools(1)","Tools(2)"]}"#)
    }

    @Test func anUpdateBodyHasOnlyTheGivenSlots() {
        var value = tool
        value.control.bindings = [:]
        #expect(
            text(
                EntityJSONWriter(Workshop.v4, dialect: .v4).requestBody(
                    value, declared: Workshop.tool, slots: [Workshop.slot("Title")]))
                == #"{"Title":null}"#)
    }

    @Test func v2BodiesAreBareAndBindThroughMetadata() {
        #expect(
            text(
                EntityJSONWriter(Workshop.v2, dialect: .v2).requestBody(
                    tool, declared: Workshop.tool))
                == #"{"Id":7,"Title":null,"Lent":true,"Owner":{"__metadata":{"uri":"Members(3)"}},"#
                + #""Loans":[{"Id":1}],"Parts":[{"__metadata":{"uri":"Tools(1)"}},"#
                + #"{"__metadata":{"uri":"Tools(2)"}}]}"#)
    }

    @Test func derivedTypesAreNamed() {
        let value = make(Workshop.powerTool, ["Id": .scalar(.integer(1))])
        #expect(
            text(
                EntityJSONWriter(Workshop.v4, dialect: .v4).requestBody(
                    value, declared: Workshop.tool))
                == ##"{"@odata.type":"#Ws.PowerTool","Id":1}"##)
        #expect(
            text(
                EntityJSONWriter(Workshop.v2, dialect: .v2).requestBody(
                    value, declared: Workshop.tool))
                == #"{"__metadata":{"type":"Ws.PowerTool"},"Id":1}"#)
    }

    @Test func requestsReadByTheServiceAreWhatTheClientWrote() throws {
        for (graph, dialect) in [
            (Workshop.v4, Dialect.v4), (Workshop.v4, .v401), (Workshop.v2, .v2),
        ] {
            let bytes = EntityJSONWriter(graph, dialect: dialect).requestBody(
                tool, declared: Workshop.tool)
            let read = try EntityJSONReader(graph, dialect: dialect, isRequest: true).entity(
                bytes, of: Workshop.tool, in: Workshop.tools)
            #expect(read.slots == tool.slots)
            #expect(read.control.bindings == tool.control.bindings)
        }
    }

    @Test func actionArgumentsAreNamed() throws {
        let operation = OperationDefinition(
            namespace: "Ws", name: "Lend", isAction: true, isBound: true,
            parameters: [
                .init(name: "tool", type: TypeReference(.structure(Workshop.tool))),
                .init(name: "days", type: TypeReference(.primitive(.int32))),
            ])
        let writer = EntityJSONWriter(Workshop.v4, dialect: .v4)
        #expect(
            text(try writer.argumentsBody(["days": .scalar(.integer(3))], of: operation))
                == #"{"days":3}"#)
        #expect(
            failure {
                try writer.argumentsBody(["hours": .null], of: operation)
            } == Failure(.usage, at: .path("hours")))
    }
}

@Suite struct EnumerationTextTests {
    @Test(arguments: [
        (Int64(0), "None"), (1, "Red"), (2, "Blue"), (3, "Purple"), (5, "Red,Green"),
        (7, "Purple,Green"), (8, "8"), (-1, "-1"),
    ])
    func valuesAndTheirNames(value: Int64, text: String) {
        let type = Workshop.v4[Workshop.colour]
        #expect(type.text(of: value) == text)
        #expect(type.value(of: text) == value)
    }

    @Test(arguments: ["", "Pink", "Red,,Blue", "Red Blue", "red"])
    func otherTextsAreNoMembers(text: String) {
        #expect(Workshop.v4[Workshop.colour].value(of: text) == nil)
    }
}

@Suite struct EntityIDTests {
    @Test func idsFollowTheConvention() throws {
        let tool = make(Workshop.tool, ["Id": .scalar(.integer(-7))])
        #expect(
            try EntityID.text(of: tool, in: Workshop.tools, of: Workshop.v4, dialect: .v4)
                == "Tools(-7)")
        let note = make(Workshop.note, ["Key": .scalar(.string("O'Hara/ü"))])
        #expect(
            try EntityID.text(of: note, in: Workshop.notes, of: Workshop.v4, dialect: .v4)
                == "Notes('O''Hara%2F%C3%BC')")
        #expect(
            failure {
                try EntityID.text(
                    of: make(Workshop.tool, [:]), in: Workshop.tools, of: Workshop.v4, dialect: .v4)
            } == Failure(.usage, at: .path("Id")))
    }
}
