import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWorld

extension ODataService {
    /// What an update of a mirror found.
    package typealias MirrorCounts = MirrorUpdate.Counts

    /// Brings entity sets up to date with a local store of the service that is mirrored, in one transaction: readers see
    /// the state before or the one after.
    ///
    /// - Parameter written: what clients wrote up to this number (``lastWritten()``) is in the store as far as it still holds;
    ///   later rows stay as they were written. Nil keeps all of them.
    /// - Throws: `storage` when a file fails; nothing is changed then.
    package func mirror(
        _ storePath: String, sets: Set<String>, releasing written: Int64? = nil
    ) throws -> MirrorCounts {
        let mapping = model.mapping
        defer { changes.committed() }
        return try pool.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH DATABASE ? AS origin", arguments: [storePath])
            defer { try? database.execute(sql: "DETACH DATABASE origin") }
            var counts = MirrorCounts()
            try database.inTransaction(.immediate) {
                try ChangeLog(database).beginTransaction()
                if let written {
                    let tables = mapping.tables.filter {
                        sets.contains(mapping.graph[$0.entitySet].name)
                    }
                    try WrittenThrough(database: database).release(tables, through: written)
                }
                counts = try MirrorUpdate.apply(sets, of: mapping, at: now, in: database)
                try trim.step(database)
                return .commit
            }
            return counts
        }
    }

    /// Numbers what clients have written to a mirror so far.
    package func lastWritten() throws -> Int64 {
        try pool.read { try WrittenThrough(database: $0).last() }
    }

    /// When each entity set of a mirror was last read as a whole, in seconds since 1970.
    package func mirrorTimes() throws -> [String: Int64] {
        try pool.read { try MirrorDatabase.times($0) }
    }

    /// Offers another model of the service that is mirrored. What it does not change keeps its rows and tokens.
    package func adopt(_ mirrored: MirroredModel) throws {
        let next = try ServiceDatabase.expose(pool, configuration, mirroring: mirrored)
        offer(next, original: mirrored.original)
        changes.committed()
    }
}

extension Exchange {
    /// - Throws: 503 for entity sets of a mirror that were never read: what is not known is not empty.
    func requireMirrored(_ table: TableMapping, _ expand: [ExpandTerm] = []) throws -> Int64? {
        guard model.isMirror else { return nil }
        let times = try MirrorDatabase.times(database)
        var age: Int64?
        let sets =
            [table]
            + expand.compactMap { item in
                item.path.propertyNames.flatMap {
                    table.navigation(path: $0.joined(separator: "/"))
                }.map { model.mapping[$0.target] }
            }
        for set in Set(sets.map { graph[$0.entitySet].name }) {
            guard let time = times[set] else {
                throw ODataError(
                    ServiceCode.unread, "Expected \(set) to have been read from the origin.",
                    status: 503)
            }
            age = max(age ?? 0, model.configuration.world.now().seconds - time)
        }
        return age
    }
}

/// What stands before the requests of a service whose data is another one's.
package protocol ServiceGate: Sendable {
    /// Waits for newer data where the request asks for it; an answer of its own where that cannot be had.
    func refusal(_ request: RequestMessage) -> ResponseMessage?
    /// Says on an answer what is known of the state that it shows.
    func mark(_ answer: inout ResponseMessage)
}
