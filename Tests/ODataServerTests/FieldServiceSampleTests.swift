import ErrorFixture
import GRDB
import ODataServer
import ODataText
import Testing

@Suite struct FieldServiceSampleTests {
    private func dump(_ path: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { database in
            try FieldServiceSample.typeNames.keys.sorted().flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\" ORDER BY 1, 2")
                    .map { "\(table): \($0.description)" }
            }
        }
    }

    @Test func theSameSeedGivesTheSameRows() throws {
        let directory = try TemporaryDirectory()
        try FieldServiceSample(seed: 7, scale: 300).write(to: directory.file("a"))
        try FieldServiceSample(seed: 7, scale: 300).write(to: directory.file("b"))
        try FieldServiceSample(seed: 8, scale: 300).write(to: directory.file("c"))
        let first = try dump(directory.file("a"))
        #expect(first.count == 300)
        #expect(first == (try dump(directory.file("b"))))
        #expect(first != (try dump(directory.file("c"))))
    }

    @Test(arguments: [20, 100, 5_000]) func foreignKeysHoldAtEveryScale(scale: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("sample")
        try FieldServiceSample(seed: 3, scale: scale).write(to: path)
        let queue = try DatabaseQueue(path: path)
        try queue.read { database in
            let broken = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            #expect(broken.isEmpty)
            let damaged = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            #expect(damaged == "ok")
        }
    }

    @Test func datesAreDatesOfTheCalendar() throws {
        let directory = try TemporaryDirectory()
        try FieldServiceSample(seed: 1, scale: 2_000).write(to: directory.file("s"))
        let queue = try DatabaseQueue(path: directory.file("s"))
        try queue.read { database in
            let wrong = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM Equipment WHERE date(InstalledOn) IS NOT InstalledOn
                    """)
            #expect(wrong == 0)
            let orders = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM WorkOrders WHERE strftime('%Y', CreatedAt) IN ('2024', '2025')
                    """)
            #expect(orders == 500)
        }
    }

    @Test func aFileThatHoldsTheTablesIsRefused() throws {
        let directory = try TemporaryDirectory()
        let sample = FieldServiceSample(seed: 1, scale: 20)
        try sample.write(to: directory.file("s"))
        #expect(
            failure { try sample.write(to: directory.file("s")) }
                == Failure(.storage, at: .path(directory.file("s"))))
    }
}
