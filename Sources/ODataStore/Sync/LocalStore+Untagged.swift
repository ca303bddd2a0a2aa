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
            try transaction.requests.requests(ids).filter(transaction.isUntagged)
        }
    }
}

extension StoreTransaction {
    /// Whether a request waits without a tag for such a row.
    func isUntagged(_ request: QueuedRequest) throws -> Bool {
        guard request.state == .waiting, request.lacksTag,
            mapping.table(path: request.target.table) != nil
        else { return false }
        return try images(request.target.table).image(id: request.target.id)?
            .row.state.contains(.untagged) == true
    }

    /// Whether rows of a set have entity tags, as far as its first ones tell: of a large set without any, not all are read
    /// for each answer.
    func hasTags(_ table: String) throws -> Bool {
        guard let table = mapping.table(path: table), let etag = table.system.etag else {
            return false
        }
        let columns = [etag, table.system.state].compactMap { $0 }.map(SQLName.quoted)
        let lost =
            table.system.state.map {
                " OR \(SQLName.quoted($0)) & \(EntityState.untagged.rawValue) <> 0"
            } ?? ""
        // Naming the two columns spares the others of wide rows: this runs for each answer that leaves a tag out.
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM (SELECT \(columns.joined(separator: ", "))"
                    + " FROM \(SQLName.quoted(table.name)) LIMIT 1000)"
                    + " WHERE \(SQLName.quoted(etag)) IS NOT NULL\(lost) LIMIT 1")) != nil
    }

    /// The base image of a row that has no tag, where changes of it have none either; nil for any other.
    func untaggedImage(_ row: RowReference) throws -> StoredRow? {
        guard try table(row.table).system.state != nil,
            let image = try images(row.table).image(id: row.id), image.kind == .present,
            image.row.values.control.etag == nil
        else { return nil }
        let isWaitedFor =
            try image.row.state.contains(.untagged)
            || requests.requests(writing: [row]).contains { $0.target == row && $0.lacksTag }
        return isWaitedFor ? image.row : nil
    }

    /// A download has brought a row that has changes without tags (``RebasedChanges``).
    func rebase(_ row: RowReference, before: StoredRow) throws {
        let images = try images(row.table)
        guard let image = try images.image(id: row.id), image.kind == .present else { return }
        let comparison = BaseComparison(graph: graph, ignoresNulls: try hasPartialRows(row.table))
        let own = try requests.requests(writing: [row]).filter { $0.target == row }
        let edits = RebasedChanges(comparison).edits(own, before: before, now: image.row.values)
        for request in edits.requests { try requests.update(request) }
        guard let isUntagged = edits.isUntagged else { return }
        var stored = image.row
        if isUntagged { stored.state.insert(.untagged) } else { stored.state.remove(.untagged) }
        try images.write(stored, kind: .present)
    }
}
