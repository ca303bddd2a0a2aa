import ODataWorld
import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Sources that lose their rows: deleted queries, default downloads that are switched off, and what others have taken the
/// place of.
extension LocalStore {
    /// The other sources of a download that is at its end.
    package struct Ending: Sendable {
        /// Every default download and download query that the app wants.
        package var wanted: [DownloadSource]
        /// The keys of those that the service would not give.
        package var refused: Set<String>

        package init(wanted: [DownloadSource], refused: Set<String>) {
            self.wanted = wanted
            self.refused = refused
        }
    }

    /// Takes their rows from sources that have no right to them any more, as far as it is time; in parts, each in a transaction
    /// of its own, so that others wait for one at most. What a kill interrupts goes on with the next call.
    ///
    /// - Parameter ending: nil outside a download.
    package func releaseSources(at ending: Ending?) throws {
        for entry in try read({ try dueEntries(ending, $0) }) {
            var last: Int64? = Int64.min
            while let behind = last {
                world.checkpoint("release.commit")
                last = try writing(.normal) { transaction in
                    let holds = SourceHolds(database: transaction.database)
                    // Meanwhile the app may want its rows again.
                    guard try holds.entries().contains(where: { $0.id == entry.id && $0.isLeaving })
                    else { return nil }
                    return try SourceReleasing(store: self, transaction: transaction)
                        .releasePart(entry, behind: behind)
                }
            }
        }
        try releaseWaiting()
    }

    /// Takes rows away that nobody holds and whose changes are settled.
    private func releaseWaiting() throws {
        let prefix = "waiting:"
        let names = try read { try StoreSettings(database: $0).names(from: prefix) }
        for name in names {
            var isDone = false
            while !isDone {
                world.checkpoint("release.commit")
                isDone = try writing(.normal) {
                    try SourceReleasing(store: self, transaction: $0)
                        .releaseWaiting(in: String(name.dropFirst(prefix.count)))
                }
            }
        }
    }

    private func dueEntries(_ ending: Ending?, _ database: Database) throws
        -> [SourceHolds.Entry]
    {
        let holds = SourceHolds(database: database)
        let bookkeeping = DownloadBookkeeping(database)
        let entries = try holds.entries()
        return try entries.filter(\.isLeaving).filter { entry in
            let condition: SourceRelease.Condition =
                switch entry.awaits {
                case nil: .none
                case SourceHolds.download?: .download
                case let key?: .successor(isComplete: try bookkeeping.isComplete(key))
                }
            let others = try ending.map { ending in
                try ending.wanted.filter { source in
                    source.entitySet == entry.table
                        || entries.contains {
                            $0.kind == .expansion && $0.table == entry.table
                                && $0.query == source.key
                        }
                }.map {
                    SourceRelease.Other(
                        isComplete: try bookkeeping.isComplete($0.key),
                        isRefused: ending.refused.contains($0.key))
                }
            }
            return SourceRelease.isDue(
                condition, areNoted: try holds.areNoted(in: entry.table), others: others)
        }
    }

    /// Takes away what others of the source's name had brought, in the transaction that ends its read; much of it later.
    package func release(inPlaceOf source: DownloadSource, _ database: Database) throws {
        try SourceReleasing(store: self, transaction: transaction(in: database))
            .release(inPlaceOf: source)
    }

    package typealias Holds = (own: RowHold?, expansions: [TableID: RowHold])

    /// How a source holds its own rows, and those that its expansions bring.
    package func holds(of source: DownloadSource) throws -> Holds {
        let mapping = try mapping()
        return try read { database in
            let holds = SourceHolds(database: database)
            return (
                try holds.hold(of: source),
                try holds.holds(ofExpansionsOf: source.key, mapping)
            )
        }
    }

    /// Removes a query and the rows that only it brought, by its expansions, too; rows of other queries stay.
    ///
    /// - Parameter sources: every default download and download query there is.
    /// - Throws: `conflict` when one of the rows has changes that were not sent; nothing is removed then.
    package func deleteDownloadQuery(_ name: String, among sources: [DownloadSource]) throws {
        guard let query = try downloadQuery(name) else { throw Self.unknownQuery(name) }
        try noteSources(sources, switchedOff: [])
        try writing { transaction in
            let database = transaction.database
            let holds = SourceHolds(database: database)
            try checkChanges(of: query, transaction)
            try database.execute(
                sql: "DELETE FROM _odata_download_query WHERE name = ?", arguments: [name])
            try holds.add(query.key, .leaving, in: query.entitySet, place: query.bit)
            try holds.leaveExpansions(of: query.key, awaiting: nil)
            try holds.giveUpWaiting(for: query.key)
            try DownloadBookkeeping(database).forget(query.key)
        }
        try releaseSources(at: nil)
        // A first load that ends with its query leaves no index out for good.
        try writing(.normal) { transaction in
            guard let table = transaction.mapping.table(path: query.entitySet) else { return }
            try DeferredIndexes(table: table, database: transaction.database).settle()
        }
    }

    private func checkChanges(
        of query: DownloadSource, _ transaction: StoreTransaction
    ) throws {
        guard let table = transaction.mapping.table(path: query.entitySet),
            let state = table.system.state
        else { return }
        let hold = try SourceHolds(database: transaction.database).hold(of: query)
        guard let only = hold.flatMap({ HoldSQL(hold: $0, table: table).isOnlyHeld("t") }) else {
            return
        }
        guard
            try Int64.fetchOne(
                transaction.database,
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) t WHERE \(only)"
                    + " AND (t.\(SQLName.quoted(state)) & \(EntityState.pending.rawValue)) <> 0"
                    + " LIMIT 1") == nil
        else {
            throw ODataError(
                .conflict, "Expected rows without unsent changes, found some.",
                at: .path(table.path))
        }
    }

    /// Puts a query in the place of the one of its name: rows of the old one stay until those of the new one are complete.
    ///
    /// - Throws: `notFound` without a query of this name; `limitExceeded` where the set has too many.
    package func replaceDownloadQuery(
        _ name: String, table: String, url: String, streams: Bool
    ) throws {
        guard let known = try downloadQuery(name) else { throw Self.unknownQuery(name) }
        // What its expansions brought is to be known as such before it is another's.
        try noteSources([known], switchedOff: [])
        try writing { transaction in
            let database = transaction.database
            _ = try transaction.table(table)
            guard
                let old = try Self.downloadQueries(of: nil, in: database)
                    .first(where: { $0.name == name })
            else { throw Self.unknownQuery(name) }
            let isOther = old.entitySet != table || old.url != url
            var place = old.bit
            let (holds, bookkeeping) = (
                SourceHolds(database: database), DownloadBookkeeping(database)
            )
            if isOther {
                let wasRead = try bookkeeping.hasTraces(of: old.key)
                try holds.add(
                    old.key, .leaving, in: old.entitySet, place: old.bit, awaits: old.key)
                try holds.leaveExpansions(of: old.key, awaiting: old.key)
                try bookkeeping.forget(old.key)
                // Its rows wait until the last has come, as those of any read that is compared with what is there.
                if wasRead { try bookkeeping.begin(comparing: old.key) }
                place = try holds.freePlace(in: table)
            }
            try database.execute(
                sql: "UPDATE _odata_download_query SET \"table\" = ?, url = ?, streams = ?,"
                    + " source_bit = ? WHERE name = ?",
                arguments: [table, url, streams, place, name])
            try transaction.settings.set(.pendingDownload, Int64(1))
        }
    }

    private static func unknownQuery(_ name: String) -> ODataError {
        ODataError(
            .notFound, "Expected the name of a download query, found another.", at: .path(name))
    }
}
