import ErrorFixture
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

@Suite struct RequestWriterTests {
    /// Tools(Id Int32, Title String, Price Decimal, Owner → Member, Loans → Loan*), Loans keyed by ToolId and Day.
    static func graph(toolsHaveContent: Bool = false) throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        let integer = TypeReference(.primitive(.int32), isNullable: false)
        let navigation = { (name: String, id: Int, isCollection: Bool) in
            PropertyDefinition(
                name: name,
                type: TypeReference(.structure(StructureID(id)), isCollection: isCollection),
                navigation: NavigationDefinition())
        }
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Tool", hasStream: toolsHaveContent,
                properties: [
                    PropertyDefinition(name: "Id", type: integer),
                    PropertyDefinition(name: "Title", type: TypeReference(.primitive(.string))),
                    PropertyDefinition(name: "Price", type: TypeReference(.primitive(.decimal))),
                    navigation("Owner", 1, false), navigation("Loans", 2, true),
                ], key: [KeyProperty(path: "Id")]),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Member",
                properties: [
                    PropertyDefinition(name: "Code", type: TypeReference(.primitive(.string)))
                ], key: [KeyProperty(path: "Code")]),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Loan",
                properties: [
                    PropertyDefinition(name: "ToolId", type: integer),
                    PropertyDefinition(name: "Day", type: TypeReference(.primitive(.date))),
                ], key: [KeyProperty(path: "ToolId"), KeyProperty(path: "Day")]),
        ]
        graph.containers = [.init(qualifiedName: "Ws.C")]
        graph.entitySets = [("Tools", 0), ("Members", 1), ("Loans", 2)].map { name, type in
            EntitySetDefinition(name: name, container: "Ws.C", type: StructureID(type))
        }
        try graph.freeze()
        return graph
    }

    private let tool = RowReference(table: "Tools", id: 7)
    private let member = RowReference(table: "Members", id: 3)

    private func message(
        _ operation: QueuedRequest.Operation, body: RequestBody? = nil,
        navigation: QueuedRequest.Navigation? = nil, ifMatch: String? = nil,
        firstSent: Int64? = nil
    ) throws -> RequestMessage {
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "aa-bb", firstSent: firstSent),
            operation: operation, target: tool, navigation: navigation, body: body,
            ifMatch: ifMatch)
        let writer = RequestWriter(graph: try Self.graph(), dialect: .v4, root: "http://h/svc/")
        return try writer.message(for: request) { row in
            row.table == "Tools" ? "Tools(7)" : "Members('M%263')"
        }
    }

    private func body(_ title: String, _ binds: [RequestBody.Bind] = []) throws -> RequestBody {
        var values = StructureValue(type: StructureID(0), in: try Self.graph())
        values.slots[1] = .scalar(.string(title))
        return RequestBody(values: values, binds: binds)
    }

    @Test func aCreatePostsOnlyWhatWasSetWithItsBinds() throws {
        let binds = [RequestBody.Bind(navigation: "Owner", targets: [member])]
        let message = try message(
            .create, body: try body("Saw", binds), firstSent: 1_935_390_600_000)
        #expect(message.method == "POST")
        #expect(message.url == "Tools")
        #expect(
            String(decoding: message.body, as: UTF8.self)
                == #"{"Title":"Saw","Owner@odata.bind":"Members('M%263')"}"#)
        #expect(message.headers["Content-Type"] == "application/json")
        #expect(message.headers["Repeatability-Request-ID"] == "aa-bb")
        #expect(message.headers["Repeatability-First-Sent"] == "Thu, 01 May 2031 08:30:00 GMT")
    }

    /// A queue may hold one that an older version wrote, or that a conflict led to.
    @Test func aQueuedCreateOfAMediaEntityWithoutContentIsNotWritten() throws {
        let graph = try Self.graph(toolsHaveContent: true)
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "aa-bb"), operation: .create, target: tool,
            body: try body("Saw"))
        let writer = RequestWriter(graph: graph, dialect: .v4, root: "http://h/svc/")
        let error = #expect(throws: ODataError.self) {
            try writer.message(for: request) { _ in "Tools(7)" }
        }
        #expect(error?.code == .invalidValue)
        var media = request
        media.flags.insert(.media)
        #expect(try writer.message(for: media) { _ in "Tools(7)" }.body.isEmpty)
    }

    @Test func anUpdatePatchesUnderItsEntityTag() throws {
        let message = try message(.update(.merge), body: try body("Plane"), ifMatch: "W/\"3\"")
        #expect(message.method == "PATCH")
        #expect(message.url == "Tools(7)")
        #expect(message.headers["If-Match"] == "W/\"3\"")
        #expect(String(decoding: message.body, as: UTF8.self) == #"{"Title":"Plane"}"#)
    }

    @Test func aDeleteHasNoBody() throws {
        let message = try message(.delete, ifMatch: "W/\"3\"")
        #expect(message.method == "DELETE")
        #expect(message.body.isEmpty)
        #expect(message.headers["Content-Type"] == nil)
        #expect(message.headers["If-Match"] == "W/\"3\"")
    }

    @Test func linksAreWrittenAsReferences() throws {
        let owner = QueuedRequest.Navigation(property: "Owner", row: member)
        let put = try message(.updateLink, navigation: owner)
        #expect(put.method == "PUT")
        #expect(put.url == "Tools(7)/Owner/$ref")
        #expect(
            String(decoding: put.body, as: UTF8.self)
                == #"{"@odata.id":"http://h/svc/Members('M%263')"}"#)
        let delete = try message(.deleteLink, navigation: .init(property: "Owner", row: nil))
        #expect(delete.url == "Tools(7)/Owner/$ref")
        #expect(delete.method == "DELETE")
    }

    /// A property that only a derived type declares leads to many where the link names its end.
    @Test func aLinkOfADerivedTypeIsRemovedByWhatItNames() throws {
        let one = try message(.deleteLink, navigation: .init(property: "Ghost", row: nil))
        #expect(one.url == "Tools(7)/Ghost/$ref")
        let many = try message(.deleteLink, navigation: .init(property: "Ghost", row: member))
        #expect(many.url == "Tools(7)/Ghost/$ref?$id=http://h/svc/Members('M%25263')")
        #expect(many.method == "DELETE" && one.method == "DELETE")
    }

    /// What cannot be sent is shown with as much of its address as is known.
    @Test func anOutlineNamesTheProperty() throws {
        let writer = RequestWriter(graph: try Self.graph(), dialect: .v4, root: "http://h/svc/")
        func outline(_ operation: QueuedRequest.Operation, isKnown: Bool = true) -> String {
            let request = QueuedRequest(
                id: 1, identity: RepeatabilityIdentity(id: "a"), operation: operation, target: tool,
                navigation: .init(property: "Owner", row: member))
            let message = writer.outline(of: request) { _ in
                guard isKnown else { throw ODataError(.usage, "Expected a key.") }
                return "Tools(7)"
            }
            return message.method + " " + message.url
        }
        #expect(outline(.createLink) == "POST Tools(7)/Owner")
        #expect(outline(.updateLink, isKnown: false) == "PUT Tools/Owner")
        #expect(outline(.deleteStream) == "DELETE Tools(7)/Owner")
        #expect(outline(.create) == "POST Tools")
    }

    @Test func keysAreWrittenInTheNotationOfTheirTypes() throws {
        let urls = EntityURL(graph: try Self.graph(), dialect: .v4)
        #expect(try urls.text(set: "Tools", key: [.integer(7)]) == "Tools(7)")
        #expect(
            try urls.text(set: "Members", key: [.string("O'Hara/ü")])
                == "Members('O''Hara%2F%C3%BC')")
        let day = try #require(CalendarDate("2031-05-01"))
        #expect(
            try urls.text(set: "Loans", key: [.integer(7), .date(day)])
                == "Loans(ToolId=7,Day=2031-05-01)")
        #expect(
            failure { try urls.text(set: "Loans", key: [.integer(7)]) }
                == Failure(.usage, at: .path("Loans")))
    }
}

