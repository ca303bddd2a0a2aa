/// The tables that stand beside the data (`docs/store-format.md`): settings, the queue, attempts, what was
/// downloaded and how far, and events. They live in the same file because SQLite commits atomically only there.
enum BookkeepingSchema {
    /// Rises when a table below changes.
    static let version: Int64 = 11
    /// `PRAGMA application_id` of a store: "ODta".
    static let applicationID: Int64 = 0x4F44_7461

    static let statements: [String] =
        [
            """
            CREATE TABLE _odata_meta (
                name TEXT PRIMARY KEY,
                value
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_request (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                position INTEGER NOT NULL,
                operation TEXT NOT NULL,
                "table" TEXT NOT NULL,
                "row" INTEGER NOT NULL,
                navigation TEXT,
                other_table TEXT,
                other_row INTEGER,
                is_contained INTEGER NOT NULL DEFAULT 0,
                body TEXT,
                effects TEXT,
                principals TEXT,
                if_match TEXT,
                headers TEXT,
                change_set TEXT,
                custom_tag TEXT,
                upload_group TEXT,
                transaction_id TEXT,
                flags INTEGER NOT NULL DEFAULT 0,
                repeatability_id TEXT NOT NULL,
                first_sent INTEGER,
                state TEXT NOT NULL,
                attempt INTEGER,
                blocked_by INTEGER,
                status INTEGER,
                error_code TEXT,
                error_message TEXT,
                inner_error TEXT,
                response_body TEXT,
                created_at INTEGER NOT NULL,
                user TEXT
            )
            """,
            "CREATE INDEX _odata_request_position ON _odata_request (position, id)",
            """
            CREATE TABLE _odata_request_row (
                "table" TEXT NOT NULL,
                "row" INTEGER NOT NULL,
                request INTEGER NOT NULL,
                PRIMARY KEY ("table", "row", request)
            ) WITHOUT ROWID
            """,
            "CREATE INDEX _odata_request_row_request ON _odata_request_row (request)",
            principals, principalsIndex,
            """
            CREATE TABLE _odata_attempt (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                method TEXT NOT NULL,
                url TEXT NOT NULL,
                headers TEXT,
                body BLOB NOT NULL,
                members TEXT NOT NULL,
                frozen_at INTEGER NOT NULL,
                send_count INTEGER NOT NULL DEFAULT 0
            )
            """,
            """
            CREATE TABLE _odata_base_link (
                link_table TEXT NOT NULL,
                source INTEGER NOT NULL,
                target INTEGER NOT NULL,
                is_present INTEGER NOT NULL,
                request INTEGER,
                PRIMARY KEY (link_table, source, target)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_alias (
                "table" TEXT NOT NULL,
                "row" INTEGER NOT NULL,
                read_link TEXT NOT NULL,
                PRIMARY KEY ("table", "row")
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_download_query (
                name TEXT PRIMARY KEY,
                "table" TEXT NOT NULL,
                url TEXT NOT NULL,
                streams INTEGER NOT NULL DEFAULT 0,
                is_default INTEGER NOT NULL DEFAULT 0,
                source_bit INTEGER NOT NULL,
                created_at INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_delta (
                query TEXT PRIMARY KEY,
                link TEXT,
                identity TEXT NOT NULL,
                tier TEXT,
                completed_at INTEGER NOT NULL
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_resume (
                query TEXT PRIMARY KEY,
                identity TEXT NOT NULL,
                next_link TEXT NOT NULL,
                mode TEXT NOT NULL,
                seen BLOB,
                "rows" INTEGER NOT NULL DEFAULT 0,
                staged INTEGER NOT NULL DEFAULT 0,
                answers INTEGER NOT NULL DEFAULT 0,
                delta_link TEXT
            ) WITHOUT ROWID
            """,
            SendingRows.table, RowMarks.table, RowMarks.index, RowMarks.rewritten, stage,
            stageIndex, upserted,
            AcceptedDeletions.table, SourceHolds.table, SourceHolds.rows,
            """
            CREATE TABLE _odata_loaded (
                "table" TEXT NOT NULL,
                navigation TEXT NOT NULL,
                PRIMARY KEY ("table", navigation)
            ) WITHOUT ROWID
            """,
            """
            CREATE TABLE _odata_event (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                type TEXT NOT NULL,
                time INTEGER NOT NULL,
                details TEXT
            )
            """,
        ] + StreamRows.tables

    private static let principals = """
        CREATE TABLE _odata_request_principal (
            "table" TEXT NOT NULL,
            "row" INTEGER NOT NULL,
            request INTEGER NOT NULL,
            PRIMARY KEY ("table", "row", request)
        ) WITHOUT ROWID
        """
    private static let principalsIndex =
        "CREATE INDEX _odata_request_principal_request"
        + " ON _odata_request_principal (request)"

    /// Indexes what was recorded before there was the table.
    private static let principalsOfBefore = """
        INSERT OR IGNORE INTO _odata_request_principal
        SELECT json_extract(e.value, '$.principal[0]'), json_extract(e.value, '$.principal[1]'), r.id
        FROM _odata_request r,
            json_each(CASE WHEN json_valid(r.effects) THEN r.effects END) e
        WHERE json_extract(e.value, '$.principal[1]') IS NOT NULL
        """

    private static let stage = """
        CREATE TABLE _odata_stage (
            query TEXT NOT NULL,
            page INTEGER NOT NULL,
            part INTEGER NOT NULL,
            link TEXT,
            "rows" INTEGER NOT NULL DEFAULT 0,
            bytes BLOB NOT NULL
        )
        """
    private static let stageIndex =
        "CREATE UNIQUE INDEX _odata_stage_part ON _odata_stage (query, page, part)"

    private static let upserted = """
        CREATE TABLE _odata_upserted (
            "table" TEXT NOT NULL,
            "row" INTEGER NOT NULL,
            PRIMARY KEY ("table", "row")
        ) WITHOUT ROWID
        """

    /// What brings a file of a format to the next one.
    static let upgrades: [Int64: [String]] = [
        1: [
            "ALTER TABLE _odata_resume ADD COLUMN staged INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE _odata_resume ADD COLUMN answers INTEGER NOT NULL DEFAULT 0",
            stage, stageIndex, upserted,
        ],
        2: StreamRows.tables,
        3: ["ALTER TABLE _odata_resume ADD COLUMN delta_link TEXT"],
        4: [SendingRows.table],
        5: [RowMarks.table, RowMarks.index],
        6: [AcceptedDeletions.table],
        7: [SourceHolds.table, SourceHolds.rows],
        8: [RowMarks.rewritten],
        9: [principals, principalsIndex, principalsOfBefore],
        10: ["ALTER TABLE _odata_request ADD COLUMN user TEXT"],
    ]
}
