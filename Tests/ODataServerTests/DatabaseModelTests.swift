import GRDB
import ODataModel
import ODataSQL
import ODataServer
import Testing

@Suite struct DatabaseModelTests {
    private func model(_ sql: String) throws -> DatabaseModelBuilder.Result {
        let queue = try DatabaseQueue()
        return try queue.write { database in
            try database.execute(sql: sql)
            return try DatabaseModelBuilder.build(try DatabaseSchemaReader(database).read())
        }
    }

    private func type(_ name: String, in mapping: SchemaMapping) throws -> StructureDefinition {
        let id = try #require(mapping.graph.structure(named: "Database." + name))
        return mapping.graph[id]
    }

    private func describe(_ column: ODataSQL.ColumnMapping) -> String {
        let name = column.type.primitive?.name ?? "?"
        return "\(column.path): \(name)\(column.type.isNullable ? "?" : "") \(column.encoding)"
    }

    @Test func declaredTypesBecomeEdmTypes() throws {
        let mapping = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a BOOLEAN, b DATETIME, c DATE, d DECIMAL(10,2),
                e UUID, f BLOB, g REAL, h TEXT, i, j VARCHAR(20) NOT NULL, k TIME, l SMALLINT,
                m DURATION, n WHATEVER);
            """
        ).mapping
        #expect(
            mapping.tables[0].columns.map(describe) == [
                "id: Int64 integer", "a: Boolean? boolean", "b: DateTimeOffset? isoDateTime",
                "c: Date? date", "d: Decimal? realDecimal", "e: Guid? guid", "f: Binary? binary",
                "g: Double? real", "h: String? string", "i: String? string", "j: String string",
                "k: TimeOfDay? timeOfDay", "l: Int32? integer", "m: Duration? duration",
                "n: String? string",
            ])
        let decimal = try #require(mapping.tables[0].column(path: "d"))
        #expect(decimal.type.facets.precision == 10)
        #expect(decimal.type.facets.scale == .fixed(2))
    }

    @Test func valuesNeverDecideTypes() throws {
        let columns =
            "a BOOLEAN, b DATETIME, c DATE, d DECIMAL(10,2), e UUID, g REAL, i, k DATETIME, l BOOLEAN, m INTEGER"
        let empty = try model("CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));")
        let full = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));
            INSERT INTO t VALUES (1, 7, 1700000000, '7/11/1998', 'about ten', 'ABCDEF', 'x', 5,
                '2031-05-01', 'true', 'none');
            """)
        let types = { (result: DatabaseModelBuilder.Result) in
            result.mapping.tables[0].columns.map {
                "\($0.path) \($0.type.primitive?.name ?? "?") \($0.type.facets)"
            }
        }
        #expect(types(empty) == types(full))
        #expect(
            full.mapping.tables[0].columns.dropFirst().map(describe) == [
                "a: Boolean? boolean", "b: DateTimeOffset? unixSeconds", "c: Date? date",
                "d: Decimal? realDecimal", "e: Guid? guid", "g: Double? real", "i: String? string",
                "k: DateTimeOffset? isoDateTime", "l: Boolean? looseBoolean", "m: Int64? integer",
            ])
        #expect(empty.notes.isEmpty)
        for name in ["c", "d", "e", "g", "m"] {
            #expect(
                full.notes.contains { $0.hasPrefix("Conversion error: 1 values in t.\(name) ") },
                "\(name): \(full.notes)")
        }
        #expect(full.notes.count == 5)
    }

    @Test func foreignKeysBecomeNavigationPropertiesBothWays() throws {
        let mapping = try model(
            """
            CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE tool (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owner,
                parent_id INTEGER REFERENCES tool(id) ON DELETE SET NULL);
            CREATE TABLE badge (owner_id INTEGER PRIMARY KEY REFERENCES owner(id) ON DELETE CASCADE);
            """
        ).mapping
        let tool = try type("tool", in: mapping)
        let forward = try #require(tool.properties.first { $0.name == "owner" })
        #expect(forward.type.isNullable == false)
        #expect(forward.navigation?.partner == "tool")
        #expect(
            forward.navigation?.referentialConstraints == [
                ReferentialConstraint(property: "owner_id", referencedProperty: "id")
            ])
        #expect(
            tool.properties.filter(\.isNavigation).map(\.name) == [
                "owner", "parent", "tool_parent",
            ]
        )
        let owner = try type("owner", in: mapping)
        let tools = try #require(owner.properties.first { $0.name == "tool" })
        #expect(tools.type.isCollection)
        let badge = try #require(owner.properties.first { $0.name == "badge" })
        #expect(!badge.type.isCollection)
        #expect(badge.navigation?.onDelete == .cascade)
        let set = try #require(mapping.graph.entitySet(named: "tool"))
        #expect(mapping.graph[set].target(of: "owner") == "owner")
        let table = try #require(mapping.table(path: "owner"))
        #expect(
            table.navigation(path: "tool")?.storage
                == .columns([LinkedColumns(source: "id", target: "owner_id")]))
    }

    @Test func aTableWithoutKeyIsAddressedByRowIDAndReadOnly() throws {
        let result = try model("CREATE TABLE log (text TEXT, \"rowid\" TEXT)")
        let table = result.mapping.tables[0]
        #expect(table.keys.map(\.name) == ["_rowid_"])
        #expect(table.keys.map(\.path) == ["row_id"])
        #expect(table.keys.allSatisfy { !$0.isWritable })
        // VACUUM renumbers such rows.
        #expect(!table.isWritable)
        #expect(result.notes.count == 1 && result.notes[0].contains("log is read-only"))
    }

    @Test func approximateKeysGiveWayToOthers() throws {
        let mapping = try model(
            """
            CREATE TABLE p (x REAL PRIMARY KEY);
            CREATE TABLE q (x REAL PRIMARY KEY, code TEXT NOT NULL UNIQUE, other TEXT UNIQUE);
            """
        ).mapping
        #expect(mapping.tables[0].keys.map(\.name) == ["rowid"])
        #expect(!mapping.tables[0].isWritable)
        #expect(mapping.tables[1].keys.map(\.name) == ["code"])
        #expect(mapping.tables[1].isWritable)
    }

    @Test func valuesNeverDecideKeys() throws {
        let table = "CREATE TABLE g (id UUID PRIMARY KEY NOT NULL, name TEXT);"
        let empty = try model(table)
        let full = try model(
            table + "INSERT INTO g VALUES (x'00112233445566778899aabbccddeeff', 'a')")
        for result in [empty, full] {
            #expect(result.mapping.tables[0].keys.map(\.path) == ["id"])
            #expect(result.mapping.tables[0].isWritable)
            #expect(result.notes.isEmpty)
        }
    }

    @Test func whatLooksLikeAValueAndIsNoneIsTold() throws {
        let result = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a DATE, b DATE, c DATETIME, d DECIMAL(5,2), e UUID, f UUID,
                g TIME);
            INSERT INTO t VALUES (1, '2024-19-39', '2024-02-30', '2023-02-29 10:00:00', '12x3',
                'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz', '0123456789ab-cdef-0123-456789-abcdef',
                '29:00:00'),
                (2, '2024-02-29', '2024-12-31', '2024-02-29 10:00:00', '1.5',
                '01234567-89ab-CDEF-0123-456789abcdef', NULL, '23:59:59.5'),
                (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
            """)
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            #expect(
                result.notes.contains { $0.hasPrefix("Conversion error: 1 values in t.\(name) ") },
                "\(name): \(result.notes)")
        }
        #expect(result.notes.count == 7)
    }

    @Test func whatIsBrokenDoesNotKeepTheRestOut() throws {
        let wide = (0..<1_200).map { "c\($0) INTEGER" }.joined(separator: ", ")
        let result = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, "a b" TEXT);
            CREATE VIEW broken AS SELECT gone FROM t;
            CREATE VIEW nobody AS SELECT * FROM missing;
            CREATE TABLE wide (id INTEGER PRIMARY KEY, \(wide));
            """)
        #expect(result.mapping.tables.map(\.path) == ["t", "wide"])
        #expect(result.notes.contains { $0.contains("View broken is left out") })
        #expect(result.notes.contains { $0.contains("View nobody is left out") })
        #expect(result.notes.contains { $0.contains("t.a b is the property t/a_b") })
    }

    @Test func whatIsExposedIsChosen() throws {
        let queue = try DatabaseQueue()
        func names(_ included: [String], _ excluded: [String]) throws -> [String] {
            try queue.read {
                try DatabaseSchemaReader(
                    $0, choice: TableChoice(included: included, excluded: excluded)
                ).read().tables.map(\.name)
            }
        }
        try queue.write {
            try $0.execute(
                sql:
                    "CREATE TABLE auth_user (id INTEGER PRIMARY KEY); CREATE TABLE auth_group (id);"
                    + "CREATE TABLE shop_order (id INTEGER PRIMARY KEY, u REFERENCES auth_user)")
        }
        #expect(try names([], []) == ["auth_group", "auth_user", "shop_order"])
        #expect(try names(["shop_*"], []) == ["shop_order"])
        #expect(try names([], ["AUTH_*"]) == ["shop_order"])
        #expect(try names(["*_user", "shop_order"], ["shop*"]) == ["auth_user"])
    }

    @Test func viewsAreReadOnlyAndNeedUniqueValues() throws {
        let result = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY, city TEXT);
            INSERT INTO t VALUES (1, 'a'), (2, 'a');
            CREATE VIEW numbers AS SELECT city, id FROM t;
            CREATE VIEW cities AS SELECT city FROM t;
            """)
        let table = try #require(result.mapping.table(path: "numbers"))
        #expect(table.keys.map(\.path) == ["id"])
        #expect(!table.isWritable)
        #expect(result.mapping.table(path: "cities") == nil)
        #expect(result.notes.count == 1 && result.notes[0].contains("cities"))
        let set = result.mapping.graph[table.entitySet]
        #expect(
            set.annotations.first(term: "Org.OData.Capabilities.V1.InsertRestrictions") != nil)
    }

    @Test func namesBecomeIdentifiers() throws {
        let mapping = try model(
            """
            CREATE TABLE "order lines" ("line no" INTEGER PRIMARY KEY, "2nd" TEXT, "line-no" TEXT,
                "größe" TEXT);
            """
        ).mapping
        #expect(mapping.tables[0].path == "order_lines")
        #expect(mapping.tables[0].name == "order lines")
        #expect(
            mapping.tables[0].columns.map(\.path) == ["line_no", "_2nd", "line_no_2", "größe"])
    }

    @Test func fullTextTablesAndOurOwnAreNotExposed() throws {
        let mapping = try model(
            """
            CREATE TABLE t (id INTEGER PRIMARY KEY);
            CREATE TABLE _odata_changes (sequence INTEGER PRIMARY KEY);
            CREATE VIRTUAL TABLE search USING fts5(text);
            """
        ).mapping
        #expect(mapping.tables.map(\.name) == ["t"])
    }

    @Test func generatedColumnsAreReadOnly() throws {
        let mapping = try model(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT GENERATED ALWAYS AS (a + 1))"
        ).mapping
        #expect(mapping.tables[0].columns.map(\.isWritable) == [true, true, false])
    }

    @Test func theSampleHasTheShapeItPromises() throws {
        let directory = try TemporaryDirectory()
        try FieldServiceSample(seed: 1, scale: 500).write(to: directory.file("s"))
        let queue = try DatabaseQueue(path: directory.file("s"))
        var options = DatabaseModelBuilder.Options()
        options.typeNames = FieldServiceSample.typeNames
        let schema = try queue.read { try DatabaseSchemaReader($0).read() }
        let result = try DatabaseModelBuilder.build(schema, options: options)
        #expect(result.notes.isEmpty)
        let order = try type("WorkOrder", in: result.mapping)
        #expect(
            order.properties.filter(\.isNavigation).map(\.name) == [
                "Photos", "TimeEntries", "Site", "Equipment",
            ])
        let entries = try #require(result.mapping.table(path: "TimeEntries"))
        #expect(
            entries.keys.map(describe) == [
                "WorkOrderId: Int64 integer", "Position: Int32 integer",
            ])
        let types = Set(result.mapping.tables.flatMap { $0.columns.compactMap(\.type.primitive) })
        #expect(
            types == [
                .guid, .int64, .int32, .string, .decimal, .double, .boolean, .date, .timeOfDay,
                .dateTimeOffset, .duration, .binary,
            ])
    }
}
