import Foundation
import GRDB
import ODataSyncPlan

/// Where each download query stands: `_odata_delta` and `_odata_resume`, written in the transaction of the rows they
/// speak of.
package struct DownloadBookkeeping {
    private let database: Database

    /// The tier of a source whose rows lack values of new properties; its next read is a full one.
    static let incomplete = "incomplete"

    /// The mode of a read that stored rows and has to start anew; no link goes with it.
    private static let begun = "begun"

    /// Kept in place of a count of answers: more were accepted while the read went on.
    static let overtaken: Int64 = -1

    package init(_ database: Database) { self.database = database }

    /// The next download reads these sets in full, whatever it knew of them.
    func markIncomplete(_ sets: some Sequence<String>) throws {
        for set in sets {
            let sources =
                "WHERE (query = ? OR query IN (SELECT 'query:' || name"
                + " FROM _odata_download_query WHERE \"table\" = ?))"
            try database.execute(
                sql: "UPDATE _odata_delta SET link = NULL, tier = '\(Self.incomplete)' \(sources)",
                arguments: ["set:" + set, set])
            try beginAnew(sources, ["set:" + set, set])
        }
    }

    /// Whether the source has stored rows, to their end or not.
    func hasTraces(of key: String) throws -> Bool {
        try ["_odata_delta", "_odata_resume"].contains { table in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM \(table) WHERE query = ?"),
                arguments: [key]) != nil
        }
    }

    /// The source asks for something else from now on, or is no more: nothing that was known of it counts.
    func forget(_ key: String) throws {
        for table in ["_odata_delta", "_odata_resume", "_odata_stage"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE query = ?", arguments: [key])
        }
        for name in [StoreSettings.Name.traces, .broken] {
            try StoreSettings(database: database).set(name, of: key, nil)
        }
    }

    /// The next reads that bring rows of the table are such of all rows: those of its set, or of the one whose entities contain
    /// them, and those whose expansions lead there.
    func readAll(of table: String) throws {
        try markIncomplete([String(table.prefix { $0 != "/" })])
        for entry in try SourceHolds(database: database).entries(of: table)
        where entry.kind == .expansion {
            try readWhole(entry.query)
        }
    }

    /// The next read of the source is one of all rows, which are compared with those that are there.
    func begin(comparing key: String) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO _odata_delta (query, identity, tier, completed_at)"
                + " VALUES (?, '', '\(Self.incomplete)', 0)", arguments: [key])
    }

    /// The next read of the source is one of all rows, whatever link to its changes there is.
    func readWhole(_ key: String) throws {
        try database.execute(
            sql: "UPDATE _odata_delta SET link = NULL, tier = '\(Self.incomplete)'"
                + " WHERE query = ?", arguments: [key])
        try beginAnew("WHERE query = ?", [key])
    }

    /// A source is complete when all of its rows were stored at some time, as it asks for them now. Where ``begin(comparing:)``
    /// has made its row there was none.
    static let isComplete = "completed_at > 0"

    func isComplete(_ key: String) throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_delta WHERE query = ? AND \(Self.isComplete)"),
            arguments: [key]) != nil
    }

    /// The entity sets that were ever downloaded whole.
    func loadedSets() throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(
                sql: "SELECT substr(query, 5) FROM _odata_delta WHERE substr(query, 1, 4) = 'set:'"
                    + " AND \(Self.isComplete)"))
    }

    /// What is known of the source. A delta link counts only for the identity (user, language, headers) it was
    /// given to; so does a resume point.
    package func state(of source: DownloadSource, identity: String) throws -> SourceState {
        var state = SourceState()
        if let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT link, identity, \(Self.isComplete) AS complete FROM _odata_delta"
                    + " WHERE query = ?"), arguments: [source.key])
        {
            state.isComplete = row["complete"]
            state.hasRows = !state.isComplete
            if row["identity"] == identity { state.deltaLink = row["link"] }
        }
        if let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT next_link, mode, identity, staged, answers, delta_link"
                    + " FROM _odata_resume WHERE query = ?"),
            arguments: [source.key]), row["identity"] == identity,
            let mode = ReadMode(rawValue: row["mode"])
        {
            let point = ResumePoint(
                mode: mode, nextLink: row["next_link"], stagedPages: row["staged"],
                deltaLink: row["delta_link"])
            // Pages that came before a change of ours was accepted would bring old states back.
            let isCurrent =
                try point.stagedPages == 0
                || row["answers"] == AcceptedAnswers(database: database).count()
                    && stagedPages(of: source) >= point.stagedPages
            if isCurrent { state.resume = point }
        }
        state.brokenLink = try StoreSettings(database: database).text(.broken, of: source.key)
        // Whoever the rows of a first load came for: they are there.
        if !state.isComplete, !state.hasRows, state.resume == nil {
            state.hasRows =
                try Int64.fetchOne(
                    database, sql: "SELECT 1 FROM _odata_resume WHERE query = ?",
                    arguments: [source.key]) != nil
        }
        return state
    }

    /// Notes that rows of a source are being stored that was never read to its end.
    func begin(_ source: DownloadSource, identity: String) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO _odata_resume (query, identity, next_link, mode)
                SELECT ?1, ?2, '', '\(Self.begun)'
                WHERE NOT EXISTS (SELECT 1 FROM _odata_delta WHERE query = ?1)
                """, arguments: [source.key, identity])
    }

    /// Forgets where the read would go on, but not that it has stored rows.
    func beginAnew(_ source: DownloadSource) throws {
        try beginAnew("WHERE query = ?", [source.key])
    }

    /// Rows of these tables are being stored for a source: what others have kept of them for the end of their reads is older, and
    /// such reads begin anew.
    func giveUpPages(ofOthersThan key: String, in tables: Set<String>) throws {
        let others = try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT query FROM _odata_resume WHERE staged > 0 AND query <> ?"),
            arguments: [key])
        for other in others {
            let isShared = try !SourceHolds(database: database).tables(of: other)
                .isDisjoint(with: tables)
            guard isShared else { continue }
            try database.execute(
                sql: "DELETE FROM _odata_stage WHERE query = ?", arguments: [other])
            try beginAnew("WHERE query = ?", [other])
        }
    }

    private func beginAnew(_ sources: String, _ arguments: StatementArguments) throws {
        try database.execute(
            sql: "DELETE FROM _odata_resume \(sources)"
                + " AND query IN (SELECT query FROM _odata_delta)", arguments: arguments)
        try database.execute(
            sql: "UPDATE _odata_resume SET mode = '\(Self.begun)', next_link = '', seen = NULL,"
                + " staged = 0, delta_link = NULL \(sources)", arguments: arguments)
    }

    private func stagedPages(of source: DownloadSource) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(DISTINCT page) FROM _odata_stage WHERE query = ?",
            arguments: [source.key]) ?? 0
    }

    /// The same when an interrupted read began. The pages of a first load were stored before what was accepted since, so
    /// that it begins where it goes on: nil then.
    func beginning(of source: DownloadSource, mode: ReadMode) throws -> Int64? {
        let kept = try Int64.fetchOne(
            database, sql: "SELECT answers FROM _odata_resume WHERE query = ?",
            arguments: [source.key])
        return mode == .first && kept != Self.overtaken ? nil : kept
    }

    /// The rows that an interrupted sweep has met.
    package func seenRows(of source: DownloadSource) throws -> SeenRows {
        let bytes = try [UInt8](
            Data.fetchOne(
                database, sql: "SELECT seen FROM _odata_resume WHERE query = ?",
                arguments: [source.key]) ?? Data())
        return SeenRows(bytes: bytes)
    }

    /// Keeps where the read goes on after an interruption.
    ///
    /// - Parameters:
    ///   - seen: the rows that a sweep has met; nil when it has met no more since the last time.
    ///   - beginning: how often the service had accepted changes when the read began; nil for now.
    package func keep(
        _ point: ResumePoint, of source: DownloadSource, identity: String, seen: SeenRows?,
        rows: Int, beginning: Int64? = nil
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO _odata_resume
                    (query, identity, next_link, mode, seen, "rows", staged, answers, delta_link)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (query) DO UPDATE SET identity = excluded.identity,
                    next_link = excluded.next_link, mode = excluded.mode,
                    delta_link = excluded.delta_link,
                    seen = coalesce(excluded.seen, seen), "rows" = "rows" + excluded."rows",
                    staged = excluded.staged, answers = excluded.answers
                """,
            arguments: [
                source.key, identity, point.nextLink, point.mode.rawValue,
                seen.map { Data($0.bytes) }, rows, point.stagedPages,
                try beginning ?? AcceptedAnswers(database: database).count(), point.deltaLink,
            ])
    }

    /// A kept link failed for good: the read began anew, and that is not to be done for it again. Counts until a read ends.
    func note(brokenLink: String, of source: DownloadSource) throws {
        try StoreSettings(database: database).set(.broken, of: source.key, brokenLink)
    }

    /// Forgets where the read would go on.
    package func dropResume(of source: DownloadSource) throws {
        try database.cachedStatement(sql: "DELETE FROM _odata_resume WHERE query = ?")
            .execute(arguments: [source.key])
        try ReadTraces.drop(of: source, in: database)
    }

    /// The source is complete, with or without a link to its later changes.
    package func finish(
        _ source: DownloadSource, deltaLink: String?, identity: String, mode: ReadMode,
        at time: Int64
    ) throws {
        try dropResume(of: source)
        if mode != .delta {
            try SourceHolds(database: database).note(wholeReadOf: source.key)
        }
        try StoreSettings(database: database).set(.broken, of: source.key, nil)
        try database.cachedStatement(
            sql: """
                INSERT INTO _odata_delta (query, link, identity, tier, completed_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (query) DO UPDATE SET link = excluded.link,
                    identity = excluded.identity, tier = excluded.tier,
                    completed_at = excluded.completed_at
                """
        ).execute(arguments: [
            source.key, deltaLink, identity, deltaLink == nil ? "fullRead" : "deltaLink", time,
        ])
    }
}
