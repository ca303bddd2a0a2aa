import APIErrorFixture
import ErrorFixture
import GRDB
import ODataClasses
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing

/// Answers that are lost at a service without repeatable requests: what the client finds out, and what it leaves to the
/// app.
@Suite struct UnansweredTests {
    /// A provider with its first download, over a service that tells nothing about repeatability.
    private static func run(
        batched: Bool = true, hasAlternateKey: Bool = false,
        _ body: @escaping @Sendable (FaultPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try FaultPlace {
                PlainServiceTransport($0, hasAlternateKey: hasAlternateKey)
            }
            place.provider.batchEntityUploads = batched
            try place.provider.open()
            try place.provider.download()
            try body(place)
            try place.close()
        }
    }

    /// Uploads while changes lose the given part of their exchange.
    private static func uploadAndLose(
        _ fault: ServiceObserver.Fault, _ place: FaultPlace
    ) throws {
        place.service.observer.setFaults { request, _ in request.method == "GET" ? nil : fault }
        let lost = #expect(throws: DataNetworkError.self) { try place.provider.upload() }
        #expect(lost?.code == .network && lost?.place?.host == "service.test")
        place.service.observer.setFaults(nil)
    }

    /// The changes that the service saw since the observer forgot, batches left out.
    private static func changes(_ place: FaultPlace) -> [String] {
        place.service.observer.requests.filter {
            $0.method != "GET" && !$0.url.contains("$batch")
        }.map(\.method)
    }

    private static func settle(_ place: FaultPlace) throws {
        try place.provider.download()
        #expect(try place.provider.queued().length == 0)
        #expect(try place.provider.failed().length == 0)
        #expect(try place.comparison().differences == [])
    }

    private static func count(_ place: FaultPlace, _ sql: String) throws -> Int {
        try place.serviceRows(sql).count
    }

    // MARK: A key of the client's

    private static func newCustomer(_ place: FaultPlace) throws -> EntityValue {
        let customer = place.newEntity(like: try place.entities("Customers", by: "Number")[0])
        customer.entityType.property(withName: "Id").setDataValue(
            in: customer,
            to: GuidValue.parse("0f8fad5b-d9cb-469f-a165-70867728950e"))
        place.set("Number", "C-NEW", of: customer)
        return customer
    }

    private static let customer = "SELECT 1 FROM Customers WHERE Number = 'C-NEW'"

    @Test(arguments: [true, false])
    func aCreateWhoseKeyIsAtTheServiceIsAccepted(batched: Bool) async throws {
        try await Self.run(batched: batched) { place in
            let customer = try Self.newCustomer(place)
            try place.provider.create(customer)
            try Self.uploadAndLose(.loseAnswer, place)
            #expect(try Self.count(place, Self.customer) == 1)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == [])
            // The entity tag came with the look, so that the next change is not refused.
            place.set("Name", "changed", of: customer)
            try place.provider.update(customer)
            try place.provider.upload()
            #expect(try Self.count(place, Self.customer + " AND Name = 'changed'") == 1)
            try Self.settle(place)
        }
    }

    @Test(arguments: [true, false])
    func aCreateWhoseKeyIsNotThereIsSentAgainOnce(batched: Bool) async throws {
        try await Self.run(batched: batched) { place in
            try place.provider.create(try Self.newCustomer(place))
            try Self.uploadAndLose(.loseRequest, place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == ["POST"])
            #expect(try Self.count(place, Self.customer) == 1)
            try Self.settle(place)
        }
    }

