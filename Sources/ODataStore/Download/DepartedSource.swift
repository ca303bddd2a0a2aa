import GRDB
import ODataSyncPlan
import ODataText

/// Why the read of a download query ends before its last page: the query is no more, or asks for something else now. Its rows
/// would be nobody's.
package struct DepartedSource: Error, Sendable, Hashable {
    package init() {}
}

/// Asks whether a source is what it was when its read began; each transaction of the read does, so that nothing of it comes
/// after the one that removed it.
///
/// The default download of a set is always there: whoever switches it off counts from the next download on.
package struct SourceWatch {
    private let source: DownloadSource
    /// Something was noted of the source. Only its removal takes that away, even where it was added again since.
    private var hadTraces = false

    package init(_ source: DownloadSource) { self.source = source }

    /// - Throws: `conflict` with ``DepartedSource`` for a query that was removed, or replaced by another of its name.
    package func requireSource(in database: Database) throws {
        guard let name = source.name else { return }
        let isThere = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_download_query WHERE name = ? AND \"table\" = ?"
                    + " AND url = ? AND source_bit = ?"),
            arguments: [name, source.entitySet, source.url, source.bit])
        guard isThere != nil, try !hadTraces || hasTraces(in: database) else {
            throw ODataError(
                .conflict,
                "Expected the download query to stay while it is read, found it removed or"
                    + " replaced.", at: .path(name), underlying: DepartedSource())
        }
    }

    /// Looks at what is noted of the source, at the end of a transaction of its read.
    package mutating func noteTraces(in database: Database) throws {
        guard !source.isDefault else { return }
        hadTraces = try hasTraces(in: database)
    }

    private func hasTraces(in database: Database) throws -> Bool {
        try DownloadBookkeeping(database).hasTraces(of: source.key)
    }
}
