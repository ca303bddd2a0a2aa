import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// Whether related entities have local changes, asked for by custom options.
@Suite struct RelativesTests {
    static let schema = """
        CREATE TABLE Employers (Id INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Customers (
            Id INTEGER PRIMARY KEY, Name TEXT, EmployerId INTEGER REFERENCES Employers(Id));
        CREATE TABLE Orders (
            Id INTEGER PRIMARY KEY, Name TEXT, CustomerId INTEGER REFERENCES Customers(Id));
        CREATE TABLE Products (
            Id INTEGER PRIMARY KEY, Name TEXT, OrderId INTEGER REFERENCES Orders(Id));
        INSERT INTO Employers VALUES (1, 'North'), (2, 'South');
        INSERT INTO Customers VALUES (1, 'Ann', 1), (2, 'Ben', 2), (3, 'Cleo', NULL);
        INSERT INTO Orders VALUES (1, 'first', 1), (2, 'second', 2), (3, 'third', 3);
        INSERT INTO Products VALUES (1, 'nail', 1), (2, 'screw', 2), (3, 'bolt', 3);
        """

    private static let local = "sap.computeHasLocalRelatives"
    private static let pending = "sap.computeHasRelativesWithPendingChanges"

    private struct Desk {
        var provider: OfflineODataProvider
        var service: DataService

        init(_ school: SchoolService) throws {
            let sets = ["Employers", "Customers", "Orders", "Products"]
            provider = try school.provider(sets.map { ($0, $0) })
            if let error = SchoolService.wait({ [provider] in provider.open(completionHandler: $0) }
            ) {
                throw error
            }
            service = DataService(provider: provider)
        }

        func entity(_ set: String, _ id: Int) throws -> EntityValue {
            let key = EntityKey().with(name: "Id", value: LongValue.of(Int64(id)))
            return try service.executeQuery(
                DataQuery().from(service.entitySet(withName: set)).withKey(key)
            ).requiredEntity()
        }

        func rename(_ set: String, _ id: Int) throws {
            let entity = try entity(set, id)
            entity.entityType.property(withName: "Name").setStringValue(in: entity, to: "changed")
            try service.updateEntity(entity)
        }

        func upload() -> OfflineODataError? {
            SchoolService.wait { provider.upload(completionHandler: $0) }
        }

        /// What the options answer for every customer.
        func customers(_ options: [(String, String)]) throws -> [(Bool?, Bool?)] {
            let query = DataQuery().from(service.entitySet(withName: "Customers"))
                .orderBy(
                    service.entitySet(withName: "Customers").entityType.property(withName: "Id"))
            for (name, value) in options { query.custom(name, value) }
            return try service.executeQuery(query).entityList().map {
                ($0.hasLocalRelatives, $0.hasRelativesWithPendingChanges)
            }
        }
    }

    /// A relative that was made, changed or deleted, and had a link changed.
    enum Change: String, CaseIterable, Sendable { case create, update, delete, move }

    @Test(
        "FEA-050 customers with unsent relatives and no others, FEA-051 and with sent ones until they are downloaded",
        arguments: Change.allCases)
    func everyKindOfChangeOfARelativeCounts(change: Change) async throws {
        let schema = Self.schema + "INSERT INTO Orders VALUES (4, 'without products', 2);"
        try await SchoolService.run(schema: schema) { school in
            let desk = try Desk(school)
            let both = [(Self.local, "Orders,Employer"), (Self.pending, "Orders,Employer")]
            // A change of a customer itself, and of somebody who is no relative on these paths, says nothing of relatives.
            try desk.rename("Customers", 3)
            try desk.rename("Products", 1)
            #expect(try desk.customers(both).map(\.0) == [false, false, false])
            #expect(try desk.customers(both).map(\.1) == [false, false, false])
            let orders = desk.service.entitySet(withName: "Orders")
            let customer = orders.entityType.property(withName: "CustomerId")
            switch change {
            case .create:
                let order = EntityValue.ofType(orders.entityType).inSet(orders)
                orders.entityType.property(withName: "Id").setLongValue(in: order, to: 9)
                customer.setLongValue(in: order, to: 2)
                try desk.service.createEntity(order)
            case .update: try desk.rename("Orders", 2)
            case .delete: try desk.service.deleteEntity(desk.entity("Orders", 4))
            case .move:
                let order = try desk.entity("Orders", 3)
                customer.setLongValue(in: order, to: 2)
                try desk.service.updateEntity(order)
            }
            #expect(try desk.customers(both).map(\.0) == [false, true, false])
            #expect(try desk.customers(both).map(\.1) == [false, true, false])
            // Each option answers for itself.
            #expect(try desk.customers([both[0]]).map(\.1) == [false, false, false])
            #expect(try desk.customers([both[1]]).map(\.0) == [false, false, false])
            #expect(desk.upload() == nil)
            // Nothing is left of a row whose deletion was accepted.
            let isLeft = change != .delete
            #expect(try desk.customers(both).map(\.0) == [false, isLeft, false])
            #expect(try desk.customers(both).map(\.1) == [false, false, false])
            #expect(SchoolService.wait { desk.provider.download(completionHandler: $0) } == nil)
            #expect(try desk.customers(both).map(\.0) == [false, false, false])
            #expect(try desk.customers(both).map(\.1) == [false, false, false])
            try desk.provider.close()
        }
    }

