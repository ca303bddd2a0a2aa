import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText
import Testing

/// What a local write does beside its own rows.
@Suite struct EffectPlannerTests {
    private var table: RowTable

    init() throws { table = try RowTable() }

    private func navigation(_ row: RowReference, _ name: String) throws -> NavigationMapping {
        try #require(try table.mapping.existingTable(path: row.table).navigation(path: name))
    }

    private func linked(
        _ source: RowReference, _ name: String, _ target: RowReference,
        created: [RowReference: StructureValue] = [:]
    ) throws -> EffectPlanner {
        var planner = EffectPlanner(table, created: created)
        try planner.link(source, navigation(source, name), target)
        return planner
    }

    private func unlinked(
        _ source: RowReference, _ name: String, _ target: RowReference? = nil
    ) throws -> [RequestEffect] {
        var planner = EffectPlanner(table)
        try planner.unlink(source, navigation(source, name), target)
        return planner.effects
    }

    private func deleted(
        _ row: RowReference, maximum: Int = 100
    ) throws -> Set<RequestEffect> {
        var planner = EffectPlanner(table, maximumVictims: maximum)
        try planner.cascade(from: row)
        let effects = Set(planner.effects)
        #expect(effects.count == planner.effects.count)
        // That the caller has read the row already changes nothing.
        var informed = EffectPlanner(table, maximumVictims: maximum)
        try informed.cascade(from: row, known: table.row(row))
        #expect(informed.effects == planner.effects)
        return effects
    }

    private func link(
        _ source: RowReference, _ navigation: String, _ target: RowReference
    ) -> LinkReference {
        LinkReference(source: source, navigation: navigation, target: target)
    }

    // MARK: Links

