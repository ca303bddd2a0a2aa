import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import Synchronization
import Testing

/// Changes at a V2 service over a real connection: methods, tags, links, operations and batches.
@Suite struct OnlineV2ChangeTests: EntityMaking {
    private static let order = #"""
        {"d":{"__metadata":{"uri":"Orders(7)","type":"N.Order","etag":"W/\"1\""},"Id":7,"Name":"a","Total":"9.50"}}
        """#

    private func rename(_ order: EntityValue, _ name: String = "b") {
        order.entityType.property(withName: "Name").setStringValue(in: order, to: name)
    }

    @Test func updatesMergeOrReplaceAsAskedFor() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.method == "GET"
                ? .v2(Self.order)
                : .status(204, ["ETag": "W/\"2\"", "DataServiceVersion": "1.0"])
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            try provider.loadEntity(order)
            rename(order)
            try provider.updateEntity(order)
            #expect(order.entityTag == "W/\"2\"")
            rename(order, "c")
            let options = RequestOptions()
            options.updateMode = .replace
            try provider.updateEntity(order, options: options)
            #expect(service.lines == ["GET Orders(7)", "MERGE Orders(7)", "PUT Orders(7)"])
            #expect(service.requests.map { $0.headers["If-Match"] } == [nil, "W/\"1\"", "W/\"2\""])
            #expect(service.requests[1].text == #"{"Name":"b"}"#)
            #expect(service.requests[2].text.contains(#""Total":"9.50""#))
        }
    }

    @Test func methodsThatProxiesDoNotKnowGoThroughPost() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.method == "POST" ? .status(204) : .status(501)
        }
        try await LoopbackService.run(answer) { service, provider in
            for method in ["MERGE", "PUT", "DELETE"] {
                provider.networkOptions.tunneledMethods.append(method)
            }
            let order = try entity(provider, "Orders", 7)
            order.entityTag = "W/\"1\""
            rename(order)
            try provider.updateEntity(order)
            rename(order, "c")
            let options = RequestOptions()
            options.updateMode = .replace
            try provider.updateEntity(order, options: options)
            try provider.deleteEntity(order)
            #expect(service.lines == Array(repeating: "POST Orders(7)", count: 3))
            #expect(
                service.requests.map { $0.headers["X-HTTP-Method"] } == ["MERGE", "PUT", "DELETE"])
            #expect(service.requests[0].headers["If-Match"] == "W/\"1\"")
            #expect(service.requests[0].text == #"{"Name":"b"}"#)
        }
    }

    @Test func anUpdateGoesByTheMethodThatTheServiceNames() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.method == "PATCH"
                ? .status(204) : .status(405, ["Allow": "GET, PATCH", "DataServiceVersion": "2.0"])
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            order.entityTag = "W/\"1\""
            for name in ["b", "c"] {
                rename(order, name)
                try provider.updateEntity(order)
            }
            #expect(service.lines == ["MERGE Orders(7)", "PATCH Orders(7)", "PATCH Orders(7)"])
            #expect(service.requests.last?.text == #"{"Name":"c"}"#)
        }
    }

    /// Nobody knows what the second one did, so that the refusal of the first must not be told.
    @Test func anUpdateByAnotherMethodWithoutAnAnswerIsNotRefused() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.method == "PATCH"
                ? .hangUp : .status(405, ["Allow": "PATCH", "DataServiceVersion": "2.0"])
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            order.entityTag = "W/\"1\""
            rename(order)
            #expect(throws: DataNetworkError.self) { try provider.updateEntity(order) }
            #expect(service.lines == ["MERGE Orders(7)", "PATCH Orders(7)"])
        }
    }

    @Test func aTagThatIsOutOfDateIsAnErrorWithTheServicesWords() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.headers["If-Match"] == "W/\"2\""
                ? .status(204)
                : .v2(
                    #"{"error":{"code":"C/412","message":{"lang":"en","value":"Changed meanwhile"}}}"#,
                    status: 412)
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            order.entityTag = "W/\"1\""
            rename(order)
            let error = #expect(throws: DataServiceError.self) { try provider.updateEntity(order) }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/s/Orders")
            #expect(error?.status == 412)
            #expect(error?.response?.code == "C/412")
            #expect(error?.response?.message == "Changed meanwhile")
            order.entityTag = "W/\"2\""
            try provider.updateEntity(order)
            #expect(service.requests.count == 2)
        }
    }

    @Test func aDeepInsertTakesOverWhatTheServiceMade() async throws {
        let answer: LoopbackService.Answer = { _, _ in
            .v2(
                #"{"d":{"__metadata":{"uri":"Orders(9)","etag":"W/\"1\""},"Id":9,"Name":"made","#
                    + #""Items":{"results":[{"__metadata":{"uri":"Items(3)"},"Id":3,"Text":"t"}]}}}"#,
                status: 201, ["Location": "/s/Orders(9)"])
        }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 9, isNew: true)
            let item = try entity(provider, "Items", 3, isNew: true)
            let items = order.entityType.property(withName: "Items")
            items.setEntityList(in: order, to: EntityValueList.fromArray([item]))
            try provider.createEntity(order)
            #expect(service.lines == ["POST Orders"])
            #expect(service.requests[0].text == #"{"Id":9,"Items":[{"Id":3}]}"#)
            #expect(order.entityType.property(withName: "Name").stringValue(from: order) == "made")
            #expect(order.entityTag == "W/\"1\"")
            let made = items.entityList(from: order)
            let text = try set(provider, "Items").entityType.property(withName: "Text")
            #expect(made.toArray().map { text.stringValue(from: $0) } == ["t"])
        }
    }

    @Test func linksAreThoseOfV2() async throws {
        let answer: LoopbackService.Answer = { _, _ in .status(204) }
        try await LoopbackService.run(answer) { service, provider in
            let order = try entity(provider, "Orders", 7)
            let item = try entity(provider, "Items", 1)
            let items = order.entityType.property(withName: "Items")
            let back = item.entityType.property(withName: "Order")
            try provider.createLink(from: order, property: items, to: item)
            try provider.updateLink(from: item, property: back, to: order)
            try provider.deleteLink(from: order, property: items, to: item)
            try provider.deleteLink(from: item, property: back, to: order)
            #expect(
                service.lines == [
                    "POST Orders(7)/$links/Items", "PUT Items(1)/$links/Order",
                    "DELETE Orders(7)/$links/Items(1)", "DELETE Items(1)/$links/Order",
                ])
            #expect(service.requests[0].text == #"{"uri":"\#(service.root)/Items(1)"}"#)
            #expect(service.requests[1].text == #"{"uri":"\#(service.root)/Orders(7)"}"#)
        }
    }

    @Test func functionImportsAreInvoked() async throws {
        let answer: LoopbackService.Answer = { request, _ in
            request.method == "POST"
                ? .v2(#"{"d":{"Close":3}}"#)
                : .v2(#"{"d":{"results":[{"Id":7,"Total":"9.50"}]}}"#)
        }
        try await LoopbackService.run(answer) { service, provider in
            let data = DataService(provider: provider)
            try data.loadMetadata()
            let found = try data.executeQuery(
                DataQuery().invoke(
                    data.dataMethod(withName: "Cheapest"),
                    ParameterList().with(name: "below", value: DecimalValue.of(BigDecimal("10.5"))))
            ).entityList()
            #expect(found.length == 1)
            let count = try data.executeMethod(
                data.dataMethod(withName: "Close"),
                parameters: ParameterList().with(name: "reason", value: StringValue.of("a & b's")))
            #expect(IntValue.optional(count) == 3)
            #expect(
                service.lines == [
                    "GET Cheapest?below=10.5M", "POST Close?reason='a%20%26%20b''s'",
                ])
        }
    }

    // MARK: Batches

    private static func batch(_ text: String) -> HTTPEdge.Outcome {
        .answer(
            ResponseMessage(
                status: 202,
                headers: [
                    "Content-Type": "multipart/mixed; boundary=b", "DataServiceVersion": "2.0",
                ], body: Array(text.replacing("\n", with: "\r\n").utf8)))
    }

    private static let http =
        "Content-Type: application/http\nContent-Transfer-Encoding: binary\n"

    @Test func changeSetsOfABatchSucceedOrFailAsAWhole() async throws {
        let (http, type) = (Self.http, "Content-Type: application/json\n")
        let answer: LoopbackService.Answer = { request, number in
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return .status(200, ["X-CSRF-Token": "t"])
            }
            if request.headers["X-CSRF-Token"] == nil {
                return .status(403, ["X-CSRF-Token": "Required"])
            }
            return Self.batch(
                """
                --b
                \(http)
                HTTP/1.1 200 OK
                \(type)
                {"d":{"results":[{"Id":7}]}}
                --b
                Content-Type: multipart/mixed; boundary=c

