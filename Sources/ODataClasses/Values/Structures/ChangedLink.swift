import ODataModel

/// A link between two entities that was made or removed, as a delta answer says it (JSON Format 4.01, section 15.4
/// and following).
open class ChangedLink: DataValue, @unchecked Sendable {
    // Confined: one thread at a time changes a link, as callers promise.
    /// The entity that the link starts from; mostly a reference.
    public final var source: EntityValue
    /// The navigation property of the link.
    public final var sourceProperty: Property
    /// The entity that the link leads to; mostly a reference.
    public final var target: EntityValue
    /// True when the link is new.
    public final var isCreated = false
    /// True when the link of a property to one entity leads to another than before.
    public final var isUpdated = false
    /// True when the link is gone.
    public final var isDeleted = false
    /// When the change was made; nil where the service does not say.
    public final var deltaTime: GlobalDateTime?

    /// Creates a link without a change.
    public init(source: EntityValue, sourceProperty: Property, target: EntityValue) {
        self.source = source
        self.sourceProperty = sourceProperty
        self.target = target
        super.init()
    }

    /// The change and both ends.
    open override func toString() -> String {
        let change = isDeleted ? "deleted" : isUpdated ? "updated" : "created"
        return "\(change) \(source.canonicalURL)/\(sourceProperty.name) \(target.canonicalURL)"
    }
}

/// Changed links, in the order of the answer.
open class ChangedLinkList: ValueList<ChangedLink>, @unchecked Sendable {}
