import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// Changes of rows whose entity tags the answers before them left out (``EntityState/untagged``): the service could not refuse
/// them where somebody else was first.
extension LocalStore {
    /// Those of the requests, as they are now, that wait without a tag for such a row.
    package func untagged(_ ids: Set<Int64>) throws -> [QueuedRequest] {
        try reading { transaction in
            try transaction.requests.requests(ids).filter { request in
                guard request.state == .waiting, request.lacksTag,
                    transaction.mapping.table(path: request.target.table) != nil
                else { return false }
                return try transaction.images(request.target.table).image(id: request.target.id)?
                    .row.state.contains(.untagged) == true
            }
        }
    }
}

extension StoreTransaction {
    /// Whether rows of a set have entity tags, as far as its first ones tell: of a large set without any, not all are read
    /// for each answer.
    func hasTags(_ table: String) throws -> Bool {
        guard let table = mapping.table(path: table), let etag = table.system.etag else {
            return false
        }
        let lost =
            table.system.state.map {
                " OR \(SQLName.quoted($0)) & \(EntityState.untagged.rawValue) <> 0"
            } ?? ""
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM (SELECT * FROM \(SQLName.quoted(table.name)) LIMIT 1000)"
                    + " WHERE \(SQLName.quoted(etag)) IS NOT NULL\(lost) LIMIT 1")) != nil
    }

    /// The base image of a row whose tag nobody has told; nil for any other.
    func untaggedImage(_ row: RowReference) throws -> StoredRow? {
        let table = try table(row.table)
        guard let state = table.system.state,
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM \(SQLName.quoted(table.baseName))"
                        + " WHERE \(SQLName.quoted(table.system.id ?? "_odata_id")) = ?"
                        + " AND \(SQLName.quoted(state)) & \(EntityState.untagged.rawValue) <> 0"),
                arguments: [row.id]) != nil,
            let image = try images(row.table).image(id: row.id), image.kind == .present,
            image.row.values.control.etag == nil
        else { return nil }
        return image.row
    }

    /// A download has told the tag of a row. Changes without one take it where the row has what they overwrite as they were
    /// made for it; elsewhere the row keeps its mark, and they are refused.
    func tellTag(of row: RowReference, before: StoredRow) throws {
        let images = try images(row.table)
        guard let image = try images.image(id: row.id), image.kind == .present,
            let tag = image.row.values.control.etag
        else { return }
        let changes = try requests.requests(writing: [row]).filter {
            $0.target == row && !$0.isSealed && $0.lacksTag
        }
        let comparison = BaseComparison(graph: graph, ignoresNulls: try hasPartialRows(row.table))
        guard
            comparison.isUnchanged(before, in: image.row.values, whereOverwrittenBy: changes)
        else { return }
        for var request in changes {
            request.ifMatch = tag
            try requests.update(request)
        }
        var stored = image.row
        stored.state.remove(.untagged)
        try images.write(stored, kind: .present)
    }
}
