import ODataClasses
import ODataModel

extension BlockingDataService {
    /// Makes an entity for the service of a local draft: a new entity with its values in the set that it is a draft of; the
    /// draft is deleted. Both or nothing.
    ///
    /// - Returns: The new entity.
    /// - Throws: `UsageError` for an entity that is no local draft; otherwise as
    ///   ``createEntity(_:headers:options:)``, with the draft still there.
    @discardableResult
    public func activateDraft(
        _ draft: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> EntityValue {
        guard let active = draft.entitySet.activeEntitySet else {
            throw UsageError.withMessage(
                "Expected a local draft, found an entity of \(draft.entitySet.localName).")
        }
        let entity = draft.newCopy(in: active)
        let changes = ChangeSet()
        changes.createEntity(entity, headers: headers, options: options)
        changes.deleteEntity(draft)
        try applyChanges(changes)
        return entity
    }
}
