import ODataModel
import ODataStore
import ODataSyncPlan
import ODataTesting
import ODataWire
import SAPOData
import Synchronization
import Testing

/// Uploads that meet another model while they run, or with an attempt that is open since before.
@Suite struct ChangedModelUploadTests {
    /// The store of the desk, for the service's answers.
    private final class Place: Sendable {
        let store = Mutex<LocalStore?>(nil)

        func adopt(_ text: String) {
            let store = store.withLock { $0 }
            _ = try? store?.adopt(metadata: text, graph: CSDLReader.read(Array(text.utf8)))
        }
    }

    private final class Switch: Sendable {
        let isOn = Mutex(true)
    }

    private static func customer(_ desk: StubDesk, _ name: String) throws {
        let service = DataService(provider: desk.sync)
        let set = service.entitySet(withName: "Customers")
        let customer = try service.executeQuery(DataQuery().from(set)).entityList().toArray()[0]
        set.entityType.property(withName: "Name").setStringValue(in: customer, to: name)
        let options = RequestOptions()
        options.canCombineRequests = false
        try service.updateEntity(customer, headers: .empty, options: options)
    }

    /// Slots move when a property is added in front of others: values must not go under other names.
    @Test func metadataThatComesBesideAnUploadChangesNoName() async throws {
        let name = #"<Property Name="Name" Type="Edm.String"/>"#
        let other = StubDesk.schema.replacing(
            name, with: name.replacing("Name=\"Name\"", with: "Name=\"Alias\"") + name)
        let place = Place()
        try await StubDesk.run(StubDesk.schema) { asked in
            if asked.method == "PATCH", asked.body.contains("first") { place.adopt(other) }
            if asked.resource == "Head" { return .json(#"{"ID":9,"Title":"h"}"#) }
            return asked.method == "PATCH"
                ? .json(#"{"ID":1,"Name":"B"}"#)
                : .page(asked.resource == "Customers" ? #"{"ID":1,"Name":"A"}"# : "")
        } _: { desk in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try Self.customer(desk, "first")
            try Self.customer(desk, "second")
            place.store.withLock { $0 = try? desk.sync.offlineStore.store() }
            try desk.sync.upload()
            let bodies = desk.asked.filter { $0.method == "PATCH" }.map(\.body)
            #expect(bodies == [#"{"Name":"first"}"#, #"{"Name":"second"}"#])
        }
    }

    /// The row of a conflict has a form that the store's metadata does not know: the conflict waits for the next download,
    /// and nothing else does.
    @Test func aConflictWhoseRowCannotBeReadStaysListedAndKeepsNothingElse() async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("PATCH", "Customers(1)"): .status(412)
            case ("PATCH", _): .json(#"{"ID":2,"Name":"new"}"#)
            case (_, "Customers(1)"): .json(#"{"ID":1,"Name":5}"#)
            case (_, "Customers"): .page(#"{"ID":1,"Name":"A"},{"ID":2,"Name":"B"}"#)
            case (_, "Head"): .json(#"{"ID":9,"Title":"h"}"#)
            default: .page("")
            }
        } _: { desk in
            desk.sync.throwUploadFailures = false
            desk.sync.batchEntityUploads = false
            // One after the other, in the order of the queue.
            desk.sync.uploadWorkerThreads = 1
            try desk.sync.download()
            desk.sync.setConflictPolicy(
                .clientWins, for: desk.sync.metadata.entitySet(withName: "Customers"))
            try desk.rename(1)
            try desk.rename(2)
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(2)"])
            #expect(desk.asked.last?.resource == "Customers(1)")
            #expect(try desk.sync.failed().toArray().map(\.httpStatus) == [412])
            #expect(try desk.sync.queued().toArray().isEmpty)
        }
    }

    /// A set that was empty leaves nothing in the store that tells of it.
    @Test func aRuleForASetThatIsGoneStopsNoUpload() async throws {
        let other = StubDesk.schema.replacing(
            #"<NavigationPropertyBinding Path="Orders" Target="Orders"/>"#, with: ""
        ).replacing(#"<EntitySet Name="Orders" EntityType="D.Order"/>"#, with: "")
        try await StubDesk.run(StubDesk.schema) { asked in
            if asked.resource == "Head" { return .json(#"{"ID":9,"Title":"h"}"#) }
            return asked.method == "PATCH"
                ? .json(#"{"ID":1,"Name":"new"}"#)
                : .page(asked.resource == "Customers" ? #"{"ID":1,"Name":"A"}"# : "")
        } _: { desk in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            desk.sync.setConflictPolicy(
                .serverWins, for: desk.sync.metadata.entitySet(withName: "Orders"))
            try desk.sync.offlineStore.store().adopt(
                metadata: other, graph: CSDLReader.read(Array(other.utf8)))
            try desk.rename(1)
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)"])
            #expect(try desk.sync.queued().toArray().isEmpty)
        }
    }

    /// Nobody can tell of a set that is gone what became of a change: it is listed, and the upload goes on.
    @Test(arguments: ["Title", "Orders"])
    func anOpenAttemptOfWhatIsGoneIsListed(gone: String) async throws {
        let other =
            gone == "Title"
            ? StubDesk.schema.replacing(#"<Property Name="Title" Type="Edm.String"/>"#, with: "")
            : StubDesk.schema.replacing(
                #"<NavigationPropertyBinding Path="Orders" Target="Orders"/>"#, with: ""
            ).replacing(#"<EntitySet Name="Orders" EntityType="D.Order"/>"#, with: "")
        let isUp = Switch()
        try await StubDesk.run(StubDesk.schema) { asked in
            if asked.resource == "Head" { return .json(#"{"ID":9,"Title":"h"}"#) }
            // Somebody else has made one with this key: what is left of the request does not tell them apart.
            if asked.resource == "Orders(6)" { return .json(#"{"ID":6,"Title":"another's"}"#) }
            guard asked.method == "GET" else {
                return isUp.isOn.withLock { $0 } ? .json(#"{"ID":1,"Name":"B"}"#) : .lost
            }
            return .page(
                asked.resource == "Customers"
                    ? #"{"ID":1,"Name":"A"}"#
                    : asked.resource == "Orders" ? #"{"ID":5,"Title":"t"}"# : "")
        } _: { desk in
            desk.sync.batchEntityUploads = false
            desk.sync.sendRepeatableRequests = false
            try desk.sync.download()
            let service = DataService(provider: desk.sync)
            let orders = service.entitySet(withName: "Orders")
            let order = EntityValue.ofType(orders.entityType).inSet(orders)
            orders.entityType.property(withName: "ID").setIntValue(in: order, to: 6)
            orders.entityType.property(withName: "Title").setStringValue(in: order, to: "made")
            try service.createEntity(order)
            isUp.isOn.withLock { $0 = false }
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            isUp.isOn.withLock { $0 = true }
            try desk.sync.offlineStore.store().adopt(
                metadata: other, graph: CSDLReader.read(Array(other.utf8)))
            try Self.customer(desk, "goes on")
            desk.sync.throwUploadFailures = false
            try desk.sync.upload()
            #expect(desk.asked.contains { $0.body.contains("goes on") })
            let failed = try desk.sync.failedRequests(matching: nil, headers: nil, options: nil)
            #expect(failed.length == 1)
            for request in failed.toArray() {
                #expect(request.requestBody?.contains("made") == true)
                try request.cancel()
            }
            #expect(
                try desk.sync.queuedRequests(matching: nil, headers: nil, options: nil).length == 0)
        }
    }
}