    /// The service has an entity of that key, but with values of somebody else.
    @Test func aCreateIsNotTakenForAnotherEntityOfItsKey() async throws {
        try await Self.run { place in
            try place.provider.create(try Self.newCustomer(place))
            try Self.uploadAndLose(.loseAnswer, place)
            try place.changeAtService("UPDATE Customers SET Name = 'theirs' WHERE Number = 'C-NEW'")
            try place.provider.upload()
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.isUnknown) == [true])
            try failed.first?.confirm(as: try Self.newCustomer(place))
            try Self.settle(place)
            #expect(try Self.count(place, Self.customer + " AND Name = 'theirs'") == 1)
        }
    }

    // MARK: An alternate key

    @Test(arguments: [true, false])
    func aCreateWithAnAlternateKeyIsFoundByIt(arrived: Bool) async throws {
        try await Self.run(hasAlternateKey: true) { place in
            let orders = try place.entities("WorkOrders", by: "Number")
            try place.provider.create(place.newOrder("ALT-1", like: orders[0]))
            try Self.uploadAndLose(arrived ? .loseAnswer : .loseRequest, place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == (arrived ? [] : ["POST"]))
            #expect(try Self.count(place, "SELECT 1 FROM WorkOrders WHERE Number = 'ALT-1'") == 1)
            try Self.settle(place)
        }
    }

    // MARK: A key of the service's

    private static let site = "SELECT 1 FROM Sites WHERE Name = 'New site'"

    private static func createSite(_ place: FaultPlace) throws -> EntityValue {
        let site = place.newEntity(like: try place.entities("Sites", by: "Id")[0])
        place.set("Name", "New site", of: site)
        try place.provider.create(site)
        return site
    }

    /// A site and an order at it, of which the answer to the first is lost; then two more uploads.
    private static func loseSite(_ place: FaultPlace, arrived: Bool) throws -> PendingRequest {
        let site = try createSite(place)
        let order = place.newEntity(
            like: try place.entities("WorkOrders", by: "Number")[0], leavingOut: ["SiteId"])
        place.set("Number", "AT-SITE", of: order)
        order.bindEntity(site, to: order.entityType.property(withName: "Site"))
        try place.provider.create(order)
        try uploadAndLose(arrived ? .loseAnswer : .loseRequest, place)
        place.service.observer.forget()
        for _ in 0..<2 {
            try place.provider.upload()
            #expect(changes(place) == [])
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.isUnknown) == [true, false])
            #expect(failed.map(\.isFailed) == [true, true])
            #expect(failed.last?.errorMessage?.contains("depends on") == true)
            #expect(try place.provider.queued().length == 0)
        }
        return try #require(try place.provider.failed().toArray().first)
    }

    private static func expectOrderAtSite(_ place: FaultPlace) throws {
        try place.provider.upload()
        try settle(place)
        #expect(try count(place, site) == 1)
        let joined =
            "SELECT 1 FROM WorkOrders o JOIN Sites s ON s.Id = o.SiteId"
            + " WHERE o.Number = 'AT-SITE' AND s.Name = 'New site'"
        #expect(try count(place, joined) == 1)
    }

    @Test func anUnknownCreateIsListedNeverResentAndConfirmedAsTheEntityItMade() async throws {
        try await Self.run { place in
            let request = try Self.loseSite(place, arrived: true)
            let id = try #require(
                try place.serviceRows("SELECT Id FROM Sites WHERE Name = 'New site'").first?.first)
            let made = EntityValue.ofType(place.set("Sites").entityType).inSet(place.set("Sites"))
            made.entityType.property(withName: "Id").setLongValue(
                in: made, to: Int64.fromDatabaseValue(id) ?? 0)
            try request.confirm(as: made)
            try Self.expectOrderAtSite(place)
        }
    }

    /// Without a word of the app: the next download brings what the creation made, and what waited for it goes on.
    @Test func anUnknownCreateIsSettledByTheNextDownload() async throws {
        try await Self.run { place in
            _ = try Self.loseSite(place, arrived: true)
            try place.provider.download()
            #expect(try place.provider.failed().length == 0)
            try Self.expectOrderAtSite(place)
        }
    }

    @Test func anUnknownCreateThatDidNotHappenIsSentAfterTheNextDownload() async throws {
        try await Self.run { place in
            _ = try Self.loseSite(place, arrived: false)
            try place.provider.download()
            #expect(try place.provider.failed().length == 0)
            try Self.expectOrderAtSite(place)
        }
    }

    @Test func anUnknownCreateIsSentAgainWhenTheAppCorrectsIt() async throws {
        try await Self.run { place in
            let request = try Self.loseSite(place, arrived: false)
            let site = try #require(try request.affectedEntity(fixRequest: true))
            place.set("City", "Elsewhere", of: site)
            try place.provider.update(site)
            try Self.expectOrderAtSite(place)
        }
    }

    @Test func anUnknownCreateIsDroppedWithWhatDependsOnIt() async throws {
        try await Self.run { place in
            try Self.loseSite(place, arrived: true).cancel()
            try place.provider.upload()
            try Self.settle(place)
            #expect(try Self.count(place, Self.site) == 1)
            #expect(try place.storeRows("SELECT 1 FROM Sites WHERE Name = 'New site'").count == 1)
        }
    }

    @Test func aConfirmationNeedsAnEntityThatIsThere() async throws {
        try await Self.run { place in
            let request = try Self.loseSite(place, arrived: false)
            let none = place.newEntity(like: try place.entities("Sites", by: "Id")[0])
            #expect(
                failure { try request.confirm(as: none) }
                    == Failure(
                        UsageError.self, .usage,
                        "Expected an entity with a key that the request made."))
            #expect(
                failure { try request.confirm() }
                    == Failure(
                        UsageError.self, .usage,
                        "Expected an entity with a key that the request made."))
            #expect(try place.provider.failed().toArray().first?.isUnknown == true)
        }
    }

    // MARK: Changes

    /// The first sending changed the entity tag; a resend with the old one would be refused.
    @Test(arguments: [true, false])
    func aChangeThatHadItsEffectIsNoConflict(batched: Bool) async throws {
        try await Self.run(batched: batched) { place in
            let order = try place.entities("WorkOrders", by: "Number")[0]
            place.setTitle("once", of: order)
            try place.provider.update(order)
            try Self.uploadAndLose(.loseAnswer, place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == [])
            place.setTitle("twice", of: order)
            try place.provider.update(order)
            try place.provider.upload()
            try Self.settle(place)
            #expect(try Self.count(place, "SELECT 1 FROM WorkOrders WHERE Title = 'twice'") == 1)
        }
    }

    @Test func aChangeThatNeverArrivedIsSentAgain() async throws {
        try await Self.run { place in
            let order = try place.entities("WorkOrders", by: "Number")[0]
            place.setTitle("late", of: order)
            try place.provider.update(order)
            try Self.uploadAndLose(.loseRequest, place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == ["PATCH"])
            try Self.settle(place)
        }
    }

    /// Somebody else was faster, or came after our own change: the refusal of the second sending does not tell.
    @Test func aChangeThatWasOvertakenIsListedAsUnknown() async throws {
        try await Self.run { place in
            let order = try place.entities("WorkOrders", by: "Number")[0]
            place.setTitle("ours", of: order)
            try place.provider.update(order)
            try Self.uploadAndLose(.loseRequest, place)
            try place.changeAtService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            try place.provider.upload()
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.isUnknown) == [true])
            #expect(failed.first?.errorMessage?.contains("412") == true)
        }
    }

    /// In one batch: a change and a delete that had their effect, a create that can be found, and one that cannot.
    @Test func aBatchIsSettledMemberByMember() async throws {
        try await Self.run { place in
            let orders = try place.entities("WorkOrders", by: "Number")
            place.setTitle("once", of: orders[0])
            try place.provider.update(orders[0])
            try place.provider.delete(try place.entities("TimeEntries", by: "WorkOrderId")[5])
            try place.provider.create(try Self.newCustomer(place))
            _ = try Self.createSite(place)
            try Self.uploadAndLose(.loseAnswer, place)
            place.service.observer.forget()
            try place.provider.upload()
            #expect(Self.changes(place) == ["DELETE"])
            #expect(try place.provider.queued().length == 0)
            let failed = try place.provider.failed().toArray()
            #expect(failed.map(\.entitySetName) == ["Sites"])
            #expect(failed.map(\.isUnknown) == [true])
            #expect(try Self.count(place, Self.customer) == 1)
            #expect(try Self.count(place, Self.site) == 1)
            try failed.first?.cancel()
            try Self.settle(place)
        }
    }
}
