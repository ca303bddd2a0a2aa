import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// Which requests a change takes, and what they look like.
@Suite struct ChangePlannerTests {
    private let root = "http://h/svc/"
    private final class Name {}
    private let names = [Name(), Name(), Name()]

    private func place(_ position: Int, _ key: Int64, set: Int = 0) throws -> EntityPlace {
        EntityPlace(
            id: ObjectIdentifier(names[position]), graph: try RequestWriterTests.graph(),
            type: StructureID(set), set: EntitySetID(set), key: [.integer(key)])
    }

    private func tool(_ key: Int64 = 7, isNew: Bool = false) throws -> RequestEntity {
        let graph = try RequestWriterTests.graph()
        var values = StructureValue(type: StructureID(0), in: graph)
        values.slots[0] = .scalar(.integer(key))
        values.slots[1] = .scalar(.string("Saw"))
        return RequestEntity(
            place: try place(0, key), isNew: isNew, entityTag: "\"1\"", values: values,
            changedSlots: [1], hasChangedDynamics: false)
    }

    private func bound(_ settings: RequestSettings) throws -> [String] {
        var entity = try tool(isNew: true)
        let owner = EntityPlace(
            id: ObjectIdentifier(names[1]), graph: entity.place.graph, type: StructureID(1),
            set: EntitySetID(1), key: [.string("M")])
        entity.bindings = [
            .init(property: entity.definition.properties[3], target: owner, isBind: true)
        ]
        return try lines(.create(entity), settings)
    }

    /// The requests of a change whose answers tell nothing.
    private func lines(
        _ change: EntityChange, _ settings: RequestSettings = RequestSettings(),
        _ options: ChangeOptions = ChangeOptions()
    ) throws -> [String] {
        let writer = RequestWriter(
            graph: try RequestWriterTests.graph(), root: root, settings: settings)
        let address = EntityAddress(settings: settings, root: root)
        return try ChangePlanner(settings).steps(of: change).compactMap { step in
            try writer.message(of: step, options, address).map {
                "\($0.method) \($0.url) \(String(decoding: $0.body, as: UTF8.self))"
            }
        }
    }