    @Test("FEA-050 a change that the service refused is still unsent")
    func aRefusedChangeOfARelativeIsUnsent() async throws {
        let schema =
            Self.schema
            + "CREATE TRIGGER t BEFORE UPDATE ON Orders BEGIN SELECT RAISE(ABORT, 'no'); END;"
        try await SchoolService.run(schema: schema) { school in
            let desk = try Desk(school)
            try desk.rename("Orders", 2)
            #expect(desk.upload() == nil)
            let both = [(Self.local, "Orders"), (Self.pending, "Orders")]
            #expect(try desk.customers(both).map(\.0) == [false, true, false])
            #expect(try desk.customers(both).map(\.1) == [false, true, false])
            try desk.provider.close()
        }
    }

    /// FEA-050, FEA-051, FEA-056
    @Test func changesOfRelativesCountUntilTheyAreSentOrDownloaded() async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let desk = try Desk(school)
            try desk.rename("Orders", 2)
            let both = [(Self.local, "Orders,Employer"), (Self.pending, "Orders,Employer")]
            var found = try desk.customers(both)
            #expect(found.map(\.0) == [false, true, false])
            #expect(found.map(\.1) == [false, true, false])
            #expect(try desk.customers([both[1]]).map(\.1) == [false, true, false])
            #expect(try desk.customers([both[1]]).map(\.0) == [false, false, false])
            #expect(desk.upload() == nil)
            found = try desk.customers(both)
            #expect(found.map(\.0) == [false, true, false])
            #expect(found.map(\.1) == [false, false, false])
            #expect(SchoolService.wait { desk.provider.download(completionHandler: $0) } == nil)
            #expect(try desk.customers(both).map(\.0) == [false, false, false])
            try desk.provider.close()
        }
    }

    /// FEA-052, FEA-053, FEA-055
    @Test func onlyTheListedPathsCountAndNoRowIsFiltered() async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let desk = try Desk(school)
            try desk.rename("Orders", 2)
            #expect(
                try desk.customers([(Self.local, "Employer")]).map(\.0) == [false, false, false])
            #expect(try desk.customers([(Self.local, "Orders")]).count == 3)
            let without = try desk.customers([])
            #expect(without.count == 3)
            #expect(without.allSatisfy { $0.0 == false && $0.1 == false })
            // A misspelt name is an option of somebody else's.
            let misspelt = [("sap.comupteHasRelativesWithPendingChanges", "Orders")]
            #expect(try desk.customers(misspelt).allSatisfy { $0.1 != true })
            #expect(
                failure {
                    _ = try desk.customers([(Self.local, "Nowhere")])
                } == Failure(DataQueryError.self, .unknownName, at: "Nowhere"))
            try desk.provider.close()
        }
    }

    /// FEA-054
    @Test func everyStepOfAPathCounts() async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let desk = try Desk(school)
            try desk.rename("Products", 1)
            try desk.rename("Employers", 2)
            let option = [(Self.pending, "Orders/Products, Employer")]
            #expect(try desk.customers(option).map(\.1) == [true, true, false])
            #expect(
                try desk.customers([(Self.pending, "Orders")]).map(\.1) == [false, false, false])
            try desk.service.deleteEntity(try desk.entity("Orders", 3))
            #expect(try desk.customers(option).map(\.1) == [true, true, true])
            try desk.provider.close()
        }
    }

    /// What a refused change leaves: the entity is in error, and a refused deletion brings the entity back.
    @Test func refusedChangesShowInTheState() async throws {
        let schema = """
            CREATE TABLE Parents (Id INTEGER PRIMARY KEY, Name TEXT CHECK (Name <> 'refused'));
            CREATE TABLE Keepers (Id INTEGER PRIMARY KEY, ParentId INTEGER REFERENCES Parents(Id));
            INSERT INTO Parents VALUES (1, 'kept'), (2, 'free');
            INSERT INTO Keepers VALUES (1, 1);
            """
        try await SchoolService.run(schema: schema) { school in
            let provider = try school.provider([("P", "Parents")])
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            let service = DataService(provider: provider)
            let parents = service.entitySet(withName: "Parents")
            let name = parents.entityType.property(withName: "Name")
            func all() throws -> [EntityValue] {
                let id = parents.entityType.property(withName: "Id")
                return try service.executeQuery(DataQuery().from(parents).orderBy(id)).entityList()
                    .toArray()
            }
            let before = try all()
            name.setStringValue(in: before[1], to: "refused")
            try service.updateEntity(before[1])
            #expect(try all().map(\.hasPendingChanges) == [false, true])
            #expect(try all().map(\.isLocal) == [false, true])
            try service.deleteEntity(before[0])
            #expect(before[0].isDeleted)
            #expect(try all().count == 1)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            let after = try all()
            #expect(after.map(\.inErrorState) == [true, true])
            #expect(after.map(\.isDeleteError) == [true, false])
            try provider.close()
        }
    }
}
