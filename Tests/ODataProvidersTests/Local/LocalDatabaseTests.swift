import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import ODataWire
import Testing

/// A local database on its own: metadata of the app, related entities, and what it may be told to leave to the app.
@Suite struct LocalDatabaseTests {
    /// A database in a folder that goes with it; confined to the thread of its test.
    private final class Desk: @unchecked Sendable {
        let folder: URL
        let provider: SQLDatabaseProvider

        init() throws {
            folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("odata-local-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            provider = SQLDatabaseProvider(
                serviceName: "Local", databaseURL: "sqlite:" + Self.file(folder))
            provider.metadata = try CSDLParser().parse(OnlineResultTests.model(), url: "local")
            try provider.open()
        }

        deinit {
            try? provider.close()
            try? FileManager.default.removeItem(at: folder)
        }

        private static func file(_ folder: URL) -> String {
            folder.appendingPathComponent("store.db").path
        }

        func rows(_ sql: String) throws -> [String] {
            let queue = try DatabaseQueue(path: Self.file(folder))
            defer { try? queue.close() }
            return try queue.read { try String.fetchAll($0, sql: sql) }
        }

        var service: DataService { DataService(provider: provider) }
        var orders: EntitySet { provider.metadata.entitySet(withName: "Orders") }
        var items: EntitySet { provider.metadata.entitySet(withName: "Items") }

        func property(_ set: EntitySet, _ name: String) -> Property {
            set.entityType.property(withName: name)
        }

        func new(_ set: EntitySet, _ id: Int? = nil) -> EntityValue {
            let entity = EntityValue(withDefaults: false, type: set.entityType).inSet(set)
            if let id { property(set, "Id").setIntValue(in: entity, to: id) }
            return entity
        }

        /// An order that is stored with one item, read with it.
        func order() throws -> EntityValue {
            let order = new(orders, 7)
            try service.createEntity(order)
            try service.createRelatedEntity(
                new(items, 1), in: order, property: property(orders, "Items"))
            return try service.executeQuery(
                DataQuery().from(orders).expand(property(orders, "Items"))
            ).requiredEntity()
        }

        func itemsOfOrder() throws -> [String] {
            let found = try service.executeQuery(
                DataQuery().from(orders).expand(property(orders, "Items"))
            ).requiredEntity()
            return property(orders, "Items").entityList(from: found).toArray().map { item in
                let id = property(items, "Id").intValue(from: item)
                return "\(id):\(property(items, "Text").optionalString(from: item) ?? "")"
            }.sorted()
        }
    }

    private func run(_ body: @escaping @Sendable (Desk) throws -> Void) async throws {
        try await onOwnThread { try body(Desk()) }
    }

    @Test func itWorksWithMetadataOfTheApp() async throws {
        try await run { desk in
            let (order, items) = (try desk.order(), try desk.itemsOfOrder())
            #expect(order.hasKey() && items == ["1:"])
            #expect(desk.property(desk.items, "Text").column == "Text")
            #expect(desk.property(desk.items, "Text").columnType == "TEXT")
            #expect(desk.property(desk.items, "Id").columnType == "INTEGER")
            #expect(desk.property(desk.orders, "Items").column == nil)
        }
    }

    @Test(arguments: [false, true])
    func anUpdateTakesRelatedEntitiesAlong(_ isInSet: Bool) async throws {
        try await run { desk in
            let order = try desk.order()
            let items = desk.property(desk.orders, "Items").entityList(from: order)
            let (known, new) = (items[0], desk.new(desk.items, 2))
            desk.property(desk.items, "Text").setStringValue(in: known, to: "a")
            desk.property(desk.items, "Text").setStringValue(in: new, to: "b")
            items.append(new)
            if isInSet {
                let changes = ChangeSet()
                changes.updateEntity(order)
                try desk.service.applyChanges(changes)
            } else {
                try desk.service.updateEntity(order)
            }
            #expect(try desk.itemsOfOrder() == ["1:a", "2:b"])
            #expect(!new.isNew && known.changedSlots.isEmpty)
            #expect(known.hasPendingChanges && new.hasPendingChanges)
        }
    }

    @Test func aNewEntityOfASingleValuedPropertyIsCreatedAndLinked() async throws {
        try await run { desk in
            let item = desk.new(desk.items, 1)
            try desk.service.createEntity(item)
            let order = desk.new(desk.orders, 9)
            desk.property(desk.items, "Order").setEntityValue(in: item, to: order)
            try desk.service.updateEntity(item)
            #expect(!order.isNew)
            #expect(try desk.itemsOfOrder() == ["1:"])
        }
    }

