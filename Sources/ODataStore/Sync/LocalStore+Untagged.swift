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

    /// A download has brought a row that changes without tags may not have been made for.
    func rebase(_ row: RowReference, before: StoredRow) throws {
        // Where it has told a tag, that says the same (``tellTag(of:before:)``).
        guard let image = try images(row.table).image(id: row.id), image.kind == .present,
            image.row.values.control.etag == nil
        else { return }
        let changes = try requests.requests(writing: [row]).filter { $0.target == row }
        let comparison = BaseComparison(graph: graph, ignoresNulls: try hasPartialRows(row.table))
        for request in RebasedChanges(comparison).edits(
            changes, before: before, now: image.row.values)
        {
            try requests.update(request)
        }
    }

    /// A download has told the tag of a row. Changes without one take it where the row has what they overwrite as they were
    /// made for it; elsewhere the row has the mark, and they are refused.
    func tellTag(of row: RowReference, before: StoredRow) throws {
        let images = try images(row.table)
        guard let image = try images.image(id: row.id), image.kind == .present,
            let tag = image.row.values.control.etag
        else { return }
        let changes = try requests.requests(writing: [row]).filter {
            $0.target == row && !$0.isSealed && $0.lacksTag
        }
        let comparison = BaseComparison(graph: graph, ignoresNulls: try hasPartialRows(row.table))
        var stored = image.row
        if comparison.isUnchanged(before, in: image.row.values, whereOverwrittenBy: changes) {
            for var request in changes {
                request.ifMatch = tag
                try requests.update(request)
            }
            stored.state.remove(.untagged)
        } else {
            stored.state.insert(.untagged)
        }
        try images.write(stored, kind: .present)
    }
}