    @Test mutating func aRelationToOneTakesThePlaceOfTheOneBefore() throws {
        let (ada, old, new) = (
            try table.add("People", 1), try table.add("Badges", 1), try table.add("Badges", 2)
        )
        table.link(ada, "Badge", old)
        #expect(
            try linked(ada, "Badge", new).effects
                == [.removeLink(link(ada, "Badge", old)), .addLink(link(ada, "Badge", new))])
        // What stands stays.
        #expect(
            try linked(ada, "Badge", old).effects == [.addLink(link(ada, "Badge", old))])
    }

    @Test(arguments: [true, false])
    mutating func whatBelongsToOneOnlyIsTakenFromTheOther(isReversed: Bool) throws {
        let (ada, bea, badge) = (
            try table.add("People", 1), try table.add("People", 2), try table.add("Badges", 1)
        )
        table.link(bea, "Badge", badge)
        let effects =
            try isReversed
            ? linked(badge, "Holder", ada).effects : linked(ada, "Badge", badge).effects
        // One direction has the name of the link.
        guard case .addLink(let added)? = effects.last else {
            Issue.record("Expected a link.")
            return
        }
        let old =
            added.source == ada
            ? link(bea, added.navigation, badge) : link(badge, added.navigation, bea)
        #expect(effects == [.removeLink(old), .addLink(added)])
        #expect(Set([added.source, added.target]) == [ada, badge])
    }

    @Test mutating func relationsToManyStandBesideEachOther() throws {
        let (ada, bea, saw) = (
            try table.add("People", 1), try table.add("People", 2), try table.add("Tools", 1)
        )
        table.link(bea, "Tools", saw)
        #expect(try linked(ada, "Tools", saw).effects == [.addLink(link(ada, "Tools", saw))])
        #expect(try linked(saw, "Users", ada).effects == [.addLink(link(ada, "Tools", saw))])
    }

    @Test mutating func aRelationGoesFromBothEnds() throws {
        let (ada, bea, saw) = (
            try table.add("People", 1), try table.add("People", 2), try table.add("Tools", 1)
        )
        table.link(ada, "Tools", saw)
        table.link(bea, "Tools", saw)
        let one = RequestEffect.removeLink(link(ada, "Tools", saw))
        let other = RequestEffect.removeLink(link(bea, "Tools", saw))
        #expect(try unlinked(ada, "Tools", saw) == [one])
        #expect(try unlinked(saw, "Users", ada) == [one])
        #expect(try unlinked(ada, "Tools") == [one])
        #expect(try unlinked(saw, "Users") == [one, other])
    }

    // MARK: Foreign keys

    @Test mutating func theKeyOfThePrincipalIsWrittenFromBothEnds() throws {
        let (order, customer) = (try table.add("Orders", 1), try table.add("Customers", 5))
        let expected = RequestEffect.values(
            row: order, values: try table.values("Orders", ["CustomerID": 5]), principal: customer)
        for planner in [
            try linked(order, "Customer", customer), try linked(customer, "Orders", order),
        ] {
            #expect(planner.effects == [expected])
            #expect(planner.principals == [customer])
        }
    }

    @Test mutating func aPrincipalOfTheSameRequestHasItsKeyThere() throws {
        let (order, customer) = (
            RowReference(table: "Orders", id: -1), RowReference(table: "Customers", id: -2)
        )
        let created = [
            order: try table.values("Orders", [:]),
            customer: try table.values("Customers", ["ID": -7]),
        ]
        let planner = try linked(order, "Customer", customer, created: created)
        #expect(
            planner.effects == [
                .values(
                    row: order, values: try table.values("Orders", ["CustomerID": -7]),
                    principal: customer)
            ])
        // Neither there nor here, or out of view.
        #expect(failure { try linked(order, "Customer", customer) } == .notFound)
        try table.add("Customers", -2, state: .deleted)
        #expect(failure { try linked(order, "Customer", customer) } == .notFound)
    }

    private func failure<Result>(_ body: () throws -> Result) -> ODataError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? ODataError)?.code
        }
    }

    @Test mutating func anOptionalRelationEndsAndARequiredOneDoesNot() throws {
        let order = try table.add("Orders", 1, ["CustomerID": 5, "ShopID": 6])
        let (customer, shop) = (try table.add("Customers", 5), try table.add("Shops", 6))
        let cleared = RequestEffect.values(
            row: order, values: try table.values("Orders", ["CustomerID": nil]), principal: nil)
        #expect(try unlinked(order, "Customer") == [cleared])
        #expect(try unlinked(customer, "Orders", order) == [cleared])
        #expect(failure { try unlinked(order, "Shop") } == .conflict)
        #expect(failure { try unlinked(shop, "Orders", order) } == .conflict)
    }

    @Test mutating func aForeignKeyThatIsSetByValueFollowsWhatWasMadeHere() throws {
        let order = try table.add("Orders", 1)
        let (made, known) = (try table.add("Customers", -3), try table.add("Customers", 5))
        func followed(_ key: Int64?) throws -> EffectPlanner {
            var planner = EffectPlanner(table)
            try planner.followForeignKeys(
                of: order, in: table.values("Orders", ["CustomerID": key]),
                table: table.mapping.existingTable(path: "Orders"))
            return planner
        }
        let change = try table.values("Orders", ["CustomerID": -3])
        #expect(
            try followed(-3).effects == [.values(row: order, values: change, principal: made)])
        #expect(try followed(-3).principals == [made])
        // The service has the other one: its key stays as it is.
        #expect(try followed(5).effects.isEmpty)
        #expect(try followed(5).principals == [known])
        #expect(try followed(6).principals.isEmpty && followed(nil).principals.isEmpty)
    }

    // MARK: Deletes

    @Test mutating func whatBelongsToADeletedRowGoesAndWhatRefersToItIsCutOff() throws {
        let (customer, shop) = (try table.add("Customers", 5), try table.add("Shops", 6))
        let orders = try [1, 2].map {
            try table.add("Orders", $0, ["CustomerID": 5, "ShopID": 6])
        }
        let item = try table.add("Orders/Items", 8, parent: 2)
        try table.add("Orders", 3, ["CustomerID": 4, "ShopID": 4])
        try table.add("Orders", 4, ["CustomerID": 5, "ShopID": 6], state: .deleted)
        #expect(try deleted(shop) == [.hide(orders[0]), .hide(orders[1]), .hide(item)])
        let cleared = try table.values("Orders", ["CustomerID": nil])
        #expect(
            try deleted(customer)
                == Set(orders.map { .values(row: $0, values: cleared, principal: nil) }))
        #expect(try deleted(orders[0]).isEmpty)
        #expect(try deleted(RowReference(table: "Shops", id: 9)).isEmpty)
    }

    @Test mutating func aDeletionReachesSoManyRowsAndNoMore() throws {
        let shop = try table.add("Shops", 6)
        for id in 1...3 { try table.add("Orders", Int64(id), ["ShopID": 6]) }
        #expect(try deleted(shop, maximum: 4).count == 3)
        #expect(failure { try deleted(shop, maximum: 3) } == .limitExceeded)
    }
}