    @Test func anUpdateSaysWhatChangedUnlessItReplaces() throws {
        #expect(try lines(.update(tool())) == [#"PATCH Tools(7) {"Title":"Saw"}"#])
        var settings = RequestSettings()
        settings.supportsPatch = false
        #expect(
            try lines(.update(tool()), settings) == [#"PUT Tools(7) {"Id":7,"Title":"Saw"}"#])
        var options = ChangeOptions()
        options.updateMode = .replace
        #expect(
            try lines(.update(tool()), RequestSettings(), options)
                == [#"PUT Tools(7) {"Id":7,"Title":"Saw"}"#])
    }

    @Test func anUpdateWithoutChangesIsSentOnlyWhereAskedFor() throws {
        var entity = try tool()
        entity.changedSlots = []
        #expect(try lines(.update(entity)).isEmpty)
        var options = ChangeOptions()
        options.sendsEmptyUpdate = true
        #expect(try lines(.update(entity), RequestSettings(), options) == ["PATCH Tools(7) {}"])
    }

    @Test func linksGoInsideOrHaveRequestsOfTheirOwn() throws {
        #expect(
            try bound(RequestSettings())
                == [#"POST Tools {"Id":7,"Title":"Saw","Owner@odata.bind":"Members('M')"}"#])
        var settings = RequestSettings()
        settings.supportsBind = false
        #expect(
            try bound(settings) == [
                #"POST Tools {"Id":7,"Title":"Saw"}"#,
                #"PUT Tools(7)/Owner/$ref {"@odata.id":"http://h/svc/Members('M')"}"#,
            ])
    }

    @Test func relativesFollowWithIdentitiesOfTheirOwn() throws {
        var parent = try tool()
        var child = try tool(8, isNew: true)
        child.place.id = ObjectIdentifier(names[2])
        child.place.parent = .entity(parent.place, parent.definition.properties[4])
        parent.relatives = [.init(slot: 4, entities: [child])]
        let steps = ChangePlanner(RequestSettings()).steps(of: .update(parent))
        #expect(steps.map(\.identity) == [.given, .own, .none])
        #expect(
            try lines(.update(parent)) == [
                #"PATCH Tools(7) {"Title":"Saw"}"#,
                ##"POST Tools(7)/Loans {"@odata.type":"#Ws.Tool","Id":8,"Title":"Saw"}"##,
            ])
    }

    @Test func whatAnAnswerTellsIsWhereLaterRequestsGo() throws {
        var place = try place(0, 7)
        place.key = []
        var address = EntityAddress(settings: RequestSettings(), root: root)
        #expect(throws: ODataError.self) { try address.text(place) }
        var answer = EntityAnswer(entityTag: "\"2\"")
        answer.key = [.integer(12)]
        address.learn(answer, of: place)
        #expect(try address.text(place) == "Tools(12)")
        address.created[ObjectIdentifier(names[0])] = "4"
        #expect(try address.text(place) == "$4")
    }

    @Test func whatTheAnswerToAContentSaysIsNotSentAgain() throws {
        var entity = try tool(isNew: true)
        entity.changedSlots = [0, 1]
        var answered = StructureValue(type: StructureID(0), in: entity.place.graph)
        answered.slots[1] = .scalar(.string("Saw"))
        answered.control.etag = "\"9\""
        let rest = entity.completing(EntityAnswer(values: answered))
        #expect(rest.changedSlots == [0] && rest.entityTag == "\"9\"" && !rest.isNew)
    }

    /// Only what steps of `$apply` have made need not be what the model says.
    @Test func theAnswerToAReadByUrlIsCheckedAsTheAppSays() throws {
        var settings = RequestSettings()
        settings.checks.isStrict = true
        let writer = RequestWriter(graph: try RequestWriterTests.graph(), root: root)
        let plan = try ReadPlan(
            place(0, 7), options: Query(path: ResourcePath([.entitySet("Tools")])), writer,
            EntityAddress(settings: settings, root: root))
        #expect(plan.reader(settings, root: root).checks.isStrict)
    }

    /// Its slots are those of other properties.
    @Test func anAnswerOfAnotherTypeTellsNoValues() throws {
        let entity = try tool(isNew: true)
        var answered = StructureValue(type: StructureID(1), in: entity.place.graph)
        answered.slots[0] = .scalar(.string("M"))
        let rest = entity.completing(EntityAnswer(values: answered))
        #expect(rest.values == entity.values && rest.changedSlots == entity.changedSlots)
    }

    @Test func aReplacementBesideAContentSaysWhatTheServiceGave() throws {
        var entity = try tool(isNew: true)
        entity.values.slots[0] = nil
        entity.place.key = []
        var answered = StructureValue(type: StructureID(0), in: entity.place.graph)
        answered.slots[0] = .scalar(.integer(12))
        answered.slots[2] = .scalar(.decimal(DecimalNumber(3)))
        let answer = EntityAnswer(values: answered)
        var options = ChangeOptions()
        options.updateMode = .replace
        let writer = RequestWriter(graph: entity.place.graph, root: root)
        var address = EntityAddress(settings: RequestSettings(), root: root)
        address.learn(answer, of: entity.place)
        let message = try writer.message(
            of: ChangeStep(.complete(entity.completing(answer), unbinds: []), .none), options,
            address)
        #expect(message?.url == "Tools(12)")
        #expect(
            message.map { String(decoding: $0.body, as: UTF8.self) }
                == #"{"Id":12,"Title":"Saw","Price":3}"#)
    }

    @Test func onlyWhatGoesByItselfIsTunnelled() throws {
        var settings = RequestSettings()
        settings.tunnelledMethods = ["DELETE"]
        settings.avoidedInPaths = "("
        let writer = RequestWriter(
            graph: try RequestWriterTests.graph(), root: root, settings: settings)
        let message = RequestMessage(method: "DELETE", url: "Tools(7)")
        let alone = writer.alone(message, headers: ["X-Own": "1"])
        #expect(alone.method == "POST" && alone.url == "Tools%287)")
        #expect(alone.headers["X-HTTP-Method"] == "DELETE" && alone.headers["X-Own"] == "1")
        let inside = writer.inside(message)
        #expect(inside.method == "DELETE" && inside.url == "Tools(7)")
        #expect(inside.headers["OData-Version"] == "4.0")
    }

    @Test func aNetworkThatLetsNoChangesPassLetsReadsPass() throws {
        var writer = RequestWriter(graph: try RequestWriterTests.graph(), root: root)
        writer.tunnelsMethods = true
        let methods = ["GET", "POST", "PATCH", "DELETE"].map {
            writer.alone(RequestMessage(method: $0, url: "Tools(7)")).method
        }
        #expect(methods == ["GET", "POST", "POST", "POST"])
    }
}
