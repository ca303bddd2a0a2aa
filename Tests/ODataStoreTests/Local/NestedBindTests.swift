import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Creations with nested entities that refer to others, at a service that takes no links inside an entity.
@Suite struct NestedBindTests {
    /// Customers that pick orders, which no column tells.
    private static func fixture() throws -> StoreFixture {
        let fixture = try StoreFixture.withPicks()
        fixture.store.emulation = LinkEmulation(binds: true, keepsOthers: true)
        return fixture
    }

    /// An entity that was read before, as a nested one refers to it.
    private static func known(
        _ type: String, _ values: [String: ODataValue], _ link: String, _ fixture: StoreFixture
    ) throws -> ODataValue {
        var entity = try fixture.value(type, values)
        entity.control.readLink = link
        return .structure(entity)
    }

    @Test func aLinkThatAForeignKeySaysIsPartOfTheNestedEntity() throws {
        let fixture = try Self.fixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        let order = try fixture.value(
            "Order",
            [
                "Title": .text("picked"),
                "Customer": try Self.known("Customer", ["ID": .number(1)], "Customers(1)", fixture),
            ])
        let ada = try fixture.create(
            "Customers", ["Name": .text("Ada"), "Picks": .list([.structure(order)])])
        let requests = try fixture.store.allRequests()
        let nested = try #require(requests.first?.body?.inline.first)
        #expect(requests.count == 1 && nested.body.binds.isEmpty)
        let slot = try #require(
            try fixture.graph()[nested.body.values.type].slot(named: "CustomerID"))
        #expect(nested.body.values.slots[slot] == .number(1))
        #expect(try fixture.store.related(bo, "Orders") == [nested.row])
        #expect(try fixture.store.related(ada, "Picks") == [nested.row])
    }

    /// It could be sent neither inside the entity nor, before the service has made that, behind it.
    @Test func aLinkThatNoForeignKeySaysIsRefused() throws {
        let fixture = try Self.fixture()
        try fixture.download("Tags", #"{"Code":"red"}"#)
        let customer = try fixture.value(
            "Customer",
            [
                "Name": .text("Ada"),
                "Tags": .list([
                    try Self.known("Tag", ["Code": .text("red")], "Tags('red')", fixture)
                ]),
            ])
        let error = #expect(throws: ODataError.self) {
            try fixture.create(
                "Orders", ["Title": .text("new"), "Customer": .structure(customer)])
        }
        #expect(error?.code == .usage && error?.location == .path("Customers/Tags"))
        #expect(try fixture.queue().isEmpty && fixture.customers().isEmpty)
        #expect(try fixture.orders().isEmpty)
    }
}
