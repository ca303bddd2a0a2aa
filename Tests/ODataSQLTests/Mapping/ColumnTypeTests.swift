import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import ShopFixture
import Testing

/// Metadata as tables: the encoding of each type, the columns of each dialect, and what is written to them.
@Suite struct ColumnTypeTests {
    @Test(arguments: [
        (PrimitiveType.boolean, ColumnEncoding.boolean, "INTEGER", "boolean"),
        (.byte, .integer, "INTEGER", "bigint"), (.int64, .integer, "INTEGER", "bigint"),
        (.single, .real, "REAL", "double precision"), (.double, .real, "REAL", "double precision"),
        (.decimal, .orderedDecimal, "TEXT", "numeric"),
        (.string, .string, "TEXT", #"text COLLATE "C""#),
        (.guid, .guid, "TEXT", #"text COLLATE "C""#),
        (.date, .date, "TEXT", #"text COLLATE "C""#),
        (.timeOfDay, .timeOfDay, "TEXT", #"text COLLATE "C""#),
        (.time, .timeOfDay, "TEXT", #"text COLLATE "C""#),
        (.dateTimeOffset, .utcDateTime, "TEXT", #"text COLLATE "C""#),
        (.dateTime, .wallDateTime, "TEXT", #"text COLLATE "C""#),
        (.duration, .duration, "TEXT", "numeric"),
        (.binary, .binary, "BLOB", "bytea"), (.geographyPoint, .json, "TEXT", #"text COLLATE "C""#),
    ])
    func eachTypeHasAnEncodingAndColumnsOfItsOwn(
        _ type: PrimitiveType, _ encoding: ColumnEncoding, _ sqlite: String, _ postgreSQL: String
    ) {
        #expect(ColumnEncoding.local(for: TypeReference(.primitive(type))) == encoding)
        #expect(SQLDialect.sqlite.columnType(encoding) == sqlite)
        #expect(SQLDialect.postgreSQL.columnType(encoding) == postgreSQL)
        let many = TypeReference(.primitive(type), isCollection: true)
        #expect(ColumnEncoding.local(for: many) == .json)
    }

    @Test(arguments: [
        (18, 2, ColumnEncoding.scaledDecimal(scale: 2)), (18, 18, .scaledDecimal(scale: 18)),
        (1, 0, .scaledDecimal(scale: 0)), (19, 2, .orderedDecimal), (2, 3, .orderedDecimal),
    ])
    func decimalsThatFitSixtyFourBitsAreIntegers(
        _ precision: Int, _ scale: Int, _ encoding: ColumnEncoding
    ) {
        let facets = TypeFacetValues(precision: precision, scale: .fixed(scale))
        let type = TypeReference(.primitive(.decimal), facets: facets)
        #expect(ColumnEncoding.local(for: type) == encoding)
        #expect(ColumnEncoding.local(for: type, widened: true) == .orderedDecimal)
    }

    @Test func postgreSQLOrdersItsOwnNumbers() throws {
        let graph = try Shop.graph()
        let table = try SchemaMapping.local(for: graph, dialect: .postgreSQL)
            .existingTable(path: "Customers")
        let exact = try #require(table.column(path: "Exact"))
        #expect(exact.storedColumns == ["Exact"] && exact.isSelfOrdered)
        let other = try #require(
            try Shop.mapping().existingTable(path: "Customers").column(path: "Exact"))
        #expect(
            other.storedColumns == ["Exact", "Exact#order"] && other.comparedColumn == "Exact#order"
        )
        #expect(table.column(path: "Changed")?.storedColumns == ["Changed", "Changed#offset"])
    }

    @Test func theTableOfOrdersInPostgreSQLReadsLikeThis() throws {
        let mapping = SchemaMapping.local(for: try Shop.graph(), dialect: .postgreSQL)
        let table = try mapping.existingTable(path: "Orders")
        #expect(
            table.createTable(in: .postgreSQL) == """
                CREATE TABLE "Orders" (
                    "_odata_id" bigint PRIMARY KEY,
                    "_odata_etag" text COLLATE "C",
                    "_odata_sources" bigint NOT NULL DEFAULT 0,
                    "_odata_state" bigint NOT NULL DEFAULT 0,
                    "_odata_control" text COLLATE "C",
                    "Id" bigint,
                    "CustomerId" bigint,
                    "Amount" bigint,
                    "Placed" text COLLATE "C",
                    "Placed#offset" bigint
                )
                """)
    }

    @Test(arguments: [
        (ColumnEncoding.boolean, SQLArgument.integer(1), "TRUE"), (.boolean, .integer(0), "FALSE"),
        (.string, .null, "NULL"), (.integer, .integer(5), "$1"),
        (.orderedDecimal, .text("1.5"), #"CAST(($1 COLLATE "C") AS numeric)"#),
        (.real, .text("NaN"), #"CAST(($1 COLLATE "C") AS double precision)"#),
        (.duration, .text("PT1H"), #"_odata_seconds(($1 COLLATE "C"))"#),
        (.json, .text("[1]"), #"($1 COLLATE "C")"#),
    ])
    func postgreSQLIsToldTheFormOfItsColumns(
        _ encoding: ColumnEncoding, _ argument: SQLArgument, _ text: String
    ) throws {
        let statement = try SQLDialect.postgreSQL.written(argument, as: encoding)
            .statement(.postgreSQL)
        #expect(statement.text == text)
        let plain = try SQLDialect.sqlite.written(argument, as: encoding).statement(.sqlite)
        #expect(plain.text == "?1" && plain.arguments == [argument])
    }

    @Test func longNamesAreCutWithAFingerprint() {
        let long = String(repeating: "n", count: 70)
        let text = "SELECT \"\(long)1\", \"\(long)2\", \"short\""
        #expect(SQLDialect.sqlite.withShortNames(text) == text)
        let names = SQLDialect.postgreSQL.withShortNames(text)
            .split(separator: "\"").filter { $0.hasPrefix("n") }
        #expect(names.count == 2 && Set(names).count == 2)
        #expect(names.allSatisfy { $0.utf8.count <= 63 })
    }

    @Test func theReadableViewShowsValuesAsPeopleWriteThem() throws {
        let graph = try Shop.graph()
        let view = try Shop.mapping().existingTable(path: "Orders").createView(graph: graph)
        #expect(view.contains(#"printf('%03d', abs("Amount" % 1000))"#))
        let other = try SchemaMapping.local(for: graph, dialect: .postgreSQL)
            .existingTable(path: "Orders").createView(graph: graph, in: .postgreSQL)
        #expect(other.contains(#"round("Amount"::numeric / 1000, 3)"#))
    }

    @Test func aRowIsEncodedColumnByColumn() throws {
        let graph = try Shop.graph()
        let table = try Shop.mapping().existingTable(path: "Orders")
        var order = StructureValue(type: table.structure, in: graph)
        order.slots[0] = .scalar(.integer(7))
        order.slots[2] = .scalar(.decimal(try #require(DecimalNumber("1.5"))))
        let encoder = RowEncoder(table: table, graph: graph)
        let rows = try encoder.assignments(for: order)
        #expect(rows.map(\.column.path) == ["Id", "Amount"])
        #expect(rows.map(\.arguments) == [[.integer(7)], [.integer(1_500)]])
        order.slots[2] = .scalar(.string("much"))
        #expect(
            failure { try encoder.assignments(for: order) }
                == Failure(.invalidValue, at: .path("Amount")))
        #expect(try encoder.keyArguments([.integer(7)]) == [.integer(7)])
        #expect(
            failure { try encoder.keyArguments([]) }
                == Failure(.invalidQuery, at: .path("Orders")))
    }
}
