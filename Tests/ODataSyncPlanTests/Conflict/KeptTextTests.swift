import ODataModel
import ODataSQL
import ODataSyncPlan
import Testing

/// Services that keep texts in one form, codes in upper case: what they make of our own change is nobody else's.
@Suite struct KeptTextTests {
    private static let graph: MetadataGraph = {
        var graph = MetadataGraph(version: .v4)
        var type = StructureDefinition(kind: .entity, namespace: "S", name: "T")
        for name in ["K", "Code", "Name"] {
            type.properties.append(
                PropertyDefinition(name: name, type: TypeReference(.primitive(.string))))
        }
        type.key = [KeyProperty(path: "K")]
        graph.structures = [type]
        try? graph.freeze()
        return graph
    }()

    private static func values(_ code: String?, _ name: String? = nil) -> StructureValue {
        StructureValue(
            type: StructureID(0),
            slots: [nil, code, name].map { $0.map { .scalar(.string($0)) } })
    }

    private static func change(
        _ values: StructureValue, binds: Bool = false
    ) -> QueuedRequest {
        let row = RowReference(table: "T", id: 1)
        var body = RequestBody(values: values)
        if binds { body.binds = [RequestBody.Bind(navigation: "N", targets: [row])] }
        return QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
            target: row, body: body)
    }

    @Test(arguments: [("ABC", true), ("abc", true), ("DEF", false)])
    func aTextThatTheServiceKeepsInOneFormIsOurOwn(code: String, isUnchanged: Bool) {
        let comparison = BaseComparison(graph: Self.graph)
        func isSame(_ state: EntityState) -> Bool {
            comparison.isUnchanged(
                StoredRow(id: 1, values: Self.values("abc"), state: state),
                in: Self.values(code), under: Self.change(Self.values("x")))
        }
        #expect(isSame([.updated, .unseen]) == isUnchanged)
        // What was seen is as the service keeps it.
        #expect(isSame(.updated) == (code == "abc"))
    }

    @Test(arguments: [
        // It was sent in another form than it is kept in.
        ("old", "abc", "ABC", true), ("old", "abc", "abc", true), ("old", "abc", "old", false),
        // Only its form was to change: the row may show what was there before.
        ("ABC", "abc", "ABC", false), ("ABC", "abc", "abc", true),
    ])
    func aChangeIsShownInTheFormThatTheServiceKeeps(
        base: String, sent: String, found: String, isShown: Bool
    ) {
        let (base, found) = (Self.values(base), Self.values(found))
        let change = Self.change(Self.values(sent))
        #expect(change.isShown(in: found, over: base, Self.graph) == isShown)
        // What a change binds no values tell.
        let binds = Self.change(Self.values(sent), binds: true)
        #expect(!binds.isShown(in: found, over: base, Self.graph))
        #expect(binds.showsValues(in: found, over: base, Self.graph) == isShown)
    }

    /// A change that was sent without an answer, and binds something beside.
    @Test func whatWasSentAlreadyIsNoDifferenceWhereItBindsSomething() {
        let (base, found) = (Self.values("old"), Self.values("new", "theirs"))
        var change = Self.change(Self.values("new"), binds: true)
        #expect(!change.wasDone(in: found, over: base, Self.graph))
        change.flags = .open
        #expect(change.wasDone(in: found, over: base, Self.graph))
        #expect(!change.wasDone(in: base, over: base, Self.graph))
        change.operation = .update(.replace)
        #expect(!change.wasDone(in: found, over: base, Self.graph))
        // Where nothing but a link was to change, the key that follows it tells; without one nothing does.
        var bind = Self.change(Self.values(nil), binds: true)
        bind.flags = .open
        #expect(!bind.wasDone(in: found, over: base, Self.graph))
        bind.effects = [.values(row: bind.target, values: Self.values("new"), principal: nil)]
        #expect(bind.wasDone(in: found, over: base, Self.graph))
        #expect(!bind.wasDone(in: base, over: base, Self.graph))
    }
}
