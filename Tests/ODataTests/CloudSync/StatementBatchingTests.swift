import GRDB
import OData
import ODataModel
import ODataQuery
import ODataTesting
import SAPCommon
import Testing

/// Several rows in one statement.
@Suite struct StatementBatchingTests {
    private static let doubles = """
        CREATE TABLE Doubles (Id INTEGER PRIMARY KEY, Label TEXT, Amount DECIMAL(9,2), At DATETIME);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 333)
        INSERT INTO Doubles SELECT i, CASE i % 7 WHEN 0 THEN NULL ELSE 'a "quoted" \\ label ' || i END,
            i * 1.25, '2026-03-0' || (1 + i % 9) || 'T10:00:00Z' FROM n;
        """

    // CSP-059
    @Test(arguments: [false, true])
    func rowsAreTheSameAndThoseThatComeTwiceAreToldOf(_ isOn: Bool) async throws {
        try await ServiceWorkplace.run(scale: 20, sql: Self.doubles) { place in
            let log = LogRecorder()
            let logger = Logger.shared(named: "OData.Sync")
            logger.add(handler: log)
            defer { logger.remove(handler: log) }
            #expect(!place.sync.enableStatementBatching)
            place.sync.enableStatementBatching = isOn
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("Doubles"))
            for (name, filter) in [("low", "Id le 250"), ("high", "Id ge 200")] {
                try place.sync.createDownloadQuery(
                    name: name, query: place.query("Doubles?$filter=\(filter)"), streams: false)
            }
            try place.sync.download()
            let columns = "SELECT Id, Label, CAST(Amount AS TEXT) FROM Doubles ORDER BY Id"
            let served = try place.serviceRows(
                "SELECT Id, Label, CAST(CAST(round(Amount * 100) AS INTEGER) AS TEXT)"
                    + " FROM Doubles ORDER BY Id")
            let stored = try place.storeRows(columns)
            #expect(stored.count == 333)
            #expect(
                stored.map { $0.databaseValues.map(\.description) }
                    == served.map { $0.databaseValues.map(\.description) })
            // Both queries are noted at the rows that both brought.
            #expect(
                try place.storeText(
                    "SELECT count(*) FROM Doubles WHERE _odata_sources & (_odata_sources - 1)")
                    == "51")
            #expect(log.entries.all.contains { $0.contains("rows of Doubles") } == isOn)
        }
    }
}
