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

    /// A download has brought a row that has changes without tags. Those that were made for another row are marked; where none is,
    /// they take the tag that it tells, and else they are refused.
    func rebase(_ row: RowReference, before: StoredRow) throws {
        let images = try images(row.table)
        guard let image = try images.image(id: row.id), image.kind == .present else { return }
        let comparison = BaseComparison(graph: graph, ignoresNulls: try hasPartialRows(row.table))
        let own = try requests.requests(writing: [row]).filter { $0.target == row }
        let marked = RebasedChanges(comparison).edits(own, before: before, now: image.row.values)
        for request in marked { try requests.update(request) }
        guard let tag = image.row.values.control.etag else { return }
        let changes = own.filter(\.lacksTag)
        var stored = image.row
        if marked.isEmpty, !changes.contains(where: { $0.flags.contains(.rebased) }) {
            for var request in changes where !request.isSealed {
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
