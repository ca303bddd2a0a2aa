import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Testing

/// A V2 service that answers in Atom whatever it is asked for, over a real connection.
@Suite struct OnlineV2AtomTests: EntityMaking {
    static let names =
        #"xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" "#
        + #"xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" xmlns:at="http://purl.org/atompub/tombstones/1.0""#

    static func entry(_ id: Int, _ name: String, _ tag: String = "1") -> String {
        """
        <entry \(names) m:etag='W/"\(tag)"'><id>http://h/s/Orders(\(id))</id>
        <link rel="edit" href="Orders(\(id))"/><content type="application/xml"><m:properties>
        <d:Id m:type="Edm.Int32">\(id)</d:Id><d:Name>\(name)</d:Name>
        <d:Total m:type="Edm.Decimal">12.50</d:Total>
        <d:Placed m:type="Edm.DateTime">2031-05-01T08:30:00</d:Placed>
        </m:properties></content></entry>
        """
    }

    static func feed(_ content: String) -> String { "<feed \(names)>\(content)</feed>" }

    private func name(_ order: EntityValue) -> String {
        order.entityType.property(withName: "Name").stringValue(from: order)
    }

    @Test func pagesOfAFeedBecomeOneResult() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.url.contains("skiptoken")
                ? .atom(
                    Self.feed(
                        Self.entry(8, "b")
                            + #"<link rel="delta" href="Orders?!deltatoken='5'"/>"#))
                : .atom(
                    Self.feed(
                        "<m:count>2</m:count>" + Self.entry(7, "a &amp; a")
                            + #"<link rel="next" href="Orders?$skiptoken=7"/>"#))
        }
        try await LoopbackService.run(answer) { service, provider in
            let query = DataQuery().from(try set(provider, "Orders")).inlineCount()
            let list = try provider.executeQuery(query).entityList()
            #expect(list.toArray().map(name) == ["a & a", "b"])
            #expect(list.totalCount == 2)
            #expect(list[0].entityTag == "W/\"1\"")
            #expect(
                service.lines == [
                    "GET Orders?$inlinecount=allpages", "GET Orders?$skiptoken=7",
                ])
        }
    }

    @Test func anEntryIsLoadedAndOneMadeIsTakenOver() async throws {
        let type = "application/atom+xml;type=entry"
        let answer: LoopbackService.Answer = { request, _ in
            switch request.method {
            case "GET": .atom(Self.entry(7, "a", "4"), type: type)
            case "POST": .atom(Self.entry(9, "made"), status: 201, type: type)
            default: .status(204)
            }
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            try provider.loadEntity(order)
            #expect(name(order) == "a" && order.entityTag == "W/\"4\"")
            let total = order.entityType.property(withName: "Total")
            #expect(total.decimalValue(from: order) == BigDecimal("12.5"))
            let made = try entity(provider, "Orders", 9, isNew: true)
            try provider.createEntity(made)
            #expect(name(made) == "made" && made.entityTag == "W/\"1\"")
            order.entityType.property(withName: "Name").setStringValue(in: order, to: "c")
            try provider.updateEntity(order)
            #expect(service.requests[2].headers["If-Match"] == "W/\"4\"")
        }
    }

    @Test func tombstonesAreEntitiesThatWereDeleted() async throws {
        let answer: LoopbackService.Answer = { _, _ in
            .atom(
                Self.feed(
                    Self.entry(7, "a")
                        + #"<at:deleted-entry ref="http://h/s/Orders(9)" when="2031-05-01T08:30:00Z"/>"#
                        + #"<link rel="delta" href="Orders?!deltatoken='6'"/>"#))
        }
        try await LoopbackService.run(answer) { _, provider in
            let list = try provider.executeQuery(DataQuery().from(try set(provider, "Orders")))
                .entityList()
            #expect(list.toArray().map(\.isDeleted) == [false, true])
            #expect(list.deltaLink == "Orders?!deltatoken='6'")
        }
    }

    @Test func anErrorSaysTheServicesWords() async throws {
        let answer: LoopbackService.Answer = { _, _ in
            .atom(
                #"<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>T/17</code>"#
                    + #"<message xml:lang="en">Closed on Sundays</message></error>"#,
                status: 400, type: "application/xml")
        }
        try await LoopbackService.run(answer) { _, provider in
            let error = #expect(throws: DataServiceError.self) {
                try provider.executeQuery(DataQuery().from(try set(provider, "Orders")))
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/s/Orders")
            #expect(error?.status == 400)
            #expect(error?.response?.code == "T/17")
            #expect(error?.response?.message == "Closed on Sundays")
        }
    }
}
