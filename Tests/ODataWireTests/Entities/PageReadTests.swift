import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct PageReadTests {
    private let reader = EntityJSONReader(Workshop.v4)

    private func page(_ json: String) throws -> EntityPage {
        try reader.page(Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
    }

    static let plain = """
        {"@odata.context":"http://h/svc/$metadata#Tools(Id,Title)","@odata.count":2,
         "value":[{"@odata.etag":"W/\\"3\\"","Id":7,"Title":"Saw"},{"Id":8,"Title":null}],
         "@odata.nextLink":"Tools?$skiptoken=8"}
        """

    @Test func aPageHasItsLinksAndCount() throws {
        let page = try page(Self.plain)
        #expect(page.context == "http://h/svc/$metadata#Tools(Id,Title)")
        #expect(page.count == 2)
        #expect(page.nextLink == "Tools?$skiptoken=8")
        #expect(page.deltaLink == nil)
        #expect(page.entities.map { $0["Id"] } == [.scalar(.integer(7)), .scalar(.integer(8))])
        #expect(page.entities[0].control.etag == "W/\"3\"")
        #expect(page.entities[1]["Title"] == .null)
    }

    @Test func membersMayComeInAnyOrderAndSpelling() throws {
        let page = try page(
            #"{"@nextLink":"n","@count":"5","value":[],"@deltaLink":"d","x":{"y":[1]}}"#)
        #expect(page.nextLink == "n")
        #expect(page.count == 5)
        #expect(page.deltaLink == "d")
        #expect(page.items.isEmpty)
    }

    @Test func itemsAreHandedOverOneByOneFromASource() throws {
        let bytes = Array(Self.plain.utf8)
        let source = ByteParts(bytes.map { [$0] })
        var ids: [ODataValue?] = []
        let page = try reader.page(from: source, of: Workshop.tool, in: Workshop.tools) { item in
            guard case .entity(let value, let set) = item else { return }
            #expect(set == Workshop.tools)
            ids.append(value["Id"])
        }
        #expect(ids == [.scalar(.integer(7)), .scalar(.integer(8))])
        #expect(page.nextLink == "Tools?$skiptoken=8")
        #expect(page.items.isEmpty)
    }

    @Test func mistakesNameTheItem() {
        let text = #"{"value":[{"Id":1},{"Size":{"Height":"x"}}]}"#
        let error = #expect(throws: ODataError.self) { try page(text) }
        #expect(error?.location == .path("value[1]/Size/Height"))
        #expect([.invalidPayload, .invalidValue].contains(error?.code))
    }

    @Test(arguments: [
        ("{}", Failure(.invalidPayload, "Expected a collection, found no array of items.")),
        ("[]", Failure(.invalidPayload, "Expected a collection in an object.")),
        ("7", Failure(.invalidPayload, "Expected a collection in an object.")),
        ("", Failure(.malformedText, at: .offset(0))),
        (#"{"value":{}}"#, Failure(.invalidPayload, at: .path("value"))),
        (#"{"value":7}"#, Failure(.invalidPayload, at: .path("value"))),
        (#"{"value":[7]}"#, Failure(.invalidPayload, at: .path("value[0]"))),
        (#"{"value":[{}]"#, Failure(.malformedText, at: .offset(13))),
        (#"{"value":[]} x"#, Failure(.malformedText, at: .offset(13))),
        (#"{"value":[{"Id":1},]}"#, Failure(.malformedText, at: .offset(19))),
    ])
    func whatIsNoCollectionIsRefused(json: String, refused: Failure) {
        #expect(failure { try page(json) } == refused)
    }

    @Test func anErrorInPlaceOfAPageIsAServiceError() {
        let text = #"{"error":{"code":"T1","message":"Out of order"}}"#
        #expect(failure { try page(text) } == Failure(.service, "Out of order", status: 200))
    }
}

@Suite struct DeltaReadTests {
    private func items(_ json: String) throws -> EntityPage {
        try EntityJSONReader(Workshop.v4).page(
            Array(json.utf8), of: Workshop.tool, in: Workshop.tools)
    }

    @Test(arguments: ["http://h/svc/$metadata", "$metadata", ""])
    func theFlatFormIsReadInOrder(base: String) throws {
        let page = try items(
            """
            {"@odata.context":"\(base)#Tools/$delta","value":[
             {"@odata.id":"Tools(7)","Id":7,"Title":"Saw, repaired"},
             {"@odata.context":"\(base)#Tools/$deletedEntity","id":"Tools(9)","reason":"deleted"},
             {"@odata.context":"\(base)#Tools/$deletedEntity","@odata.id":"Tools(10)"},
             {"@odata.context":"\(base)#Loans/$entity","@odata.id":"Loans(4)","Open":false},
             {"@odata.context":"\(base)#Tools/$deletedLink","source":"Tools(7)","relationship":"Loans","target":"Loans(2)"},
             {"@odata.context":"\(base)#Tools/$link","source":"Tools(7)","relationship":"Loans","target":"Loans(4)"}],
             "@odata.deltaLink":"Tools?$deltatoken=51"}
            """)
        #expect(page.deltaLink == "Tools?$deltatoken=51")
        #expect(page.items.count == 6)
        guard page.items.count == 6, case .entity(let tool, Workshop.tools) = page.items[0],
            case .entity(let loan, Workshop.loans) = page.items[3]
        else {
            Issue.record("Expected entities of Tools and Loans.")
            return
        }
        #expect(tool["Title"] == .scalar(.string("Saw, repaired")))
        #expect(tool["Price"] == nil)
        #expect(loan.type == Workshop.loan)
        #expect(loan["Open"] == .scalar(.boolean(false)))
        #expect(
            page.items[1]
                == .removed(RemovedEntity(.id("Tools(9)"), reason: .deleted, set: Workshop.tools)))
        #expect(
            page.items[2] == .removed(RemovedEntity(.id("Tools(10)"), set: Workshop.tools)))
        #expect(
            page.items[4]
                == .deletedLink(
                    LinkChange(
                        source: .id("Tools(7)"), relationship: "Loans", target: .id("Loans(2)"),
                        set: Workshop.tools)))
        #expect(
            page.items[5]
                == .link(
                    LinkChange(
                        source: .id("Tools(7)"), relationship: "Loans", target: .id("Loans(4)"),
                        set: Workshop.tools)))
    }

    @Test(arguments: ["@", "@odata."])
    func theNestedFormIsFlattenedInOrder(prefix: String) throws {
        let page = try items(
            """
            {"\(prefix)context":"http://h/svc/$metadata#Tools/$delta","value":[
             {"Id":7,"Title":"Saw, repaired","Loans\(prefix)delta":[
                {"\(prefix)removed":{"reason":"changed"},"\(prefix)id":"Loans(2)"},
                {"Id":4,"Open":false},
                {"\(prefix)removed":{"reason":"deleted"},"Id":5}]},
             {"\(prefix)removed":{"reason":"deleted"},"Id":9},
             {"\(prefix)removed":{},"\(prefix)id":"Tools(11)"},
             {"\(prefix)removed":{"reason":"changed"},"\(prefix)id":"Tools(12)"}],
             "\(prefix)deltaLink":"Tools?$deltatoken=51"}
            """)
        #expect(page.items.count == 8)
        guard page.items.count == 8, case .entity(let tool, Workshop.tools) = page.items[0],
            case .deletedLink(let cut) = page.items[1],
            case .entity(let loan, Workshop.loans) = page.items[2],
            case .link(let link) = page.items[3], case .removed(let gone) = page.items[4],
            case .removed(let nine) = page.items[5]
        else {
            Issue.record("Expected the entity, then its nested changes, then the removals.")
            return
        }
        #expect(tool["Loans"] == nil)
        #expect(cut.source == .key(tool))
        #expect(cut.relationship == "Loans")
        #expect(cut.target == .id("Loans(2)"))
        #expect(link.source == .key(tool))
        #expect(link.target == .key(loan))
        #expect(gone.set == Workshop.loans)
        guard case .key(let key) = gone.reference, case .key(let nineKey) = nine.reference else {
            Issue.record("Expected keys.")
            return
        }
        #expect(key["Id"] == .scalar(.integer(5)))
        #expect(nineKey["Id"] == .scalar(.integer(9)))
        #expect(nine.reason == .deleted)
        #expect(
            page.items[6] == .removed(RemovedEntity(.id("Tools(11)"), set: Workshop.tools)))
        #expect(
            page.items[7]
                == .removed(
                    RemovedEntity(.id("Tools(12)"), reason: .changed, set: Workshop.tools)))
    }

    @Test func deeperNestingIsLinkedToItsOwnParentOnly() throws {
        let page = try items(
            #"{"value":[{"Id":1,"Parts@delta":[{"Id":2,"Parts@delta":[{"Id":3}]}]}]}"#)
        let links = page.items.compactMap { item -> [ODataValue?]? in
            guard case .link(let link) = item, case .key(let source) = link.source,
                case .key(let target) = link.target
            else { return nil }
            return [source["Id"], target["Id"]]
        }
        #expect(
            links == [
                [.scalar(.integer(1)), .scalar(.integer(2))],
                [.scalar(.integer(2)), .scalar(.integer(3))],
            ])
        #expect(page.entities.count == 3)
    }

    @Test func aFullNestedArrayStaysWithItsEntity() throws {
        let page = try items(#"{"value":[{"Id":1,"Loans":[{"Id":4}]}]}"#)
        #expect(page.items.count == 1)
        #expect(page.entities[0]["Loans"]?.list?.count == 1)
    }

    @Test(arguments: [
        (#"{"value":[{"@removed":{"reason":"deleted"}}]}"#, "value[0]"),
        (##"{"value":[{"@odata.context":"#Tools/$deletedEntity"}]}"##, "value[0]"),
        (##"{"value":[{"@odata.context":"#Tools/$link","source":"Tools(7)"}]}"##, "value[0]"),
        (#"{"value":[{"Id":1,"Title@delta":[]}]}"#, "value[0]/Title@delta"),
        (#"{"value":[{"Id":1,"Loans@delta":{}}]}"#, "value[0]/Loans@delta"),
    ])
    func changesThatNameNothingAreRefused(json: String, path: String) {
        #expect(failure { try items(json) } == Failure(.invalidPayload, at: .path(path)))
    }
}
