import GRDB
import ODataModel
import ODataSQL

/// Rows that the service no longer names in a relation which columns carry, so that no link says so: they have gone, unless
/// they are met elsewhere in the same read. Confined to the connection of the ingest.
package final class DroppedRows {
    /// The relation that dropped a row, as one of the ways of ``SourceExpansions``.
    struct Relation: Hashable {
        var source: TableID
        var path: String
    }

    private(set) var rows: [TableID: [Int64: Relation]] = [:]
    /// A full read says more of rows that were sent and accepted than a delta, unless that was while it went on.
    let isSweep: Bool

    init(isSweep: Bool) { self.isSweep = isSweep }

    func drop(_ ids: Set<Int64>, of table: TableID, by relation: Relation) {
        for id in ids { rows[table, default: [:]][id] = relation }
    }

    func keep(_ ids: [Int64], of table: TableID) {
        guard rows[table] != nil else { return }
        for id in ids { rows[table]?[id] = nil }
    }

    /// Rows in this state are none that the service could have dropped.
    var spared: EntityState { isSweep ? IngestSQL.shadowed : Self.sparedByDeltas }

    private static let sparedByDeltas = IngestSQL.shadowed.union(IngestSQL.received).subtracting(
        .untagged)
}

/// The rows that columns relate, by what the service last said of both ends.
struct ColumnRelation {
    let source: TableMapping
    let target: TableMapping
    let pairs: [LinkedColumns]
    let database: Database
    /// Rows of either table may be changed here: then their base images count.
    let looksForBase: Bool

    /// - Parameter only: asks for one row of the target; a thousand such questions of one row with a thousand related ones are a
    ///   thousand rows, not a million.
    func rows(
        of id: Int64, sparing state: EntityState, only: Int64? = nil
    ) throws -> Set<Int64> {
        var found = try rows(id, source.name, target.name, state, only)
        guard looksForBase else { return found }
        found.formUnion(try rows(id, source.name, target.baseName, state, only))
        found.formUnion(try rows(id, source.baseName, target.name, state, only))
        found.formUnion(try rows(id, source.baseName, target.baseName, state, only))
        return found
    }

    private func rows(
        _ id: Int64, _ near: String, _ far: String, _ spared: EntityState, _ only: Int64?
    ) throws -> Set<Int64> {
        let (sourceID, targetID) = (
            SQLName.quoted(source.system.id ?? "_odata_id"),
            SQLName.quoted(target.system.id ?? "_odata_id")
        )
        let on = pairs.map { "t.\(SQLName.quoted($0.target)) = s.\(SQLName.quoted($0.source))" }
        var conditions = ["s.\(sourceID) = ?"]
        if only != nil { conditions.append("t.\(targetID) = ?") }
        if near == source.baseName {
            conditions.append("s._odata_base_kind = 0")
        } else if looksForBase {
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(source.baseName)) b"
                    + " WHERE b.\(sourceID) = s.\(sourceID))")
        }
        if far == target.baseName {
            conditions.append("t._odata_base_kind = 0")
        } else if let state = target.system.state {
            conditions.append("(t.\(SQLName.quoted(state)) & \(spared.rawValue)) = 0")
        }
        let statement = try database.cachedStatement(
            sql: "SELECT t.\(targetID) FROM \(SQLName.quoted(near)) s JOIN \(SQLName.quoted(far)) t"
                + " ON \(on.joined(separator: " AND ")) WHERE "
                + conditions.joined(separator: " AND "))
        return try Int64.fetchSet(
            statement, arguments: StatementArguments([id, only].compactMap { $0 }))
    }
}
