import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// What answers change in a store, as functions of what the store knows.
@Suite struct RecordingTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="CustomerID" Type="Edm.Int64"/>
            <Property Name="Title" Type="Edm.String"/>
            <NavigationProperty Name="Customer" Type="S.Customer">
              <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Customers" EntityType="S.Customer"/>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let mapping: SchemaMapping
    private var graph: MetadataGraph { mapping.graph }
    private let local = RowReference(table: "Customers", id: -1)
    private let other = RowReference(table: "Customers", id: 7)

    init() throws {
        mapping = SchemaMapping.local(for: try CSDLReader.read(Array(Self.metadata.utf8)))
    }

    private func values(_ type: String, _ values: [String: ODataValue]) -> StructureValue {
        let id = graph.structure(named: "S." + type) ?? StructureID(0)
        var result = StructureValue(type: id, in: graph)
        for (name, value) in values {
            if let slot = graph[id].slot(named: name) { result.slots[slot] = value }
        }
        return result
    }

    private func customer(_ id: Int64?, _ name: String?, etag: String? = nil) -> StructureValue {
        var slots: [String: ODataValue] = [:]
        if let id { slots["ID"] = .scalar(.integer(id)) }
        if let name { slots["Name"] = .scalar(.string(name)) }
        var result = values("Customer", slots)
        result.control.etag = etag
        return result
    }

    private func request(
        _ operation: QueuedRequest.Operation, _ row: RowReference, _ body: StructureValue? = nil,
        id: Int64 = 1, ifMatch: String? = nil, effects: [RequestEffect] = []
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i"), operation: operation, target: row,
            body: body.map { RequestBody(values: $0) }, effects: effects, ifMatch: ifMatch)
    }

    @Test func whatFollowsNoneOfTheKeyedRowsIsLeftAlone() throws {
        let order = RowReference(table: "Orders", id: -2)
        let key = values("Order", ["CustomerID": .scalar(.integer(5))])
        let create = request(
            .create, order, values("Order", ["CustomerID": .scalar(.integer(5))]),
            effects: [.values(row: order, values: key, principal: local)])
        let rekeyed = try Rekeying(
            [local: customer(41, nil)], in: [create, request(.update(.merge), other, id: 2)],
            mapping: mapping)
        #expect(rekeyed.requests.map(\.id) == [1] && rekeyed.rows == [order])
        let none = try Rekeying([other: customer(41, nil)], in: [create], mapping: mapping)
        #expect(none.requests.isEmpty && none.rows.isEmpty)
    }

    private func message(_ status: Int, _ body: String = "", etag: String? = nil) -> ResponseMessage
    {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        headers["ETag"] = etag
        return ResponseMessage(status: status, headers: headers, body: Array(body.utf8))
    }

    private func accepted(
        _ request: QueuedRequest, _ answer: ResponseMessage, linkKey: [Scalar]? = nil,
        keys: KeyStyle = .parentheses,
        _ change: (inout Acceptance.Facts) -> Void = { _ in }
    ) throws -> Acceptance {
        var facts = Acceptance.Facts()
        facts.writers = [request]
        change(&facts)
        let created =
            request.operation == .create
            ? try CreationAnswer(answer, to: request, linkKey: linkKey, mapping: mapping) : nil
        return try Acceptance(
            of: request, answered: answer, creating: created, facts: facts, mapping: mapping,
            keys: keys)
    }

    // MARK: Creations

    @Test func aCreationBecomesTheBaseUnderItsKey() throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let found = try accepted(create, message(201, #"{"ID":41,"Name":"Ada S"}"#, etag: "\"9\""))
        let row = StoredRow(id: -1, values: customer(41, "Ada S", etag: "\"9\""), state: .created)
        #expect(
            found.edits == [
                .image(local, StoredImage(row: row, kind: .present)),
                .alias(local, url: "Customers(41)"), .remove(request: 1),
            ])
        #expect(found.keyed[local] == row.values)
    }

    @Test func aKeyInTheHeadersIsEnoughAndWithoutAnyTheRowGoes() throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let keyed = try accepted(create, message(204), linkKey: [.integer(5)])
        #expect(keyed.edits.contains(.alias(local, url: "Customers(5)")))
        let keyless = try accepted(create, message(204))
        #expect(keyless.edits == [.forget(local), .remove(request: 1)])
        #expect(keyless.keyed.isEmpty)
    }

    @Test func anAnswerThatShowsAnotherEntityChangesNoKey() throws {
        let update = request(.update(.merge), other, customer(nil, "Ida"), ifMatch: "\"1\"")
        let base = StoredRow(id: 7, values: customer(7, "Ada", etag: "\"1\""))
        let found = try accepted(update, message(200, #"{"ID":8,"Name":"Cleo"}"#)) { facts in
            facts.images[other] = StoredImage(row: base, kind: .present)
        }
        var row = base
        row.values = customer(7, "Ida")
        row.state = [.updated, .unseen, .untagged]
        #expect(
            found.edits == [
                .image(other, StoredImage(row: row, kind: .present)), .remove(request: 1),
            ])
    }

    @Test func whatTheStoreCannotTakeIsListedOnlyWhereTheServiceAcceptedIt() {
        let error = ODataError(.conflict, "Expected a free key.", at: .path("Customers"))
        let accepted = AnswerRule.accept(message(204)).notTaken(because: error)
        #expect(
            accepted
                == .become(
                    .unknown(
                        reason: "The service accepted it, but the store cannot take the answer:"
                            + " Expected a free key. (Customers)")))
        let refused = AnswerRule.become(.failed(RequestFailure(status: 409)))
        for rule in [refused, .wait, .waitOpen, .stay] {
            #expect(rule.notTaken(because: error) == rule)
        }
    }

    @Test func ofTwoRowsWithOneKeyTheOneInViewStays() {
        let wanted = StoredRow(id: 1, values: customer(5, "Ada"), state: .error)
        var holder = StoredRow(id: 2, values: customer(5, "Bea"), state: [.created, .pending])
        #expect(KeyCollision(of: wanted, with: holder, because: .app) == .refuse)
        var hidden = wanted
        hidden.state = [.error, .deleted]
        #expect(KeyCollision(of: wanted, with: holder, because: .service) == .stayOut(hidden))
        holder.state.insert(.deleted)
        for cause in [KeyCollision.Cause.app, .service] {
            #expect(KeyCollision(of: wanted, with: holder, because: cause) == .takeKey)
            // Another rule than the key was broken.
            #expect(KeyCollision(of: wanted, with: nil, because: cause) == .refuse)
            #expect(KeyCollision(of: wanted, with: wanted, because: cause) == .refuse)
        }
    }

    @Test func theLinkThatARowGetsHasItsKeyAsTheServiceHasKeys() throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let found = try accepted(create, message(204), linkKey: [.integer(5)], keys: .segments)
        #expect(found.edits.contains(.alias(local, url: "Customers/5")))
    }

    @Test func aRowThatADownloadBroughtGivesWay() throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let later = request(
            .update(.merge), other, customer(nil, "Ida"), id: 2, ifMatch: "\"2\"")
        var sealed = request(.update(.merge), other, customer(nil, "Eda"), id: 3)
        sealed.state = .frozen(attempt: 4)
        let found = try accepted(create, message(201, #"{"ID":41,"Name":"Ada"}"#)) { facts in
            facts.doubles[local] = .init(
                row: other,
                stored: StoredRow(id: 7, values: customer(41, "Ada S", etag: "\"2\""), sources: 4))
            facts.queue = [create, later, sealed]
        }
        var moved = later
        moved.target = local
        let row = StoredRow(id: -1, values: customer(41, "Ada S", etag: "\"2\""), sources: 4)
        #expect(
            found.edits == [
                .join(other, into: local), .update(moved),
                .image(local, StoredImage(row: row, kind: .present)),
                .alias(local, url: "Customers(41)"), .remove(request: 1),
            ])
    }

    /// Found by what the app says is its own, or brought by a download, it may be what others have made of it.
    @Test(arguments: [
        // What was sent, as it is or in another form.
        ("Ada", true, "\"2\""), ("Ada ", true, "\"2\""), ("Bob", true, nil),
        // The answer itself tells what the service made of it.
        ("Bob", false, "\"2\""),
    ])
    func aChangeBehindACreationTakesTheTagOfALookOnlyWhereItOverwritesWhatWasSent(
        name: String, isLook: Bool, tag: String?
    ) throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let waiting = request(.update(.merge), local, customer(nil, "Ida"), id: 2)
        var facts = Acceptance.Facts()
        facts.writers = [create, waiting]
        let answer = message(200, #"{"ID":41,"Name":"\#(name)"}"#, etag: "\"2\"")
        let found = try Acceptance(
            of: create, answered: answer, isLook: isLook,
            creating: try CreationAnswer(answer, to: create, mapping: mapping), facts: facts,
            mapping: mapping)
        let tags = found.edits.compactMap { edit -> String? in
            if case .update(let later) = edit { later.ifMatch } else { nil }
        }
        #expect(tags.last == tag)
        let states = found.edits.compactMap { edit in
            if case .image(local, let image) = edit { image.row.state } else { nil }
        }
        // It is listed before it goes.
        #expect(states.last?.contains(.untagged) == (tag == nil))
    }

    /// The creation's answer told no tag.
    @Test func aChangeBehindACreationIsNotSentOverWhatADownloadBrought() throws {
        let create = request(.create, local, customer(41, "Ada"))
        let waiting = request(.update(.merge), local, customer(nil, "Ida"), id: 2)
        for (name, tag) in [("Ada", Optional("\"2\"")), ("Bob", nil)] {
            let found = try accepted(create, message(204)) { facts in
                facts.writers.append(waiting)
                facts.images[local] = StoredImage(
                    row: StoredRow(id: -1, values: customer(41, name, etag: "\"2\"")),
                    kind: .present)
            }
            let tags = found.edits.compactMap { edit -> String? in
                if case .update(let later) = edit { later.ifMatch } else { nil }
            }
            #expect(tags.last == tag)
            let states = found.edits.compactMap { edit in
                if case .image(local, let image) = edit { image.row.state } else { nil }
            }
            #expect(states.last?.contains(.untagged) == (tag == nil))
        }
    }

    /// A row that was there before and is bound to what was created.
    @Test func whatRefersToACreatedRowRefersToItsKey() throws {
        let order = RowReference(table: "Orders", id: 3)
        let create = request(
            .create, local, customer(nil, "Ada"),
            effects: [
                .values(
                    row: order, values: values("Order", ["CustomerID": .scalar(.integer(-1))]),
                    principal: local)
            ])
        let found = try accepted(create, message(201, #"{"ID":41,"Name":"Ada"}"#)) { facts in
            facts.images[order] = StoredImage(
                row: StoredRow(id: 3, values: values("Order", ["ID": .scalar(.integer(3))])),
                kind: .present)
        }
        let images = found.edits.compactMap { edit -> StructureValue? in
            if case .image(order, let image) = edit { image.row.values } else { nil }
        }
        #expect(
            images == [
                values(
                    "Order", ["ID": .scalar(.integer(3)), "CustomerID": .scalar(.integer(41))])
            ])
    }

    @Test(
        arguments: [
            // The answer tells the tag of what was created.
            ("\"1\"", nil, nil, "\"1\"", false),
            // A download has brought what was created: its tag is the one.
            (nil, "Ada", "\"1\"", "\"1\"", false),
            // Somebody has changed the row since: his tag would let the change overwrite it unseen.
            (nil, "Ida", "\"2\"", nil, false), ("\"1\"", "Ida", "\"2\"", "\"1\"", false),
            // Nobody has told a tag.
            (nil, nil, nil, nil, true),
        ] as [(String?, String?, String?, String?, Bool)])
    func whatWasChangedBehindACreationGoesWithTheTagOfWhatWasCreated(
        answered: String?, known: String?, present: String?, tag: String?, asks: Bool
    ) throws {
        let create = request(.create, local, customer(nil, "Ada"))
        let later = request(.update(.merge), local, customer(nil, "Eda"), id: 2)
        let found = try accepted(create, message(201, #"{"ID":41,"Name":"Ada"}"#, etag: answered)) {
            facts in
            facts.writers.append(later)
            guard let known else { return }
            facts.images[local] = StoredImage(
                row: StoredRow(id: -1, values: customer(41, known, etag: present)), kind: .present)
        }
        var tagged = later
        tagged.ifMatch = tag
        #expect(found.edits.contains(.update(tagged)) == (tag != nil))
        #expect(found.tagsWanted == (asks ? [local] : []))
    }

    @Test(arguments: [true, false])
    func aCreationWithoutATagIsMarkedWhereOtherRowsHaveTags(hasTags: Bool) throws {
        let create = request(.create, local, customer(nil, "Ada"))
        for tag in [nil, "\"1\""] {
            let found = try accepted(create, message(201, #"{"ID":41,"Name":"Ada"}"#, etag: tag)) {
                if hasTags { $0.taggedSets = ["Customers"] }
            }
            let states = found.edits.compactMap { edit in
                if case .image(local, let image) = edit { image.row.state } else { nil }
            }
            #expect(states.last?.contains(.untagged) == (hasTags && tag == nil))
        }
    }

    // MARK: Changes

    @Test(arguments: [
        // The base had what was sent for: it becomes what was sent, under the new tag.
        ("\"1\"", "\"2\"", "Bob", "\"2\"", "\"2\""),
        // A download has brought something later: the answer is late, and what waits was made for neither.
        ("\"3\"", "\"2\"", "Bo", "\"3\"", "\"1\""),
    ])
    func aLateAnswerChangesNothing(
        present: String, answered: String, name: String, tag: String, waits: String
    ) throws {
        let update = request(.update(.merge), other, customer(nil, "Bob"), ifMatch: "\"1\"")
        let waiting = request(.delete, other, id: 2, ifMatch: "\"1\"")
        let found = try accepted(update, message(204, etag: answered)) { facts in
            facts.images[other] = StoredImage(
                row: StoredRow(id: 7, values: customer(1, "Bo", etag: present)), kind: .present)
            facts.writers.append(waiting)
        }
        let images = found.edits.compactMap { edit -> StructureValue? in
            if case .image(_, let image) = edit { image.row.values } else { nil }
        }
        #expect((images.last ?? customer(1, "Bo", etag: present)) == customer(1, name, etag: tag))
        var later = waiting
        later.ifMatch = waits
        #expect(found.edits.contains(.update(later)) == (waits != waiting.ifMatch))
    }

    /// What a look shows after a lost answer: our change, and what others have done since.
    @Test(arguments: [
        // Nobody else was there, and what the service made of another property is its own matter.
        (QueuedRequest.Operation.update(.merge), "\"1\"", "Beta", 1, "\"2\""),
        (.delete, "\"1\"", "Bea", 1, "\"2\""),
        // Somebody has written what waits to be written.
        (.update(.merge), "\"1\"", "Bea", 2, "\"1\""),
        // A deletion goes over everything.
        (.delete, "\"1\"", "Bea", 2, "\"1\""),
        // A download has brought that before the look.
        (.update(.merge), "\"2\"", "Bea", 2, "\"1\""),
    ])
    func whatWaitsTakesTheTagOfALookOnlyWhereTheRowIsTheOneItWasMadeFor(
        operation: QueuedRequest.Operation, present: String, title: String, customer: Int64,
        tag: String
    ) throws {
        let order = RowReference(table: "Orders", id: 3)
        func row(_ values: [String: ODataValue]) -> StructureValue {
            self.values("Order", values)
        }
        let update = request(
            .update(.merge), order, row(["Title": .scalar(.string("Bea"))]), ifMatch: "\"1\"")
        let waiting = request(
            operation, order,
            operation == .delete ? nil : row(["CustomerID": .scalar(.integer(9))]), id: 2,
            ifMatch: "\"1\"")
        var base = row([
            "ID": .scalar(.integer(3)), "Title": .scalar(.string("Ada")),
            "CustomerID": .scalar(.integer(present == "\"2\"" ? customer : 1)),
        ])
        base.control.etag = present
        var facts = Acceptance.Facts()
        facts.images[order] = StoredImage(row: StoredRow(id: 3, values: base), kind: .present)
        facts.writers = [update, waiting]
        let shown = message(
            200, #"{"ID":3,"CustomerID":\#(customer),"Title":"\#(title)"}"#, etag: "\"2\"")
        let found = try Acceptance(
            of: update, answered: shown, isLook: true, facts: facts, mapping: mapping)
        let tags = found.edits.compactMap { edit -> String? in
            if case .update(let later) = edit { later.ifMatch } else { nil }
        }
        #expect((tags.last ?? waiting.ifMatch) == tag)
        // The answer to the request itself shows what it led to, whatever else is in it.
        let answered = try Acceptance(of: update, answered: shown, facts: facts, mapping: mapping)
        var later = waiting
        later.ifMatch = "\"2\""
        #expect(answered.edits.contains(.update(later)))
    }

    @Test func aTagThatTheAnswerDoesNotTellIsAskedForWhereChangesWait() throws {
        let update = request(.update(.merge), other, customer(nil, "Bob"), ifMatch: "\"1\"")
        let image = StoredImage(
            row: StoredRow(id: 7, values: customer(1, "Bo", etag: "\"1\"")), kind: .present)
        let alone = try accepted(update, message(204)) { $0.images[other] = image }
        #expect(alone.tagsWanted.isEmpty)
        // It is remembered until something tells it.
        let states = alone.edits.compactMap { edit in
            if case .image(other, let image) = edit { image.row.state } else { nil }
        }
        #expect(states.last?.contains(.untagged) == true)
        let followed = try accepted(update, message(204)) { facts in
            facts.images[other] = image
            facts.writers.append(request(.delete, other, id: 2))
        }
        #expect(followed.tagsWanted == [other])
    }

    @Test func aDeletionTakesItsVictimsAlong() throws {
        let order = RowReference(table: "Orders", id: 3)
        let found = try accepted(
            request(.delete, other, effects: [.hide(order)]), message(204))
        #expect(found.edits == [.forget(other), .forget(order), .remove(request: 1)])
    }

    // MARK: Keys

    @Test func whatWaitsFollowsTheKeyOfItsPrincipal() throws {
        let order = RowReference(table: "Orders", id: -2)
        let provisional = values("Order", ["CustomerID": .scalar(.integer(-1))])
        var waiting = request(
            .create, order, values("Order", ["CustomerID": .scalar(.integer(-1))]), id: 2,
            effects: [.values(row: order, values: provisional, principal: local)])
        let known = values("Order", ["CustomerID": .scalar(.integer(41))])
        let found = try Rekeying([local: customer(41, "Ada")], in: [waiting], mapping: mapping)
        #expect(found.rows == [order])
        #expect(found.requests.first?.body?.values == known)
        #expect(
            found.requests.first?.effects == [.values(row: order, values: known, principal: local)])
        // What is sealed is sent again as it was.
        waiting.state = .unknown(reason: "x")
        #expect(
            try Rekeying([local: customer(41, "Ada")], in: [waiting], mapping: mapping)
                .requests.isEmpty)
    }

    // MARK: Rows

    private func edits(
        _ requests: [QueuedRequest], current: StoredRow?, image: StoredImage? = nil,
        _ row: RowReference? = nil
    ) -> [RowPlan.Edit] {
        RowPlan.edits(
            of: row ?? other, requests, current: current, image: image,
            type: graph.structure(named: "S.Customer") ?? StructureID(0), isContained: false,
            graph: graph)
    }

    @Test func theFirstChangeKeepsWhatTheServiceSaidLast() {
        let current = StoredRow(id: 7, values: customer(1, "Bo", etag: "\"1\""))
        let update = request(.update(.merge), other, customer(nil, "Bob"))
        let shown = StoredRow(
            id: 7, values: customer(1, "Bob", etag: "\"1\""), state: [.updated, .pending])
        #expect(edits([update], current: current) == [.keepImage(current), .show(shown)])
        let image = StoredImage(row: current, kind: .present)
        #expect(edits([update], current: shown, image: image) == [.show(shown)])
        #expect(edits([], current: shown, image: image) == [.dropImage, .show(current)])
    }

    /// Its values are those of the service.
    @Test(arguments: [QueuedRequest.Operation.createLink, .updateLink, .deleteLink])
    func aRowWithAChangedLinkIsLinkedAndNotUpdated(operation: QueuedRequest.Operation) {
        let current = StoredRow(id: 7, values: customer(1, "Bo"))
        let shown = StoredRow(id: 7, values: customer(1, "Bo"), state: [.linked, .pending])
        #expect(
            edits([request(operation, other)], current: current)
                == [.keepImage(current), .show(shown)])
    }

    @Test func whatIsDeletedHereIsHiddenAndWhatTheServiceRemovedGoes() {
        let current = StoredRow(id: 7, values: customer(1, "Bo"))
        let hidden = StoredRow(
            id: 7, values: customer(1, "Bo"), state: [.updated, .pending, .deleted])
        let image = StoredImage(row: current, kind: .present)
        #expect(
            edits([request(.delete, other)], current: current, image: image)
                == [.hide(hidden, isNew: false)])
        let removed = StoredImage(row: current, kind: .tombstone)
        #expect(edits([], current: hidden, image: removed) == [.dropImage, .remove])
    }

    @Test func aCreationThatIsTakenBackLeavesNothing() {
        let made = StoredRow(id: -1, values: customer(nil, "Ada"), state: [.created, .pending])
        #expect(edits([], current: made, local) == [.remove])
        let create = request(.create, local, customer(nil, "Ada"))
        guard case .show(let shown)? = edits([create], current: nil, local).first else {
            Issue.record("Expected the row in view.")
            return
        }
        #expect(shown.isUnsentCreation && shown.control?.contains("Customers(~local-1)") == true)
    }

    // MARK: Links

    @Test(arguments: [true, false]) func aLinkIsWhatBaseAndQueueSay(isPresent: Bool) {
        let link = LinkReference(source: other, navigation: "Tags", target: local)
        let adds = request(.createLink, other, effects: [.addLink(link)])
        func edits(_ requests: [QueuedRequest], base: Bool?) -> [LinkPlan.Edit] {
            LinkPlan.edits(of: link, requests, base: base, isPresent: isPresent, graph: graph)
        }
        #expect(edits([adds], base: nil) == [.keepBase, .add])
        #expect(edits([adds], base: false) == [.add])
        #expect(edits([], base: isPresent) == [.dropBase, isPresent ? .add : .remove])
        #expect(edits([], base: nil).isEmpty)
    }

    // MARK: Attempts

    @Test func membersOfAChangeSetShareAnIdentity() throws {
        var first = request(.delete, other)
        var second = request(.delete, local, id: 2)
        first.changeSet = "s"
        second.changeSet = "s"
        second.identity.id = "j"
        let frozen = try AttemptEdits.frozen([1, 2], of: [second, first], in: 9, at: 5)
        #expect(
            frozen.map(\.identity) == [.init(id: "i", firstSent: 5), .init(id: "i", firstSent: 5)])
        #expect(frozen.allSatisfy { $0.state == .frozen(attempt: 9) })
        #expect(throws: ODataError.self) {
            try AttemptEdits.frozen([1], of: frozen, in: 9, at: 5)
        }
        let attempt = Attempt(
            id: 9, message: RequestMessage(method: "", url: ""), members: [], frozenAt: 5)
        #expect(
            AttemptEdits.thawed(attempt, frozen).allSatisfy {
                $0.state == .waiting && !$0.wasSent
            })
    }

    /// A download has brought the row that the service made under the key since.
    @Test(
        arguments: [
            (204, "W/\"2\"", false, false), (204, "W/\"1\"", false, true),
            (204, "W/\"2\"", true, true), (404, "W/\"2\"", false, true), (204, nil, false, true),
        ] as [(Int, String?, Bool, Bool)])
    func anAcceptedDeletionTakesNoRowAwayThatCameBehindIt(
        status: Int, tag: String?, isLook: Bool, goes: Bool
    ) throws {
        let request = request(.delete, other, ifMatch: "W/\"1\"")
        var facts = Acceptance.Facts()
        facts.images[other] = StoredImage(
            row: StoredRow(id: other.id, values: customer(7, "new", etag: tag)), kind: .present)
        let acceptance = try Acceptance(
            of: request, answered: message(status), isLook: isLook, facts: facts,
            mapping: mapping)
        #expect(
            acceptance.edits
                == (goes ? [.forget(other)] : []) + [.remove(request: request.id)])
    }
}
