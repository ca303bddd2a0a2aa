import Foundation
import GRDB
import ODataCommand
import ODataTesting
import Testing

/// The demo's story, and the comparison that proves it.
@Suite struct DemoTests {

    @Test func theStoryEndsWithEqualRowsOneConflictAndItsRepair() async throws {
        let folder = try TemporaryFolder("odata-demo-test")
        defer { folder.remove() }
        let path = folder.path
        let figures = try await onOwnThread {
            try DemoStory(folder: path, scale: 800, seed: 7, console: Console(isJSON: true)).run()
        }
        #expect(figures.downloaded == 800)
        #expect(figures.uploaded == 18)
        #expect(figures.conflicts == 1)
        #expect(figures.repaired == 1)
        #expect(figures.differences == 0)
        // Three created, two and three deleted, four inserted at the service.
        #expect(figures.rowsCompared == 800 + 3 - 5 + 4)
        let line =
            "demo ok: downloaded=800 uploaded=18 conflicts=1 repaired=1 rows_compared=802"
            + " differences=0"
        #expect(figures.line == line)

        let service = try DatabaseQueue(path: folder.file("service.sqlite"))
        try await service.write { database in
            try database.execute(
                sql: "UPDATE WorkOrders SET Cost = Cost + 0.01 WHERE Number = 'W-DEMO-1'")
            try database.execute(
                sql: "DELETE FROM Photos WHERE Id = (SELECT min(Id) FROM Photos)")
            try database.execute(
                sql: "UPDATE Sites SET OpensAt = NULL WHERE Name = 'Main building'")
        }
        let comparison = try RowComparison(
            service: folder.file("service.sqlite"), store: folder.file("store.sqlite"))
        #expect(comparison.differenceCount == 3)
        #expect(comparison.differences.contains { $0.contains("Cost is 99.91 at the service") })
        #expect(comparison.differences.contains { $0.contains("is only in the store") })
        #expect(comparison.differences.contains { $0.contains("OpensAt is null at the service") })
    }
}
