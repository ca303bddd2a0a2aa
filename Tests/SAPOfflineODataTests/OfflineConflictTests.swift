import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// Conflicts at the offline provider: its parameters decide, its delegate is told.
@Suite struct OfflineConflictTests {
    private final class Delegate: OfflineODataDelegate, Sendable {
        private let list = Mutex<[EntityOverwrite]>([])
        var overwrites: [EntityOverwrite] { list.withLock { $0 } }

        func offlineODataProvider(
            _ provider: OfflineODataProvider, didOverwrite overwrite: EntityOverwrite
        ) { list.withLock { $0.append(overwrite) } }
    }

    private static let schema = """
        CREATE TABLE Customers (ID INTEGER PRIMARY KEY, Name TEXT, Status TEXT);
        INSERT INTO Customers VALUES (50, 'old', 'NEW');
        """

    /// A policy that is set on the open provider counts from the next upload on.
    @Test func theParametersDecideAndTheDelegateIsTold() async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let (parameters, delegate) = (school.parameters(), Delegate())
            let provider = try school.provider(
                [("Customers", "Customers")], parameters: parameters, delegate: delegate)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let service = DataService(provider: provider)
            let set = service.entitySet(withName: "Customers")
            let customer = try service.executeQuery(DataQuery().from(set)).entityList().item(at: 0)
            set.entityType.property(withName: "Name").setStringValue(in: customer, to: "mine")
            try service.updateEntity(customer)
            try school.change("UPDATE Customers SET Name = 'theirs' WHERE ID = 50")
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(delegate.overwrites.isEmpty)
            #expect(try school.serviceRows("SELECT Name FROM Customers")[0][0] == "theirs")

            parameters.conflictPolicies = ["Customers": .clientWins]
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(try school.serviceRows("SELECT Name FROM Customers")[0][0] == "mine")
            let overwrite = try #require(delegate.overwrites.first)
            #expect(delegate.overwrites.count == 1)
            #expect(overwrite.entitySetName == "Customers" && overwrite.policy == "clientWins")
            #expect(overwrite.entityURL == "Customers(50)" && overwrite.properties == ["Name"])
            try provider.close()
        }
    }

    @Test func aSetThatIsNotThereFailsTheUpload() async throws {
        try await SchoolService.run(schema: Self.schema) { school in
            let parameters = school.parameters()
            parameters.conflictPolicies = ["Nothing": .clientWins]
            let provider = try school.provider(
                [("Customers", "Customers")], parameters: parameters)
            // Outside of the expectation: the compiler gives a closure in a macro the symbol of the next one here.
            let opening = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(opening == nil)
            let error = SchoolService.wait { provider.upload(completionHandler: $0) }
            #expect(error?.message?.contains("entity set") == true, "\(String(describing: error))")
            try provider.close()
        }
    }
}