@Suite struct AttemptBuilderTests {
    private let first = RowReference(table: "Tools", id: -1)
    private let second = RowReference(table: "Tools", id: 8)

    private func builder() throws -> AttemptBuilder {
        AttemptBuilder(
            writer: RequestWriter(
                graph: try RequestWriterTests.graph(), dialect: .v4, root: "http://h/svc/",
                sendsRepeatability: false))
    }

    private func requests() throws -> [Int64: QueuedRequest] {
        var values = StructureValue(type: StructureID(0), in: try RequestWriterTests.graph())
        values.slots[1] = .scalar(.string("Saw"))
        let body = RequestBody(values: values)
        let make = { (id: Int64, operation: QueuedRequest.Operation, row: RowReference) in
            QueuedRequest(
                id: id, identity: RepeatabilityIdentity(id: "g\(id)"), operation: operation,
                target: row, body: operation == .delete ? nil : body)
        }
        return [
            1: make(1, .create, first), 2: make(2, .update(.merge), first),
            3: make(3, .delete, second),
        ]
    }

    @Test func oneRequestIsSentAsItIs() throws {
        let (message, members) = try builder().build(
            [.request(3)], of: requests(), boundary: "b", address: { _ in "Tools(8)" })
        #expect(message.method == "DELETE")
        #expect(members == [Attempt.Member(request: 3, isIdentified: false)])
    }

