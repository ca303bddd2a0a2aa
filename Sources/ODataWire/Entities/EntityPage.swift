import ODataModel

/// A collection response: entities or changes in order, and what stands beside them.
package struct EntityPage: Sendable, Hashable {
    package var items: [EntityPageItem]
    package var context: String?
    /// The number of all matching entities, where asked for.
    package var count: Int64?
    /// Where the rest of the result is.
    package var nextLink: String?
    /// Where later changes are; only on a last page.
    package var deltaLink: String?
    /// `metadataEtag`
    package var metadataETag: String?

    package init(
        items: [EntityPageItem] = [], context: String? = nil, count: Int64? = nil,
        nextLink: String? = nil, deltaLink: String? = nil, metadataETag: String? = nil
    ) {
        self.items = items
        self.context = context
        self.count = count
        self.nextLink = nextLink
        self.deltaLink = deltaLink
        self.metadataETag = metadataETag
    }

    /// The added and changed entities, in order.
    package var entities: [StructureValue] {
        items.compactMap { if case .entity(let value, _) = $0 { value } else { nil } }
    }
}

/// One item of a collection or delta payload (JSON Format 4.01, sections 15.1 to 15.4).
package enum EntityPageItem: Sendable, Hashable {
    /// An entity with the set it belongs to, where that is known; in a delta perhaps only with what changed.
    case entity(StructureValue, EntitySetID?)
    case removed(RemovedEntity)
    /// Nested changes come as the entity they lead to, followed by its link.
    case link(LinkChange)
    case deletedLink(LinkChange)
}

/// An entity that is no longer part of the result.
package struct RemovedEntity: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable {
        case deleted
        /// It left the result, but may exist.
        case changed
    }

    package var reference: EntityReference
    /// `deleted` where the payload does not say.
    package var reason: Reason
    package var set: EntitySetID?

    package init(
        _ reference: EntityReference, reason: Reason = .deleted, set: EntitySetID? = nil
    ) {
        self.reference = reference
        self.reason = reason
        self.set = set
    }
}

/// How a payload names an entity.
package enum EntityReference: Sendable, Hashable {
    /// Its entity-id, absolute or relative to the context.
    case id(String)
    /// A value whose key properties are set.
    case key(StructureValue)

    package var id: String? {
        if case .id(let id) = self { id } else { nil }
    }
}

/// A relationship that came to be, or ended, between two entities.
package struct LinkChange: Sendable, Hashable {
    package var source: EntityReference
    /// The navigation property of the source.
    package var relationship: String
    package var target: EntityReference
    /// The set of the source, where known.
    package var set: EntitySetID?

    package init(
        source: EntityReference, relationship: String, target: EntityReference,
        set: EntitySetID? = nil
    ) {
        self.source = source
        self.relationship = relationship
        self.target = target
        self.set = set
    }
}
