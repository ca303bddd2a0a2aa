#if PostgreSQL
    import ODataPostgres
    import ODataQuery
    import ODataSQL
    import ODataStore
    import PostgreSQLFixture

    /// A store, and a database of PostgreSQL with a copy of its rows.
    struct PostgreSQLTwin {
        private let store: LocalStore
        private let connection: PostgresConnection
        private let mappings: (sqlite: SchemaMapping, postgreSQL: SchemaMapping)

        init(of store: LocalStore) throws {
            self.store = store
            let mapping = try store.mapping()
            mappings = (
                mapping,
                SchemaMapping.local(
                    for: mapping.graph, record: mapping.record, dialect: .postgreSQL)
            )
            connection = try PostgreSQLServer.makeDatabase()
            for statement in mappings.postgreSQL.ddl(in: .postgreSQL) {
                try connection.run(statement)
            }
            let copy = TableCopy(from: mappings.sqlite, to: mappings.postgreSQL)
            let statements = try store.write(.normal) { database in
                try copy.statements { try database.storedRows($0) }
            }
            try connection.run("BEGIN")
            for statement in statements { _ = try connection.rows(statement) }
            try connection.run("COMMIT; ANALYZE")
        }

        private func mapping(_ dialect: SQLDialect) -> SchemaMapping {
            dialect == .postgreSQL ? mappings.postgreSQL : mappings.sqlite
        }

        func plan(_ query: Query, _ dialect: SQLDialect) throws -> QueryPlan {
            try QueryCompiler(
                mapping: mapping(dialect), options: CompilerOptions(dialect: dialect)
            ).compile(query)
        }

        func answer(_ plan: QueryPlan, _ dialect: SQLDialect) throws -> PlanAnswer {
            try PlanRunner(mapping: mapping(dialect)) { statement in
                dialect == .postgreSQL
                    ? try connection.rows(statement)
                    : try store.write(.normal) { try $0.storedRows(statement) }
            }.run(plan)
        }
    }
#endif
