import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// The service gives the key of the last row again once that has gone, as SQLite does without `AUTOINCREMENT`.
@Suite struct KeyGivenAgainUploadTests {
    /// A deletion and a creation are carried out, and nobody hears of it: the new row stands under the key of the old one.
    @Test func aCreationUnderTheKeyOfADeletedRowIsNotMadeTwice() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.sendRepeatableRequests = false
            place.sync.throwUploadFailures = false
            let highest = try #require(
                try place.serviceText("SELECT max(Id) FROM WorkOrders").flatMap { Int($0) })
            try place.sync.delete(place.order(highest))
            try place.createOrder("WO-AGAIN")
            place.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseAnswer
            }
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(
                try place.serviceText("SELECT Id FROM WorkOrders WHERE Number = 'WO-AGAIN'")
                    == "\(highest)")
            place.restoreNetwork()
            try place.sync.upload()
            try place.sync.download()
            try place.atService(
                "UPDATE WorkOrders SET Number = 'WO-OTHER' WHERE Number = 'WO-AGAIN'")
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            let unknown = try place.sync.failed().toArray().filter { $0.isUnknown }
            #expect(
                unknown.contains {
                    $0.errorMessage?.contains("WorkOrders(\(highest))") == true
                })
            #expect(try place.serviceCount("WorkOrders", "Number LIKE 'WO-AGAIN'") == 0)
        }
    }

    /// Another client deletes a row, and the service gives its key to a creation of ours whose answer is lost: nothing here
    /// points at that, and still the creation does not go out again.
    @Test func aCreationUnderTheKeyOfARowThatAnotherDeletedIsNotMadeTwice() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.sendRepeatableRequests = false
            place.sync.throwUploadFailures = false
            let highest = try #require(
                try place.serviceText("SELECT max(Id) FROM WorkOrders").flatMap { Int($0) })
            try place.createOrder("WO-AGAIN")
            place.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseAnswer
            }
            try place.atService("DELETE FROM WorkOrders WHERE Id = \(highest)")
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            let given = "SELECT Id FROM WorkOrders WHERE Number = 'WO-AGAIN'"
            #expect(try place.serviceText(given) == "\(highest)")
            place.restoreNetwork()
            try place.sync.upload()
            try place.sync.download()
            try place.sync.upload()
            try place.sync.download()
            try place.sync.upload()
            #expect(place.requests("POST WorkOrders").count == 1)
            let unknown = try place.sync.failed().toArray().filter { $0.isUnknown }
            // Either it is known which row it is, or it is listed with a reason.
            let isListed = unknown.contains {
                $0.errorMessage?.contains("WorkOrders(\(highest))") == true
            }
            #expect(isListed)
            #expect(try place.serviceCount("WorkOrders", "Number LIKE 'WO-AGAIN'") == 1)
        }
    }

    private static let schema = StubDesk.schema.replacing(
        #"<EntitySet Name="Orders" EntityType="D.Order"/>"#,
        with: """
            <EntitySet Name="Orders" EntityType="D.Order">
            <Annotation Term="Org.OData.Core.V1.AlternateKeys"><Collection><Record>
            <PropertyValue Property="Key"><Collection><Record>
                <PropertyValue Property="Name" PropertyPath="Title"/>
                <PropertyValue Property="Alias" String="Title"/>
            </Record></Collection></PropertyValue></Record></Collection></Annotation></EntitySet>
            """)

    /// The same, found by an alternate key: that the row was there before proves nothing where it showed something else then.
    @Test(arguments: [true, false])
    func aRowThatIsFoundUnderAKnownKeyIsNotTakenForTheOneFromBefore(isGivenAgain: Bool) async throws
    {
        let rows = Mutex([5: isGivenAgain ? "old" : "new"])
        try await StubDesk.run(Self.schema) { asked in
            func row(_ id: Int) -> String {
                #"{"ID":\#(id),"Title":"\#(rows.withLock { $0[id] ?? "" })"}"#
            }
            switch (asked.method, asked.resource) {
            case ("POST", "Orders"):
                if isGivenAgain { rows.withLock { $0[5] = "new" } }
                return .lost
            case ("GET", "Orders"): return .page(row(5))
            case ("GET", "Orders?$filter=Title eq 'new'&$top=2"): return .page(row(5))
            case ("GET", "Orders(5)"): return .json(row(5))
            case ("GET", ""): return .json(#"{"value":[]}"#)
            default: return .status(404)
            }
        } _: { desk in
            desk.sync.batchEntityUploads = false
            desk.sync.throwUploadFailures = false
            desk.sync.sendRepeatableRequests = false
            for name in ["Customers", "Head"] {
                desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: name))
            }
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let order = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "Title").setStringValue(in: order, to: "new")
            try desk.sync.createEntity(order, headers: .empty, options: .none)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            if isGivenAgain {
                try desk.sync.upload()
                try desk.sync.download()
                try desk.sync.upload()
                #expect(desk.asked.filter { $0.method == "POST" }.count == 1)
                let failed = try desk.sync.failed().toArray()
                #expect(failed.count == 1 && failed[0].isUnknown)
                #expect(failed.first?.errorMessage?.contains("Orders(5)") == true)
            } else {
                // It was the same before, so that the creation had no effect and goes out again.
                #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
                #expect(desk.asked.filter { $0.method == "POST" }.count == 2)
            }
        }
    }

    /// A deletion is carried out and its answer lost, and a creation beside it gets the key: sent again, the deletion would take
    /// the new row from a service without tags, and be refused by one with them.
    @Test(arguments: [true, false])
    func aDeletionThatTheNewRowProvesIsNotSentAgain(isTagged: Bool) async throws {
        let rows = Mutex([5: "old"])
        let gate = ArrivalGate(2)
        @Sendable func row(_ id: Int) -> String {
            let title = rows.withLock { $0[id] ?? "" }
            let tag = isTagged ? #""@odata.etag":"W/\"\#(title)\"","# : ""
            return #"{\#(tag)"ID":\#(id),"Title":"\#(title)"}"#
        }
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("DELETE", "Orders(5)"):
                rows.withLock { $0[5] = nil }
                gate.arrive()
                return .lost
            case ("POST", "Orders"):
                gate.arrive()
                rows.withLock { $0[5] = "new" }
                var said = StubDesk.Said.json(row(5))
                said.status = 201
                return said
            case ("GET", "Orders"):
                return .page(rows.withLock { $0[5] } == nil ? "" : row(5))
            case ("GET", ""): return .json(#"{"value":[]}"#)
            default: return .status(404)
            }
        } _: { desk in
            desk.sync.batchEntityUploads = false
            desk.sync.sendRepeatableRequests = false
            desk.sync.uploadWorkerThreads = 2
            for name in ["Customers", "Head"] {
                desk.sync.noDefaultEntityDownload(desk.sync.metadata.entitySet(withName: name))
            }
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let old = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).requiredEntity()
            try desk.sync.deleteEntity(old, headers: .empty, options: .none)
            let order = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "Title").setStringValue(in: order, to: "new")
            try desk.sync.createEntity(order, headers: .empty, options: .none)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            let shown = "SELECT ID, Title FROM Orders WHERE _odata_state & 4 = 0"
            #expect(try desk.rows(shown) == ["5 new"])
            try desk.sync.upload()
            #expect(desk.changes.sorted() == ["DELETE Orders(5)", "POST Orders"])
            #expect(rows.withLock { $0 } == [5: "new"])
            #expect(try desk.rows(shown) == ["5 new"])
            #expect(try desk.sync.queued().isEmpty && desk.sync.failed().isEmpty)
        }
    }
}
