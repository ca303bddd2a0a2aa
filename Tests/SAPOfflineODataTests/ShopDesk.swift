import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData

/// A shop behind a real service, and an offline provider of it: what the texts about the request queue tell of.
struct ShopDesk {
    static let schema = """
        CREATE TABLE Customers (ID INTEGER PRIMARY KEY, Name TEXT, Status TEXT);
        CREATE TABLE Orders (
            ID INTEGER PRIMARY KEY, Name TEXT,
            CustomerID INTEGER REFERENCES Customers(ID) ON DELETE CASCADE);
        CREATE TABLE Products (ID INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE Motherboards (ID INTEGER PRIMARY KEY, Name TEXT);
        CREATE TABLE CPUs (
            ID INTEGER PRIMARY KEY, Name TEXT,
            MotherboardID INTEGER REFERENCES Motherboards(ID) ON DELETE CASCADE);
        INSERT INTO Customers VALUES (50, 'Old', 'NEW');
        INSERT INTO CPUs VALUES (101, 'CPU101', NULL);
        """

    let school: SchoolService
    let provider: OfflineODataProvider
    let service: DataService

    /// Runs a test with an opened provider of these parameters.
    static func run(
        _ adjust: @escaping @Sendable (OfflineODataParameters) -> Void = { _ in },
        _ body: @escaping @Sendable (ShopDesk) throws -> Void
    ) async throws {
        try await SchoolService.run(schema: schema) { school in
            let parameters = school.parameters()
            adjust(parameters)
            let sets = ["Customers", "Orders", "Products", "Motherboards", "CPUs"]
            let provider = try school.provider(
                sets.map { (name: $0, query: $0) }, parameters: parameters)
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            school.service.observer.forget()
            try body(
                ShopDesk(
                    school: school, provider: provider, service: DataService(provider: provider)))
            try provider.close()
        }
    }

    // MARK: Changes

    func entity(_ set: String, _ id: Int, _ name: String) -> EntityValue {
        let set = service.entitySet(withName: set)
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "ID").setIntValue(in: entity, to: id)
        set.entityType.property(withName: "Name").setStringValue(in: entity, to: name)
        return entity
    }

    @discardableResult
    func create(
        _ set: String, _ id: Int, _ name: String,
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws -> EntityValue {
        let entity = entity(set, id, name)
        try service.createEntity(entity, headers: .empty, options: options)
        return entity
    }

    func find(_ set: String, _ id: Int) throws -> EntityValue {
        let key = EntityKey().with(name: "ID", value: IntValue.of(id))
        return try service.executeQuery(
            DataQuery().from(service.entitySet(withName: set)).withKey(key)
        ).requiredEntity()
    }

    func set(
        _ entity: EntityValue, _ name: String, property: String = "Name",
        options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws {
        entity.entityType.property(withName: property).setStringValue(in: entity, to: name)
        try service.updateEntity(entity, headers: .empty, options: options)
    }

    /// Options with a transaction ID, or with the mark of a request that is sent as it is.
    static func options(
        _ transaction: String? = nil, unmodifiable: Bool = false
    ) throws -> OfflineODataRequestOptions {
        let options = OfflineODataRequestOptions()
        if let transaction {
            options.transactionID = try TransactionID(stringLiteral: transaction)
        }
        options.unmodifiableRequest = unmodifiable
        return options
    }

    func upload() throws {
        if let error = SchoolService.wait({ provider.upload(completionHandler: $0) }) {
            throw error
        }
    }

    // MARK: What is seen

    func queueLength() throws -> Int {
        Int(try school.storeRows("SELECT count(*) FROM _odata_request")[0][0] ?? "") ?? -1
    }

    /// The changes that the service saw, members of a change set in brackets. Reads are left out.
    func sent() -> [String] {
        var lines: [String] = []
        var open: Int?
        for seen in school.service.observer.requests
        where ["POST", "PATCH", "PUT", "DELETE"].contains(seen.method)
            && !seen.url.hasSuffix("$batch")
        {
            if seen.changeSet != open {
                if open != nil { lines.append("]") }
                if seen.changeSet != nil { lines.append("[") }
                open = seen.changeSet
            }
            lines.append(seen.method + " " + (seen.url.split(separator: "/").last ?? ""))
        }
        return lines + (open == nil ? [] : ["]"])
    }

    /// Makes the service's file note every name that customers are created with or changed to.
    func noteCustomers() throws {
        try school.change(
            """
            CREATE TABLE log (entry TEXT);
            CREATE TRIGGER created AFTER INSERT ON Customers
                BEGIN INSERT INTO log VALUES ('create ' || new.ID || ' ' || new.Name); END;
            CREATE TRIGGER changed AFTER UPDATE OF Name ON Customers
                BEGIN INSERT INTO log VALUES ('change ' || new.ID || ' ' || new.Name); END;
            """)
    }

    /// What ``noteCustomers()`` noted.
    func notes() throws -> [String?] {
        try school.serviceRows("SELECT entry FROM log ORDER BY rowid").map { $0[0] }
    }

    func served(_ set: String) throws -> [[String?]] {
        try school.serviceRows("SELECT ID, Name FROM \(set) ORDER BY ID")
    }
}
