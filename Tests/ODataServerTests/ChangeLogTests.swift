import ErrorFixture
import Foundation
import GRDB
import ODataSQL
import ODataServer
import ODataText
import Testing

@Suite struct ChangeLogTests {
    private func tracked(_ sql: String, _ body: (Database, ChangeLog) throws -> Void) throws {
        let queue = try DatabaseQueue()
        try queue.inDatabase { database in
            try database.execute(sql: sql)
            let schema = try DatabaseSchemaReader(database).read()
            let mapping = try DatabaseModelBuilder.build(schema).mapping
            let log = ChangeLog(database)
            try log.install(mapping, identity: "log")
            try body(database, log)
        }
    }

    private func entries(_ database: Database) throws -> [String] {
        try Row.fetchAll(
            database, sql: "SELECT table_name, key, operation, old FROM _odata_changes ORDER BY 1"
        ).map { row in
            let old: String? = row["old"]
            return "\(row["operation"] as String) \(row["table_name"] as String)"
                + "(\(row["key"] as String)) \(old ?? "-")"
        }
    }

    @Test func everyKindOfChangeIsNotedWithTheOldRow() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB)") {
            database, log in
            try database.execute(
                sql: """
                    INSERT INTO t VALUES (1, 'it''s', 0.1, x'00ff');
                    UPDATE t SET a = NULL WHERE id = 1;
                    UPDATE t SET id = 2;
                    DELETE FROM t;
                    """)
            #expect(
                try entries(database) == [
                    "I t(1) -",
                    #"U t(1) {"id":"1","a":"'it''s'","b":"0.1","c":"BLOB"}"#,
                    #"D t(1) {"id":"1","a":"NULL","b":"0.1","c":"BLOB"}"#,
                    "I t(2) -",
                    #"D t(2) {"id":"2","a":"NULL","b":"0.1","c":"BLOB"}"#,
                ])
            #expect(try log.currentSequence() == 5)
            let old = try log.oldImage(sequence: 2)
            #expect(old?["a"] == "it's".databaseValue)
            #expect(old?["b"] == 0.1.databaseValue)
            #expect(old?["c"] == nil)
            let versions = try log.versions(table: "t", keys: [RowKey([1.databaseValue])])
            #expect(versions[RowKey([1.databaseValue])] == 3)
        }
    }

    @Test func anUpdateThatChangesNothingIsNotAChange() throws {
        try tracked(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE);
            INSERT INTO t VALUES (1, 'x');
            """
        ) { database, log in
            try database.execute(sql: "UPDATE t SET a = 'x'")
            #expect(try log.currentSequence() == 0)
            try database.execute(sql: "UPDATE t SET a = 'X'")
            #expect(try log.currentSequence() == 1)
        }
    }

    @Test func aReplacingInsertNotesTheRowItReplaces() throws {
        try tracked(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'old')"
        ) { database, _ in
            try database.execute(sql: "INSERT OR REPLACE INTO t VALUES (1, 'new')")
            #expect(
                try entries(database) == [#"R t(1) {"id":"1","a":"'old'"}"#, "I t(1) -"])
        }
    }

    @Test func aRolledBackTransactionLeavesNoTrace() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY)") { database, log in
            try database.inTransaction {
                try database.execute(sql: "INSERT INTO t VALUES (1)")
                return .rollback
            }
            #expect(try log.currentSequence() == 0)
            try database.execute(sql: "INSERT INTO t VALUES (2)")
            #expect(try entries(database) == ["I t(2) -"])
        }
    }

    @Test func cascadesAreNotedToo() throws {
        try tracked(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE o (id INTEGER PRIMARY KEY);
            CREATE TABLE i (o INTEGER REFERENCES o(id) ON DELETE CASCADE, n INTEGER,
                PRIMARY KEY (o, n));
            INSERT INTO o VALUES (1); INSERT INTO i VALUES (1, 1), (1, 2);
            """
        ) { database, _ in
            try database.execute(sql: "DELETE FROM o")
            #expect(
                Set(try entries(database)) == [
                    #"D i(1,1) {"o":"1","n":"1"}"#, #"D i(1,2) {"o":"1","n":"2"}"#,
                    #"D o(1) {"id":"1"}"#,
                ])
        }
    }

    @Test func changedRowsComeOnceInOrderOfTheirLastChange() throws {
        try tracked("CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER)") { database, log in
            try database.execute(
                sql: """
                    INSERT INTO t VALUES ('a', 1), ('b', 1), ('c', 1);
                    UPDATE t SET a = 2 WHERE id = 'a';
                    DELETE FROM t WHERE id = 'b';
                    """)
            let all = try log.changedRows(table: "t", from: 0, through: 5, after: 0, limit: 10)
            #expect(all.map(\.key.description) == ["'c'", "'a'", "'b'"])
            #expect(all.map(\.first) == [3, 1, 2])
            #expect(all.map(\.last) == [3, 4, 5])
            let page = try log.changedRows(table: "t", from: 0, through: 5, after: 4, limit: 10)
            #expect(page.map(\.key.description) == ["'b'"])
            let early = try log.changedRows(table: "t", from: 0, through: 3, after: 0, limit: 10)
            #expect(early.map(\.key.description) == ["'a'", "'b'", "'c'"])
            #expect(
                try log.changedRows(table: "t", from: 5, through: 5, after: 5, limit: 10).isEmpty)
        }
    }

    @Test func purgingExpiresOldTokensButKeepsVersions() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY)") { database, log in
            for id in 1...10 {
                try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [id])
            }
            try log.purge(keepingLast: 3)
            #expect(try log.expiredSequence() == 7)
            #expect(try log.currentSequence() == 10)
            try log.purge(keepingLast: 0)
            #expect(try log.expiredSequence() == 10)
            #expect(try log.currentSequence() == 10)
            let key = RowKey([4.databaseValue])
            #expect(try log.versions(table: "t", keys: [key]) == [key: 4])
            try database.execute(sql: "INSERT INTO t VALUES (11)")
            #expect(try log.currentSequence() == 11)
        }
    }

    @Test func aCutIsMadeInSteps() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY)") { database, log in
            for id in 1...10 {
                try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [id])
            }
            let steps = try (0..<4).map { _ in
                let isDone = try log.purge(keepingLast: 3, atMost: 3)
                return "\(try log.expiredSequence()) \(isDone)"
            }
            #expect(steps == ["3 false", "6 false", "7 true", "7 true"])
            #expect(try entries(database).count == 3)
        }
    }

    @Test func wideTablesAreTracked() throws {
        let columns = (1...180).map { "c\($0) INTEGER" }.joined(separator: ", ")
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))") { database, log in
            try database.execute(sql: "INSERT INTO t (id, c180) VALUES (1, 7)")
            try database.execute(sql: "UPDATE t SET c1 = 5")
            let old = try log.oldImage(sequence: 2)
            #expect(old?.count == 181)
            #expect(old?["c180"] == 7.databaseValue)
        }
    }

    @Test func theUsersTablesStayAsTheyWereAndOursCanBeTakenOut() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)") { database, log in
            let sql = try String.fetchOne(
                database, sql: "SELECT sql FROM sqlite_schema WHERE name = 't'")
            #expect(sql == "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
            try log.dropTriggers()
            try log.dropTables()
            let left = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '%odata%'")
            #expect(left.isEmpty)
        }
    }

    @Test func aChangedTableGetsNewTriggers() throws {
        try tracked("CREATE TABLE t (id INTEGER PRIMARY KEY)") { database, log in
            try database.execute(sql: "ALTER TABLE t ADD COLUMN a TEXT DEFAULT 'x'")
            let schema = try DatabaseSchemaReader(database).read()
            try log.install(try DatabaseModelBuilder.build(schema).mapping, identity: "other")
            try database.execute(sql: "INSERT INTO t VALUES (1, 'y'); DELETE FROM t")
            #expect(try log.oldImage(sequence: 2)?["a"] == "y".databaseValue)
            #expect(try log.identity() == "log")
        }
    }

    @Test func tokensSurviveTheTripAndNothingElseDoes() throws {
        let token = ServiceToken(.delta, ["id", "42", "Tools?$filter=Name eq 'é'", ""])
        let text = token.text
        #expect(text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
        #expect(try ServiceToken(parsing: text, expecting: .delta) == token)
        #expect(
            failure {
                try ServiceToken(parsing: text, expecting: .page)
            }
                == Failure(
                    .invalidQuery,
                    "Expected a token that this service gave out, found another text.", status: 400)
        )
        for cut in 0..<text.count {
            #expect(
                failure {
                    try ServiceToken(parsing: String(text.prefix(cut)), expecting: .delta)
                }
                    == Failure(
                        .invalidQuery,
                        "Expected a token that this service gave out, found another text.",
                        status: 400))
        }
        #expect(
            failure {
                try ServiceToken(parsing: "A" + text.dropFirst(), expecting: .delta)
            }
                == Failure(
                    .invalidQuery,
                    "Expected a token that this service gave out, found another text.", status: 400)
        )
    }

    @Test func keysOfBytesAreReadAsTheyAreWritten() throws {
        try DatabaseQueue().read { database in
            for bytes in [Data(), Data([0, 0x7F, 0xAF])] {
                let quoted = try String.fetchOne(
                    database, sql: "SELECT quote(?)", arguments: [bytes])
                let key = RowKey([bytes.databaseValue, 1.databaseValue])
                #expect(key.description == quoted.map { $0 + ",1" })
                #expect(key.values == [bytes.databaseValue, 1.databaseValue])
            }
        }
    }

    @Test(arguments: ["", "X", "X0", "X'0", "X'0'", "X'0g'", "'a", "1,", "1 2", "'a'b"])
    func whatIsNoKeyIsNotRead(text: String) {
        #expect(RowKey(text: text).values == nil)
    }

    @Test func keysOfTriggersAndOfTheServiceAreTheSameText() throws {
        let queue = try DatabaseQueue()
        try queue.read { database in
            for value in ["", "o'hara", "a,b", "ü\n\"\\", "-1"] {
                let quoted = try String.fetchOne(
                    database, sql: "SELECT quote(?)", arguments: [value])
                let key = RowKey([value.databaseValue])
                #expect(key.description == quoted)
                #expect(key.values == [value.databaseValue])
            }
            let key = RowKey([Int64.min.databaseValue, "x,'".databaseValue])
            #expect(key.description == "-9223372036854775808,'x,'''")
            #expect(key.values == [Int64.min.databaseValue, "x,'".databaseValue])
        }
    }
}
