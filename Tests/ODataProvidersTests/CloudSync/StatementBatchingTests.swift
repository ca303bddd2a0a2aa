import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import SAPCommon
import Testing
import WorkplaceFixture

/// Several rows in one statement.
@Suite struct StatementBatchingTests {
    /// The log is shared, so that the table's name has to tell which test a line is about.
    private static func schema(_ name: String) -> String {
        """
        CREATE TABLE \(name) (Id INTEGER PRIMARY KEY, Label TEXT, Amount DECIMAL(9,2), At DATETIME);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 333)
        INSERT INTO \(name) SELECT i, CASE i % 7 WHEN 0 THEN NULL ELSE 'a "quoted" \\ label ' || i END,
            i * 1.25, '2026-03-0' || (1 + i % 9) || 'T10:00:00Z' FROM n;
        """
    }

    // CSP-059
    @Test(arguments: [false, true])
    func rowsAreTheSameAndThoseThatComeTwiceAreToldOf(_ isOn: Bool) async throws {
        let name = isOn ? "Doubles" : "Singles"
        try await ServiceWorkplace.run(scale: 20, sql: Self.schema(name)) { place in
            let log = LogRecorder()
            let logger = Logger.shared(named: "OData.Sync")
            logger.add(handler: log)
            defer { logger.remove(handler: log) }
            #expect(!place.sync.enableStatementBatching)
            place.sync.enableStatementBatching = isOn
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set(name))
            for (query, filter) in [("low", "Id le 250"), ("high", "Id ge 200")] {
                try place.sync.createDownloadQuery(
                    name: query, query: place.query("\(name)?$filter=\(filter)"), streams: false)
            }
            try place.sync.download()
            let columns = "SELECT Id, Label, CAST(Amount AS TEXT) FROM \(name) ORDER BY Id"
            let served = try place.serviceRows(
                "SELECT Id, Label, CAST(CAST(round(Amount * 100) AS INTEGER) AS TEXT)"
                    + " FROM \(name) ORDER BY Id")
            let stored = try place.storeRows(columns)
            #expect(stored.count == 333)
            #expect(
                stored.map { $0.databaseValues.map(\.description) }
                    == served.map { $0.databaseValues.map(\.description) })
            // Both queries are noted at the rows that both brought.
            #expect(
                try place.storeText(
                    "SELECT count(*) FROM \(name) WHERE _odata_sources & (_odata_sources - 1)")
                    == "51")
            #expect(log.entries.all.contains { $0.contains("rows of \(name)") } == isOn)
        }
    }
}