    @Test func aRefusedRelativeLeavesNothing() async throws {
        try await run { desk in
            let order = try desk.order()
            desk.property(desk.orders, "Name").setStringValue(in: order, to: "n")
            // The key is taken.
            desk.property(desk.orders, "Items").entityList(from: order)
                .append(desk.new(desk.items, 1))
            #expect(
                failure { try desk.service.updateEntity(order) }
                    == Failure(DataServiceError.self, .conflict, at: "Items", status: 409))
            #expect(try desk.rows("SELECT Name FROM Orders WHERE Name IS NOT NULL").isEmpty)
        }
    }

    @Test func linksThatGoAreGoneInAChangeSetToo() async throws {
        try await run { desk in
            let order = try desk.order()
            let link = desk.property(desk.orders, "Items")
            order.unbindEntity(link.entityList(from: order)[0], from: link)
            let changes = ChangeSet()
            changes.updateEntity(order)
            try desk.service.applyChanges(changes)
            #expect(try desk.itemsOfOrder().isEmpty)
        }
    }

    @Test func aChangeSetThatFailsLeavesItsEntitiesAsTheyWere() async throws {
        try await run { desk in
            let (order, twin) = (desk.new(desk.orders, 8), desk.new(desk.orders, 8))
            desk.property(desk.orders, "Name").setStringValue(in: twin, to: "n")
            func changes() -> ChangeSet {
                let changes = ChangeSet()
                changes.createEntity(order)
                // Found by the key of what the change before it makes.
                changes.updateEntity(twin)
                return changes
            }
            let failing = changes()
            failing.deleteEntity(desk.new(desk.orders, 9))
            #expect(throws: (any Error).self) { try desk.service.applyChanges(failing) }
            #expect(order.isNew && order.systemKey == 0 && twin.systemKey == 0)
            #expect(try desk.rows("SELECT Id FROM Orders").isEmpty)
            try desk.service.applyChanges(changes())
            #expect(!order.isNew && order.systemKey < 0 && twin.systemKey == order.systemKey)
            #expect(try desk.rows("SELECT Name FROM Orders") == ["n"])
        }
    }

    // MARK: What is left to the app

    @Test func keysAreGeneratedUnlessToldOtherwise() async throws {
        try await run { desk in
            #expect(desk.provider.autoGenerateKeys && desk.provider.useClientProvidedKeys)
            try desk.service.createEntity(desk.new(desk.orders))
            desk.provider.autoGenerateKeys = false
            let error = #expect(throws: DataServiceError.self) {
                try desk.service.createEntity(desk.new(desk.orders))
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.place?.path == "N.Order/Id")
            #expect(error?.status == 400)
            try desk.service.createEntity(desk.new(desk.orders, 5))
            desk.provider.autoGenerateKeys = true
            desk.provider.useClientProvidedKeys = false
            let order = desk.new(desk.orders, 6)
            try desk.service.createEntity(order)
            #expect(desk.property(desk.orders, "Id").intValue(from: order) < 0)
            #expect(try desk.rows("SELECT Id FROM Orders WHERE Id > 0") == ["5"])
        }
    }

    @Test func bindingsWaitWhereTheyAreLeftToTheApp() async throws {
        try await run { desk in
            let (link, order) = (desk.property(desk.orders, "Items"), try desk.order())
            let item = desk.new(desk.items, 2)
            try desk.service.createEntity(item)
            desk.provider.autoBindEntities = false
            order.bindEntity(item, to: link)
            try desk.service.updateEntity(order)
            #expect(try desk.itemsOfOrder() == ["1:"])
            #expect(order.hasChangedBindings)
            desk.provider.autoBindEntities = true
            try desk.service.updateEntity(order)
            #expect(try desk.itemsOfOrder() == ["1:", "2:"])
            #expect(!order.hasChangedBindings)
            desk.provider.autoUnbindEntities = false
            order.unbindEntity(item, from: link)
            try desk.service.updateEntity(order)
            #expect(try desk.itemsOfOrder() == ["1:", "2:"])
            desk.provider.autoUnbindEntities = true
            try desk.service.updateEntity(order)
            #expect(try desk.itemsOfOrder() == ["1:"])
        }
    }

    @Test func newRelativesStayBehindWhereTheyAreLeftToTheApp() async throws {
        try await run { desk in
            desk.provider.autoCreateChildren = false
            let order = desk.new(desk.orders, 1)
            desk.property(desk.orders, "Items").setEntityList(
                in: order, to: EntityValueList.fromArray([desk.new(desk.items, 1)]))
            try desk.service.createEntity(order)
            #expect(try desk.rows("SELECT Id FROM Items").isEmpty)
            desk.provider.autoCreateParents = false
            let item = desk.new(desk.items, 2)
            desk.property(desk.items, "Order").setEntityValue(
                in: item, to: desk.new(desk.orders, 2))
            try desk.service.createEntity(item)
            #expect(try desk.rows("SELECT Id FROM Orders") == ["1"])
            desk.provider.autoCreateChildren = true
            desk.property(desk.orders, "Items").setEntityList(
                in: order, to: EntityValueList.fromArray([desk.new(desk.items, 3)]))
            try desk.service.updateEntity(order)
            #expect(try desk.rows("SELECT Id FROM Items ORDER BY Id") == ["2", "3"])
        }
    }
}
