import ODataModel

// Drafts that stay on the device: entities of a set that the metadata calls a set of local drafts of another one.

extension EntitySet {
    /// True for a set whose entities are drafts of another set's: they are never sent.
    public var isLocalDraft: Bool { model.graph.isLocalDraft(id) }

    /// The set that a set of local drafts is for; nil for other sets.
    public var activeEntitySet: EntitySet? { model.graph.activeSet(ofDrafts: id).map { model[$0] } }

    /// The set of local drafts for this one; nil where the metadata has none.
    public var localDraftSet: EntitySet? {
        model.entitySets.first { $0.isLocalDraft && $0.activeEntitySet === self }
    }
}

extension EntityValue {
    /// True for an entity of a set of local drafts.
    public final var isLocalDraft: Bool { entitySet.isLocalDraft }

    /// A new entity with the structural values of this one, for the set of drafts of its set; `createEntity` keeps it on the
    /// device, and `activateDraft` makes an entity for the service of it.
    ///
    /// - Throws: `UsageError` where the metadata has no set of local drafts for the entity's set.
    public final func asDraft() throws -> EntityValue {
        guard let drafts = isLocalDraft ? entitySet : entitySet.localDraftSet else {
            throw UsageError.withMessage(
                "Expected a set of local drafts for \(entitySet.localName), found none.")
        }
        return newCopy(in: drafts)
    }

    /// A new entity with the structural values of this one and nothing else.
    package final func newCopy(in set: EntitySet) -> EntityValue {
        let type = set.entityType === entityType ? set.entityType : entityType
        let copy = EntityValue.make(.value(structuralCopy()), type: type, in: set)
        copy.control = ControlInformation()
        copy.flags = .new
        return copy
    }

    /// Has entities created along with this one, as what a navigation property leads to (Protocol 4.01, section 11.4.2.2), and
    /// returns this entity. A property that is no navigation property of the type is a programming error and traps.
    @discardableResult
    public final func withDeepCreate(_ property: Property, _ entities: EntityValue...) -> Self {
        if property.isCollection {
            property.setEntityList(in: self, to: EntityValueList.fromArray(entities))
        } else {
            property.setOptionalEntity(in: self, to: entities.first)
        }
        return self
    }
}
