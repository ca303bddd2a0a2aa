import ODataSQL
import ODataSQLite

/// The tables that hold the content of streams, and the triggers that give content up with its row.
///
/// - `_odata_streams`: one row per content. A content never changes: new content is a new number, so that a reader
///   sees one content or misses a part of it, and the number serves as entity tag.
/// - `_odata_stream_parts`: their bytes (``ContentChunks``).
enum StreamSchema {
    static let names = ContentChunks.Tables(
        contents: "_odata_streams", parts: "_odata_stream_parts")

    static let tables = """
        CREATE TABLE IF NOT EXISTS _odata_streams (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            media_type TEXT NOT NULL,
            length INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL
        );
        CREATE INDEX IF NOT EXISTS _odata_streams_in_question
            ON _odata_streams(state) WHERE state <> 'whole';
        CREATE TABLE IF NOT EXISTS _odata_stream_parts (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        """

    /// What a trigger does with the content that a column no longer holds.
    ///
    /// - Parameter old: the expression of what it held.
    static func giveUp(_ old: String) -> String {
        """
        UPDATE _odata_streams SET state = 'doomed'
            WHERE id = \(old) AND typeof(\(old)) = 'integer'
        """
    }
}
