import ODataStore
import Testing

@Suite struct StoreIndexTests {
    @Test func anIndexEndsWithTheKeySoThatPagesInItsOrderNeedNoSort() throws {
        let fixture = try StoreFixture()
        try fixture.store.createIndex(on: "Customers", paths: ["Name"])
        try fixture.store.createIndex(on: "Customers", paths: ["ID"])
        #expect(
            try fixture.sql(
                "SELECT group_concat(name) FROM pragma_index_info('_odata_index_Customers_Name')")
                == ["Name,ID"])
        #expect(
            try fixture.sql(
                "SELECT group_concat(name) FROM pragma_index_info('_odata_index_Customers_ID')")
                == ["ID"])
        let plan = try fixture.sql(
            "EXPLAIN QUERY PLAN SELECT * FROM Customers WHERE Name >= 'A' ORDER BY Name, ID LIMIT 9"
        )
        #expect(!plan.contains { $0.contains("TEMP B-TREE") })
    }
}
