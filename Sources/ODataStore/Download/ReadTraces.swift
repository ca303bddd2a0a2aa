import GRDB
import ODataSyncPlan

/// What the pages of a read have said so far, kept with its resume point: what comes behind an interruption may be empty, and
/// would say that nothing was told.
///
/// It lies in `_odata_meta` and counts only together with the resume point, which is written with it.
struct ReadTraces: Sendable, Hashable {
    /// The expansions that rows have said something about.
    var met: UInt64 = 0
    /// The expansions of which rows said that there is more elsewhere.
    var continued: UInt64 = 0
    /// Rows came.
    var hasRows = false
    /// What rows have said that came through expansions.
    var below = NestedTraces.none

    static func | (left: Self, right: Self) -> Self {
        Self(
            met: left.met | right.met, continued: left.continued | right.continued,
            hasRows: left.hasRows || right.hasRows, below: left.below | right.below)
    }

    /// Those of the read that a resume point goes on with; nil where an earlier version wrote it.
    static func kept(of source: DownloadSource, in database: Database) throws -> Self? {
        let text = try StoreSettings(database: database).text(.traces, of: source.key)
        let parts = text?.split(separator: " ").compactMap { UInt64($0) } ?? []
        guard parts.count == 3 || parts.count == 5 else { return nil }
        var traces = Self(met: parts[0], continued: parts[1], hasRows: parts[2] != 0)
        if parts.count == 5 { traces.below = NestedTraces(rows: parts[3], met: parts[4]) }
        return traces
    }

    func keep(of source: DownloadSource, in database: Database) throws {
        var text = "\(met) \(continued) \(hasRows ? 1 : 0)"
        // As earlier versions wrote it where there is no more to say.
        if below != .none { text += " \(below.rows) \(below.met)" }
        try StoreSettings(database: database).set(.traces, of: source.key, text)
    }

    static func drop(of source: DownloadSource, in database: Database) throws {
        try StoreSettings(database: database).set(.traces, of: source.key, nil)
    }
}
