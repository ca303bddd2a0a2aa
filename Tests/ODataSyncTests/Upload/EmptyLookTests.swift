import APIErrorFixture
import ODataClasses
import ODataStore
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A look at what became of a lost creation that is answered with nothing, where everything else is the service's.
@Suite struct EmptyLookTests {
    @Test func aBareAnswerToALookIsNoneAndKeepsNothingElse() async throws {
        let isEmpty = Mutex(true)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", _): return .lost
            case ("GET", "Customers(7)"):
                return isEmpty.withLock { $0 }
                    ? StubDesk.Said(status: 204)
                    : .json(
                        #"{"@odata.context":"$metadata#Customers/$entity","ID":7,"Name":"new"}"#)
            case ("GET", let set) where set.hasPrefix("Customers") && !isEmpty.withLock { $0 }:
                return .page(#"{"ID":7,"Name":"new"}"#)
            case (_, "Head"):
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Customers")
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "ID").setIntValue(in: entity, to: 7)
            set.entityType.property(withName: "Name").setStringValue(in: entity, to: "new")
            try desk.sync.createEntity(entity, headers: .empty, options: .none)
            desk.sync.throwUploadFailures = false
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.sync.upload()
            // Listed as of unknown fate, and not sent again: the next download shows what became of it.
            #expect(
                try desk.sync.offlineStore.store().allRequests().map(\.state.isUnknown) == [true])
            isEmpty.withLock { $0 = false }
            try desk.sync.download()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(desk.asked.filter { $0.method == "POST" }.count == 1)
        }
    }
}
