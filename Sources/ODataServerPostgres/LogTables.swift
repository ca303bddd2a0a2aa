import ODataSQL

/// The log of changes: one row for each change of a row, written by triggers of the owner's tables, whoever changes them.
///
/// - `changes`: the transaction (`xid`) and the number of each change, the key of the row, and the row as it was before. Partitioned by time:
///   a ring of parts, each for some days, so that nobody has to make one while rows are written.
/// - `expired`: the last transaction of which a change was forgotten. A sequence, because everybody sees its value at once,
///   whatever their snapshots see: who reads the log looks at it behind that.
/// - `meta`: which database the log belongs to, which is another one once it was dumped and restored.
enum LogTables {
    static let changes = "\(OwnSchema.quotedName).changes"
    static let numbers = "\(OwnSchema.quotedName).numbers"
    static let expired = "\(OwnSchema.quotedName).expired"
    static let meta = "\(OwnSchema.quotedName).meta"
    /// Made first among the triggers that run behind a change of a row: those of the owner may change it again.
    static let rowTrigger = "!odata_rows"
    static let truncationTrigger = "!odata_all"

    static let parts = 8
    static func part(_ number: Int) -> String { "\(OwnSchema.quotedName).changes_\(number)" }
    /// Sixteen days; all parts together are longer than changes are kept.
    private static let secondsOfPart = 1_382_400

    /// For their owner alone, as they hold rows; each can be run again.
    static let definitions: [String] =
        [
            """
            CREATE SEQUENCE IF NOT EXISTS \(numbers);
            CREATE SEQUENCE IF NOT EXISTS \(expired) MINVALUE 0 START 0;
            CREATE TABLE IF NOT EXISTS \(meta) (name text PRIMARY KEY, value text NOT NULL);
            CREATE TABLE IF NOT EXISTS \(changes) (
                part smallint NOT NULL,
                number bigint NOT NULL,
                xid xid8 NOT NULL,
                at timestamptz NOT NULL,
                relation oid NOT NULL,
                kind "char" NOT NULL,
                key jsonb NOT NULL,
                old jsonb
            ) PARTITION BY LIST (part)
            """
        ]
        + (0..<parts).map {
            "CREATE TABLE IF NOT EXISTS \(part($0)) PARTITION OF \(changes) FOR VALUES IN (\($0))"
        } + [
            """
            CREATE INDEX IF NOT EXISTS changes_by_transaction ON \(changes) (relation, xid);
            CREATE INDEX IF NOT EXISTS changes_by_number ON \(changes) (number);
            CREATE INDEX IF NOT EXISTS changes_of_all ON \(changes) (relation, xid)
                WHERE kind = 'T'
            """,
            noteChange, noteTruncation,
            // Whoever may make triggers could write into the log by them.
            """
            REVOKE ALL ON FUNCTION \(function("note_change"))(),
                \(function("note_truncation"))() FROM PUBLIC
            """,
        ]

    static func function(_ name: String) -> String { "\(OwnSchema.quotedName).\(name)" }

    /// Names columns only when it runs, and takes null for those that are gone: the owner may drop any. Values are texts that do
    /// not depend on the settings of who writes; whoever does needs no right to the log.
    private static let noteChange = trigger(
        "note_change",
        """
        DECLARE
            keys text[] := TG_ARGV[1];
            old_row jsonb;
            new_row jsonb;
            old_key jsonb;
            new_key jsonb;
        BEGIN
            IF TG_OP <> 'INSERT' THEN
                old_row := to_jsonb(OLD);
                old_key := (SELECT jsonb_object_agg(k, old_row -> k) FROM unnest(keys) k);
                old_row := old_row - CAST(TG_ARGV[2] AS text[]);
            END IF;
            IF TG_OP <> 'DELETE' THEN
                new_row := to_jsonb(NEW);
                new_key := (SELECT jsonb_object_agg(k, new_row -> k) FROM unnest(keys) k);
            END IF;
            IF old_key IS NOT NULL THEN
                INSERT INTO \(changes) VALUES (\(place),
                    CASE WHEN old_key = new_key THEN 'U' ELSE 'D' END, old_key, old_row);
            END IF;
            IF new_key IS DISTINCT FROM old_key AND new_key IS NOT NULL THEN
                INSERT INTO \(changes) VALUES (\(place), 'I', new_key, NULL);
            END IF;
            RETURN NULL;
        END
        """)

    /// All rows go at once: that is told as such, however many there are.
    private static let noteTruncation = trigger(
        "note_truncation",
        """
        BEGIN
            INSERT INTO \(changes) VALUES (\(place), 'T', '{}', NULL);
            RETURN NULL;
        END
        """)

    private static let place = """
        CAST(floor(extract(epoch FROM clock_timestamp()) / \(secondsOfPart)) AS bigint) % \(parts),
                    nextval('\(numbers)'), pg_current_xact_id(), clock_timestamp(),
                    CAST(TG_ARGV[0] AS oid)
        """

    private static func trigger(_ name: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION \(function(name))() RETURNS trigger LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
            SET datestyle = 'ISO, YMD' SET intervalstyle = 'iso_8601' SET extra_float_digits = 1
            SET bytea_output = 'hex' AS $odata$
        \(body)
        $odata$
        """
    }
}
