import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataWire
import Testing

/// Which rows of an answer are which of those that were sent with a creation: by key or content, each at most once.
@Suite struct CreationAnswerTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Items" Type="Collection(S.Item)" Partner="Order"/></EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
            <Property Name="OrderID" Type="Edm.Int64"/>
            <NavigationProperty Name="Order" Type="S.Order" Partner="Items">
              <ReferentialConstraint Property="OrderID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
            <EntitySet Name="Items" EntityType="S.Item">
              <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let mapping: SchemaMapping
    private var graph: MetadataGraph { mapping.graph }
    private let order = RowReference(table: "Orders", id: -1)

    init() throws {
        mapping = SchemaMapping.local(for: try CSDLReader.read(Array(Self.metadata.utf8)))
    }

    private func values(_ type: String, _ values: [String: Scalar]) -> StructureValue {
        let id = graph.structure(named: "S." + type) ?? StructureID(0)
        var result = StructureValue(type: id, in: graph)
        for (name, value) in values {
            if let slot = graph[id].slot(named: name) { result.slots[slot] = .scalar(value) }
        }
        return result
    }

    private func item(_ text: String, key: Int64? = nil) -> StructureValue {
        var slots: [String: Scalar] = ["Text": .string(text)]
        if let key { slots["ID"] = .integer(key) }
        return values("Item", slots)
    }

    /// What the answer tells of items that were sent with an order, as `text` or `text=key`.
    private func told(
        _ sent: [StructureValue], _ answer: String, binding: [RowReference] = [],
        following principal: RowReference? = nil, keyed: [RowReference: StructureValue] = [:]
    ) throws -> [String] {
        var body = RequestBody(values: values("Order", ["Title": .string("new")]))
        var effects: [RequestEffect] = []
        for (index, item) in sent.enumerated() {
            let row = RowReference(table: "Items", id: Int64(-2 - index))
            body.inline.append(
                .init(navigation: "Items", row: row, body: RequestBody(values: item)))
            effects.append(
                .values(
                    row: row, values: values("Item", ["OrderID": .integer(-1)]),
                    principal: principal ?? order))
        }
        if !binding.isEmpty { body.binds = [.init(navigation: "Items", targets: binding)] }
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .create, target: order,
            body: body, effects: effects)
        let message = ResponseMessage(
            status: 201, headers: ["Content-Type": "application/json"],
            body: Array(#"{"ID":17,"Title":"new","Items":[\#(answer)]}"#.utf8))
        let rows = try CreationAnswer(message, to: request, mapping: mapping, keyed: keyed).rows
        #expect(rows.first?.key == [.integer(17)])
        #expect(rows.map(\.row.id) == (0...sent.count).map { -1 - Int64($0) })
        let (text, parent) = try (slot("Text"), slot("OrderID"))
        return rows.dropFirst().map { row in
            #expect(row.values.slots[parent] == .scalar(.integer(17)))
            guard case .scalar(.string(let shown))? = row.values.slots[text] else { return "?" }
            guard case .integer(let key)? = row.key?.first else { return shown }
            return "\(shown)=\(key)"
        }
    }

    private func slot(_ name: String) throws -> Int {
        try #require(graph.structure(named: "S.Item").flatMap { graph[$0].slot(named: name) })
    }

    /// An answer of fewer rows than were sent.
    @Test func oneRowIsOneOfThoseThatWereSent() throws {
        #expect(
            try told([item("a"), item("b")], #"{"ID":5,"Text":"b","OrderID":17}"#)
                == ["a", "b=5"])
        // It is like none of them: nobody knows which.
        #expect(
            try told([item("a"), item("b")], #"{"ID":5,"Text":"c","OrderID":17}"#) == ["a", "b"])
    }

    @Test func rowsAreToldByContentInWhateverOrder() throws {
        #expect(
            try told(
                [item("a"), item("b"), item("c")],
                #"{"ID":7,"Text":"c"},{"ID":5,"Text":"a"},{"ID":6,"Text":"b"}"#.replacing(
                    "\"}", with: "\",\"OrderID\":17}")) == ["a=5", "b=6", "c=7"])
        // One was made into something else.
        #expect(
            try told(
                [item("a"), item("b")],
                #"{"ID":6,"Text":"x","OrderID":17},{"ID":5,"Text":"a","OrderID":17}"#)
                == ["a=5", "b"])
    }

    /// Those of one content cannot be told apart, and need not be: each gets a row of its own.
    @Test func rowsOfOneContentAreTakenOnceEach() throws {
        let answer = #"{"ID":5,"Text":"a","OrderID":17},{"ID":6,"Text":"a","OrderID":17}"#
        #expect(try told([item("a"), item("a")], answer) == ["a=5", "a=6"])
        #expect(try told([item("a")], answer) == ["a"])
    }

    @Test func keysThatWereSentTell() throws {
        #expect(
            try told(
                [item("a", key: 5), item("b", key: 6)],
                #"{"ID":6,"Text":"B!","OrderID":17},{"ID":5,"Text":"A!","OrderID":17}"#)
                == ["A!=5", "B!=6"])
        #expect(
            try told([item("a", key: 5)], #"{"ID":6,"Text":"a","OrderID":17}"#) == ["a=5"])
    }

    /// The one row of one that was sent is that one, whatever the service made of its content; not so with rows that were
    /// there before.
    @Test func theOnlyRowIsTheOneThatWasSentUnlessAnotherWasBound() throws {
        #expect(try told([item("a")], #"{"ID":5,"Text":"A","OrderID":17}"#) == ["A=5"])
        let bound = [RowReference(table: "Items", id: 3)]
        #expect(
            try told([item("a")], #"{"ID":5,"Text":"A","OrderID":17}"#, binding: bound) == ["a"])
        #expect(
            try told(
                [item("a")],
                #"{"ID":3,"Text":"old","OrderID":17},{"ID":5,"Text":"a","OrderID":17}"#,
                binding: bound) == ["a=5"])
    }

    /// A foreign key of a row that an earlier answer has named is what the service shows, not what was made here.
    @Test func rowsAreToldByTheKeysOfEarlierAnswers() throws {
        let other = RowReference(table: "Orders", id: -9)
        let answer = #"{"ID":6,"Text":"b","OrderID":17},{"ID":5,"Text":"a","OrderID":17}"#
        #expect(
            try told(
                [item("a"), item("b")], answer, following: other,
                keyed: [other: values("Order", ["ID": .integer(17)])]) == ["a=5", "b=6"])
    }
}
