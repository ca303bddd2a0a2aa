import APIErrorFixture
import ODataClasses
import ODataStore
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A look at what became of a lost creation that somebody else answers with nothing.
@Suite struct EmptyLookTests {
    @Test func aBareAnswerToALookSettlesNothing() async throws {
        let isEmpty = Mutex(true)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", _): return .lost
            case ("GET", "Customers(7)"):
                return isEmpty.withLock { $0 }
                    ? StubDesk.Said(status: 204)
                    : .json(
                        #"{"@odata.context":"$metadata#Customers/$entity","ID":7,"Name":"new"}"#)
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
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            // Neither listed as of unknown fate nor sent again: it is asked for once more.
            #expect(
                try desk.sync.offlineStore.store().allRequests().allSatisfy { !$0.state.isUnknown })
            isEmpty.withLock { $0 = false }
            try desk.sync.upload()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(desk.asked.filter { $0.method == "POST" }.count == 1)
        }
    }
}