    @Test func aChangeSetRefersToWhatItCreatesByContentID() throws {
        let (message, members) = try builder().build(
            [.changeSet([1, 2]), .request(3)], of: requests(), boundary: "b",
            address: { _ in "Tools(8)" })
        let text = String(decoding: message.body, as: UTF8.self)
        #expect(message.url == "$batch")
        #expect(message.headers["Prefer"] == "odata.continue-on-error")
        #expect(text.contains("POST Tools HTTP/1.1"))
        #expect(text.contains("PATCH $1 HTTP/1.1"))
        #expect(text.contains("DELETE Tools(8) HTTP/1.1"))
        #expect(members.map(\.request) == [1, 2, 3])
        #expect(members.map(\.part) == [0, 0, 1])
        #expect(members.map(\.changeSet) == [0, 0, nil])
    }

    @Test func answersReachTheirMembersAndAMissingOneIsNoFailure() throws {
        let (message, members) = try builder().build(
            [.changeSet([1, 2]), .request(3)], of: requests(), boundary: "b",
            address: { _ in "Tools(8)" })
        let attempt = Attempt(id: 5, message: message, members: members, frozenAt: 0)
        let body = """
            --r\r
            Content-Type: application/http\r
            Content-Transfer-Encoding: binary\r
            \r
            HTTP/1.1 400 Bad Request\r
            Content-Type: application/json\r
            \r
            {"error":{"code":"x","message":"no"}}\r
            --r--\r

            """
        let response = ResponseMessage(
            status: 200, headers: ["Content-Type": "multipart/mixed; boundary=r"],
            body: Array(body.utf8))
        let answers = try AttemptAnswers.read(response, of: attempt)
        #expect(answers.map(\.request) == [1, 2, 3])
        for answer in answers.prefix(2) {
            guard case .setRefused(let refusal) = answer.outcome else {
                Issue.record("a refused change set refuses each member")
                continue
            }
            #expect(refusal.status == 400)
        }
        #expect(answers[2].outcome == .unanswered)
    }

    /// - Parameter statuses: of requests 1 to 3, of which the first two are a change set.
    private func outcomes(_ statuses: [Int]) throws -> [AttemptAnswers.Outcome] {
        let (message, members) = try builder().build(
            [.changeSet([1, 2]), .request(3)], of: requests(), boundary: "b",
            address: { _ in "Tools(8)" })
        let ids = members.map { $0.contentID ?? "r2.1" }
        let responses = zip(ids, statuses).map { #"{"id":"\#($0)","status":\#($1)}"# }
        let response = ResponseMessage(
            status: 200, headers: ["Content-Type": "application/json"],
            body: Array(#"{"responses":[\#(responses.joined(separator: ","))]}"#.utf8))
        return try AttemptAnswers.read(
            response, of: Attempt(id: 5, message: message, members: members, frozenAt: 0)
        ).map(\.outcome)
    }

    @Test func whatAServicePassesOverBehindAFailureWaits() throws {
        let passed = AttemptAnswers.Outcome.passedOver(ResponseMessage(status: 424))
        #expect(try outcomes([424, 424, 409]).prefix(2) == [passed, passed])
        let behind = try outcomes([412, 424, 424])
        #expect(behind[2] == passed)
        guard case .setRefused(let refusal) = behind[1] else {
            Issue.record("the refusal of a member is that of its change set")
            return
        }
        #expect(refusal.status == 412)
        let request = try #require(requests()[3])
        #expect(AnswerRule.of(passed, for: request, isOpen: false) == .wait)
        #expect(AnswerRule.of(passed, for: request, isOpen: true) == .waitOpen)
        // Where nothing else was refused, it would come for ever.
        guard case .answered(let own) = try outcomes([204, 204, 424])[2] else {
            Issue.record("a 424 behind no failure is a refusal")
            return
        }
        #expect(own.status == 424)
    }

    @Test func batchesOfV2HaveTheirChangesInChangeSets() throws {
        let writer = RequestWriter(
            graph: try RequestWriterTests.graph(), dialect: .v2, root: "http://s/",
            sendsRepeatability: false)
        let (message, members) = try AttemptBuilder(writer: writer).build(
            [.request(1), .request(3)], of: requests(), boundary: "b", address: { _ in "Tools(8)" })
        let text = String(decoding: message.body, as: UTF8.self)
        #expect(text.ranges(of: "Content-Type: multipart/mixed").count == 2)
        #expect(message.headers["DataServiceVersion"] == "2.0")
        #expect(message.headers["OData-Version"] == nil && message.headers["Prefer"] == nil)
        #expect(members.map(\.isIdentified) == [false, false])
        #expect(members.map(\.part) == [0, 1])
        #expect(members.map(\.changeSet) == [0, 1])
    }
}
