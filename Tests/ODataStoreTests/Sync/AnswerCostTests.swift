import GRDB
import ODataModel
import ODataStore
import ODataSyncPlan
import Synchronization
import Testing

/// What recording an answer asks the file, by the length of the queue.
@Suite struct AnswerCostTests {
    /// The statements that recording the acceptance of a creation takes, with as many others waiting, and an order that waits for
    /// the key of what it made.
    private func statements(others: Int) throws -> [String] {
        let fixture = try StoreFixture()
        let row = try fixture.create("Customers", ["Name": .text("first")])
        for number in 0..<others {
            _ = try fixture.create("Customers", ["Name": .text("other \(number)")])
        }
        _ = try fixture.create(
            "Orders", ["Title": .text("follows")],
            binds: [.init(navigation: "Customer", targets: [row])])
        let attempt = try fixture.freeze([1])
        let seen = Mutex<[String]>([])
        try fixture.store.write(.normal) { database in
            database.trace { event in seen.withLock { $0.append("\(event)") } }
        }
        try fixture.answer(attempt, 1, status: 201, body: #"{"ID":7,"Name":"first"}"#)
        try fixture.store.write(.normal) { $0.trace(options: []) }
        #expect(try fixture.orders().contains { $0.hasSuffix(":follows>7") })
        #expect(
            try fixture.sql("SELECT effects LIKE '%\"CustomerID\":7%' FROM _odata_request")
                .contains("1"))
        return seen.withLock { $0 }
    }

    @Test func anAcceptedCreationIsRecordedWithoutReadingTheQueue() throws {
        let (few, many) = (try statements(others: 2), try statements(others: 40))
        #expect(few.count == many.count)
        let whole = many.filter { $0.contains("FROM _odata_request ") && !$0.contains("WHERE id") }
        #expect(whole.isEmpty, "\(whole)")
    }

    /// Whether another row has the key that the service gave.
    @Test func anAcceptedCreationAsksForItsKeyOnceInEachTable() throws {
        let all = try statements(others: 2)
        let lookups = all.filter { $0.hasPrefix("SELECT ") && $0.hasSuffix(#"WHERE "ID" = ?"#) }
        #expect(lookups.count == 2 && Set(lookups).count == 2, "\(all.joined(separator: "\n"))")
    }
}