                --c
                \(http)Content-ID: 2

                HTTP/1.1 204 No Content
                ETag: W/"2"


                --c
                \(http)Content-ID: 1

                HTTP/1.1 201 Created
                \(type)
                {"d":{"__metadata":{"etag":"W/\\"1\\""},"Id":9,"Name":"made"}}
                --c--
                --b
                \(http)
                HTTP/1.1 412 Precondition Failed
                \(type)
                {"error":{"code":"X","message":{"lang":"en","value":"no"}}}
                --b--

                """)
        }
        try await LoopbackService.run(answer) { service, provider in
            let query = DataQuery().from(try set(provider, "Orders"))
            let (good, bad) = (ChangeSet(), ChangeSet())
            let created = try entity(provider, "Orders", 9, isNew: true)
            let changed = try entity(provider, "Orders", 7)
            changed.entityTag = "W/\"1\""
            rename(changed)
            good.createEntity(created)
            good.updateEntity(changed)
            bad.deleteEntity(try entity(provider, "Items", 1))
            let batch = RequestBatch()
            batch.addQuery(query)
            for changes in [good, bad] { batch.addChanges(changes) }
            try provider.processBatch(batch)
            #expect(try batch.queryResult(for: query).entityList().length == 1)
            #expect(good.error == nil)
            #expect(created.entityTag == "W/\"1\"" && created.isCreated)
            #expect(changed.entityTag == "W/\"2\"" && changed.isUpdated)
            #expect(bad.error?.status == 412)
            // The batch is sent again, to the byte, when its token was missing.
            #expect(service.lines == ["POST $batch", "GET /s/", "POST $batch"])
            #expect(service.requests[0].body == service.requests[2].body)
            let sent = service.requests[2].text
            #expect(sent.contains("MERGE Orders(7) HTTP/1.1\r\n"))
            #expect(sent.contains("If-Match: W/\"1\"\r\n"))
            #expect(!sent.contains("X-CSRF-Token"))
        }
    }

    @Test func tunnelledMethodsStayWhatTheyAreInsideABatch() async throws {
        let answer: LoopbackService.Answer = { _, _ in
            Self.batch(
                """
                --b
                Content-Type: multipart/mixed; boundary=c

                --c
                \(Self.http)
                HTTP/1.1 204 No Content


                --c--
                --b--

                """)
        }
        try await LoopbackService.run(answer) { service, provider in
            provider.networkOptions.tunneledMethods.append("MERGE")
            let order = try entity(provider, "Orders", 7)
            rename(order)
            let changes = ChangeSet()
            changes.updateEntity(order)
            let batch = RequestBatch()
            batch.addChanges(changes)
            try provider.processBatch(batch)
            #expect(changes.error == nil)
            #expect(service.lines == ["POST $batch"])
        }
    }
}
