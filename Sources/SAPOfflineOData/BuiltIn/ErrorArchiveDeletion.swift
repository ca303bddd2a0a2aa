import ODataClasses
import ODataSyncPlan
import ODataModel
import ODataProviders
import ODataStore
import ODataText

/// Deleting entries of the ErrorArchive: failed requests leave the queue, and what they did to local data is taken back
/// (offline reference, 14.3).
struct ErrorArchiveDeletion {
    let store: LocalStore
    /// Only the named requests go, with all that depend on them, in place of the whole archive.
    let isIndividual: Bool

    /// - Throws: `notFound` when one of the requests is not in the archive; nothing is changed then.
    func delete(_ ids: Set<Int64>) throws {
        let archived = Set(try store.failedRequests().map(\.id))
        guard ids.isSubset(of: archived) else {
            throw ODataError(
                .notFound, "Expected an entry of the archive, found none.",
                at: .path(BuiltInModel.Set.errorArchive.rawValue), status: 404)
        }
        guard !ids.isEmpty else { return }
        if isIndividual {
            try store.cancel(ids)
        } else {
            try store.discard(archived)
        }
    }

    /// The request that an entry stands for.
    static func id(of entry: EntityValue) throws -> Int64 {
        guard let property = entry.entityType.property(named: "RequestID"),
            case .integer(let id)? = entry.optionalValue(for: property)?.scalarValue()
        else {
            throw ODataError(
                .usage, "Expected an entry with its RequestID, found none.",
                at: .path(BuiltInModel.Set.errorArchive.rawValue), status: 400)
        }
        return id
    }
}
