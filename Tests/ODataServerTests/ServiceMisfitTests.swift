import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataServer
import ODataText
import ODataWire
import Testing

/// Values that are none of their column's type and come while the service runs.
@Suite struct ServiceMisfitTests {
    @Test func aValueThatDoesNotFitIsLoggedOnceAndShownAsNull() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools").items.count == 4)
        #expect(fixture.service.observer.conversionErrors.isEmpty)
        try fixture.sql(
            "UPDATE Tools SET Bought = 'soon', Weight = x'00' WHERE Id = 2; UPDATE Tools SET Title = 'fits' WHERE Id = 1"
        )
        let tool = fixture.send("GET /Tools(2)")
        #expect(tool.status == 200)
        #expect(tool.json["Bought"]?.isNull == true)
        #expect(tool.json["Title"]?.string == "Plane")
        _ = fixture.send("GET /Tools")
        #expect(
            fixture.service.observer.conversionErrors.sorted() == [
                "Conversion error: Tools.Bought of the row 2 is no Edm.DateTimeOffset and is shown as null.",
                "Conversion error: Tools.Weight of the row 2 is no Edm.Double and is shown as null.",
            ])
        #expect(fixture.send("GET /Tools(2)/Bought").status == 204)
        try fixture.sql("UPDATE Tools SET Weight = 2 WHERE Id = 2")
        #expect(fixture.send("GET /Tools(2)").json["Weight"]?.text == "2.0")
        let metadata = fixture.send("GET /$metadata").text
        #expect(metadata.contains(#"Name="Bought" Type="Edm.DateTimeOffset""#))
    }

    /// SQLite allows rows without a value in a key of texts. They are no entities, however one comes to them.
    @Test func aRowWithoutAKeyIsNoEntityBehindALink() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE Owners (Id INTEGER PRIMARY KEY, Name TEXT);
                CREATE TABLE Badges (Code TEXT PRIMARY KEY, OwnerId INTEGER UNIQUE REFERENCES Owners(Id));
                INSERT INTO Owners VALUES (1, 'a'), (2, 'b');
                INSERT INTO Badges VALUES ('B2', 2);
                """)
        let metadata = fixture.send("GET /$metadata").text
        let name = try #require(
            metadata.firstMatch(of: /NavigationProperty Name="(\w+)" Type="[\w.]*Badge/)?.output.1)
        try fixture.sql("INSERT INTO Badges VALUES (NULL, 1)")
        #expect(fixture.send("GET /Owners(2)/\(name)").status == 200)
        #expect(fixture.send("GET /Owners(1)/\(name)").status == 204)
    }

    /// The look is for the log only.
    @Test func anAnswerThatIsReadyIsSentWhereChangesCannotBeLookedAt() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 2")
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN key TO other")
        let tool = fixture.send("GET /Tools(2)")
        #expect(tool.status == 200)
        #expect(tool.json["Title"]?.string == "Plane")
        #expect(fixture.service.observer.conversionErrors.isEmpty)
    }

    /// Each read takes some of the changes, in their order; a row that changes again is told again.
    @Test func aLargeChangeIsLookedAtInSteps() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, N INTEGER);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                    INSERT INTO T SELECT i, i FROM n;
                """)
        try fixture.sql("UPDATE T SET N = CASE WHEN Id IN (1, 1500, 2400) THEN 'x' ELSE 0 END")
        let counts = (0..<4).map { _ in
            _ = fixture.send("GET /T(7)")
            return fixture.service.observer.conversionErrors.count
        }
        #expect(counts == [1, 2, 3, 3])
    }

    /// SQLite keeps eight bytes in a column of any type of integers.
    @Test func anIntegerBeyondItsTypeIsToldAndNullEverywhere() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, N SMALLINT, M SMALLINT NOT NULL);
                INSERT INTO T VALUES (1, 5, 1), (2, 5000000000, -2147483649), (3, 2147483647, 2);
                CREATE TABLE K (Id SMALLINT PRIMARY KEY, V TEXT);
                INSERT INTO K VALUES (5000000000, 'x');
                """)
        #expect(
            fixture.service.notes.filter { $0.hasPrefix("Conversion error") } == [
                "Conversion error: 1 values in T.N are no Edm.Int32 and are shown as null.",
                "Conversion error: 1 values in T.M are no Edm.Int32 and are shown as null.",
            ])
        let row = fixture.send("GET /T(2)")
        #expect(row.json["N"]?.isNull == true && row.json["M"]?.isNull == true)
        #expect(fixture.send("GET /T(3)").json["N"]?.text == "2147483647")
        func texts(_ name: String, _ answer: ResponseMessage) -> [String] {
            (answer.json["value"]?.array ?? []).compactMap { $0[name]?.text }
        }
        func ids(_ options: String) -> [String] {
            texts("Id", fixture.send("GET /T?\(options)"))
        }
        #expect(ids("$filter=N%20gt%205") == ["3"])
        #expect(ids("$filter=N%20eq%20null") == ["2"])
        #expect(ids("$filter=N%20eq%205") == ["1"])
        let greatest = fixture.send("GET /T?$apply=aggregate(N%20with%20max%20as%20G)")
        #expect(texts("G", greatest) == ["2147483647"])
        // Pages go on behind what is shown.
        var (paged, line): ([String], String?) = ([], "GET /T?$orderby=N%20desc")
        while let next = line, paged.count < 4 {
            let page = fixture.send(next, ["Prefer: odata.maxpagesize=1"])
            paged += texts("Id", page)
            line = page.nextLink.map { follow($0) }
        }
        #expect(paged == ["3", "1", "2"])
        try fixture.sql("UPDATE T SET N = 2147483648 WHERE Id = 3")
        #expect(fixture.send("GET /T(3)").json["N"]?.isNull == true)
        #expect(
            fixture.service.observer.conversionErrors == [
                "Conversion error: T.N of the row 3 is no Edm.Int32 and is shown as null."
            ])
        // A row without its key could not be found.
        #expect(texts("Id", fixture.send("GET /K")) == ["5000000000"])
    }

    /// What keeps the look from being taken does not come back with each read.
    @Test func aLookThatFailsIsNotTakenAgain() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 2")
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN key TO other")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        try fixture.sql("ALTER TABLE _odata_changes RENAME COLUMN other TO key")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        #expect(fixture.service.observer.conversionErrors.isEmpty)
        try fixture.sql("UPDATE Tools SET Weight = x'00' WHERE Id = 3")
        #expect(fixture.send("GET /Tools(1)").status == 200)
        #expect(fixture.service.observer.conversionErrors.count == 1)
    }

    private static let narrow = """
        CREATE TABLE T (Id INTEGER PRIMARY KEY, N SMALLINT, M SMALLINT, P SMALLINT);
        CREATE INDEX TN ON T(N, Id);
        CREATE INDEX TP ON T(P) WHERE P > 0;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO T SELECT i, i % 10, i, i FROM n;
        """

    /// How SQLite goes about the rows of a query, as the service asks for them.
    private func plan(_ options: (inout Query) -> Void, _ change: String = "") throws -> String {
        try DatabaseQueue().write { database in
            SQLFunctions.register(in: database)
            try database.execute(sql: Self.narrow + change)
            let schema = try DatabaseSchemaReader(database).read()
            let model = try DatabaseModelBuilder.build(schema).mapping
            var query = Query(entitySet: "T")
            options(&query)
            let mapping = try NarrowColumns(schema, model).mapping(for: query, model, in: database)
            let compiled = try QueryCompiler(mapping: mapping).compile(query).statement
            let statement = try #require(compiled)
            let arguments = statement.arguments.map { argument -> DatabaseValue in
                if case .integer(let number) = argument { number.databaseValue } else { .null }
            }
            return try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + statement.text,
                arguments: StatementArguments(arguments)
            ).compactMap { String.fromDatabaseValue($0["detail"]) }.joined(separator: "; ")
        }
    }

    /// A column of a narrow type is read by the indexes that its table has for it.
    @Test func anIndexServesFiltersAndOrdersOfANarrowType() throws {
        let seven = Expression.literal(.integer(7), .int32)
        func filter(_ name: String) -> (inout Query) -> Void {
            { $0.filter = .binary(.eq, .path(ExpressionPath(name)), seven) }
        }
        func order(_ query: inout Query) {
            query.orderBy = [OrderItem(.path(ExpressionPath("N")))]
            query.top = 5
        }
        #expect(try plan(filter("N")).contains("INDEX TN (N=?)"))
        #expect(try plan(order).contains("INDEX TN"))
        #expect(try !plan(order).contains("TEMP B-TREE"))
        // Without an index, and where a value lies beyond the type, rows are looked at one by one.
        #expect(try plan(filter("M")).contains("SCAN"))
        #expect(try plan(filter("P")).contains("SCAN"))
        #expect(try plan(filter("N"), "UPDATE T SET N = 3000000000 WHERE Id = 9").contains("SCAN"))
        #expect(try plan(filter("N"), "UPDATE T SET N = 'x' WHERE Id = 9").contains("SCAN"))
    }

    @Test func anIndexChangesNoAnswer() throws {
        let fixture = try ServiceFixture(schema: Self.narrow)
        func ids(_ column: String) -> [[String?]] {
            [
                "$filter=\(column)%20gt%207&$orderby=Id", "$orderby=\(column)%20desc",
                "$filter=not(\(column)%20lt%205)&$orderby=\(column)",
                "$filter=\(column)%20eq%20null",
            ].map { options in
                (fixture.send("GET /T?\(options)").json["value"]?.array ?? [])
                    .map { $0["Id"]?.text }
            }
        }
        try fixture.sql("UPDATE T SET M = N")
        for change in [
            "N = 6 WHERE Id = 1", "N = 3000000000 WHERE Id = 2", "N = NULL WHERE Id = 3",
            "N = -3000000000 WHERE Id = 4", "N = 'x' WHERE Id = 5", "N = 2",
        ] {
            try fixture.sql("UPDATE T SET \(change); UPDATE T SET M = N")
            let indexed = ids("N")
            #expect(indexed == ids("M"), "\(change)")
            #expect(indexed[1].count == 50)
        }
    }

    /// What the metadata says of the decimal places holds for what clients write.
    @Test func aDecimalOfMorePlacesThanItsScaleIsRefused() throws {
        for speaksV2 in [false, true] {
            let fixture = try ServiceFixture(
                schema: """
                    CREATE TABLE T (Id INTEGER PRIMARY KEY, D DECIMAL(10,2), W DECIMAL(10), F DECIMAL);
                    INSERT INTO T VALUES (1, 1.2555, 1.5, 1.2555), (2, 1234567890.12, 1, 2);
                    """
            ) { $0.speaksV2 = speaksV2 }
            func json(_ name: String, _ number: String) -> String {
                speaksV2 ? #"{"\#(name)":"\#(number)"}"# : #"{"\#(name)":\#(number)}"#
            }
            let change = speaksV2 ? "MERGE" : "PATCH"
            let (first, second) = speaksV2 ? ("/T(1L)", "/T(2L)") : ("/T(1)", "/T(2)")
            for (name, number) in [("D", "1.234"), ("D", "-0.001"), ("W", "1.5")] {
                for line in ["POST /T", "\(change) \(second)", "PUT \(second)"] {
                    let answer = fixture.send(line, body: json(name, number))
                    #expect(answer.status == 400, "\(line) \(name) \(answer.text)")
                    if !speaksV2 {
                        #expect(answer.json["error"]?["target"]?.string == name, "\(answer.text)")
                    }
                }
            }
            #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
            for (name, number) in [("D", "1.230"), ("W", "2.0"), ("F", "1.2345"), ("D", "7")] {
                let answer = fixture.send("\(change) \(second)", body: json(name, number))
                #expect(answer.status == 204, "\(name) \(answer.text)")
            }
            // What the file holds is shown, and may be sent back with the rest.
            #expect(fixture.send("GET \(first)").text.contains("1.2555"))
            #expect(fixture.send("\(change) \(first)", body: json("D", "1.2555")).status == 204)
            #expect(fixture.send("\(change) \(first)", body: json("D", "1.2556")).status == 400)
            let notes = fixture.service.notes.filter { $0.contains("decimal places") }
            #expect(
                notes == [
                    "1 values in T.D have more decimal places than its type and are shown as they are.",
                    "1 values in T.W have more decimal places than its type and are shown as they are.",
                ])
        }
        let fixture = try ServiceFixture()
        let raw = fixture.send(
            "PUT /Tools(1)/Price/$value", ["Content-Type: text/plain"], body: "4.255")
        #expect(raw.status == 400, "\(raw.text)")
        #expect(fixture.send("PUT /Tools(1)/Price", body: #"{"value":4.255}"#).status == 400)
        #expect(fixture.service.notes.allSatisfy { !$0.contains("decimal places") })
    }

    /// The look at the start is bounded, and says so.
    @Test func rowsThatWereNotLookedAtAreTold() throws {
        let problems = try DatabaseQueue().write { database in
            try database.execute(
                sql: """
                    CREATE TABLE T (Id INTEGER PRIMARY KEY, N INTEGER);
                    INSERT INTO T VALUES (1, 'x'), (2, 1), (3, 'x');
                    CREATE TABLE U (Id INTEGER PRIMARY KEY, N INTEGER);
                    INSERT INTO U VALUES (1, 'x'), (2, 1);
                    """)
            return try DatabaseSchemaReader(database, scannedRows: 2).read().problems
        }
        #expect(
            problems == [
                "Conversion error: 1 values in T.N are no Edm.Int64 and are shown as null.",
                "Only the first 2 rows of T were looked at for values that do not fit.",
                "Conversion error: 1 values in U.N are no Edm.Int64 and are shown as null.",
            ])
    }
}
