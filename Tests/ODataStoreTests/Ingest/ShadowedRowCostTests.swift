import GRDB
import ODataStore
import Synchronization
import Testing

/// What a download asks the file for each row that has changes here.
@Suite struct ShadowedRowCostTests {
    /// The reads of base images that a download of three changed rows takes.
    private func contentReads(_ fixture: StoreFixture) throws -> Int {
        let count = Mutex(0)
        try fixture.store.write(.normal) { database in
            database.trace { event in
                // Others ask for kind or values alone.
                guard "\(event)".hasPrefix("SELECT _odata_base_kind, ") else { return }
                count.withLock { $0 += 1 }
            }
        }
        try fixture.download(
            "Customers", (1...3).map { #"{"ID":\#($0),"Name":"Other"}"# }.joined(separator: ","))
        try fixture.store.write(.normal) { $0.trace(options: []) }
        return count.withLock { $0 }
    }

    /// Base images are compared with what comes only while a creation of the table is on its way or of unknown fate.
    @Test func baseImagesAreComparedWhereSomebodyAsks() throws {
        let fixture = try StoreFixture()
        for id in 1...3 {
            try fixture.update(
                fixture.downloadCustomer(Int64(id), "Old"), ["Name": .text("Mine")])
        }
        #expect(try contentReads(fixture) == 0)
        #expect(try fixture.sql("SELECT count(*) FROM _odata_rewritten") == ["0"])
        _ = try fixture.create("Customers", ["Name": .text("New")])
        _ = try fixture.freeze([4])
        #expect(try contentReads(fixture) == 6)
    }
}
