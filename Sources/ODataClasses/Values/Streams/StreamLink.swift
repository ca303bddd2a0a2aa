import Foundation
import ODataModel

/// Where the content of a media entity or of a stream property is, and what is known about it (JSON Format 4.01,
/// section 9).
///
/// Links are not shared between threads while they change.
open class StreamLink: DataValue, @unchecked Sendable {
    // Confined: one thread at a time changes a link, as callers promise.

    /// URL to read the content, relative to the service root where possible.
    public final var readLink: String?
    /// URL to change the content, relative to the service root where possible.
    public final var editLink: String?
    /// Entity tag of the content, sent as `If-Match` when it is changed.
    public final var entityTag: String?
    /// Media type of the content.
    public final var mediaType: String?
    /// True when the content is in the local store.
    public final var isOffline = false
    /// True when the content was deleted.
    public final var isDeleted = false
    /// Content that came with the entity.
    public final var inlineData: Data?
    /// Text that came with the entity.
    public final var inlineText: String?
    /// Path of the content relative to its entity.
    public final var valuePath: String?
    /// The entity set of the entity that the content belongs to.
    public final var entitySet: EntitySet?
    /// The type of the entity that the content belongs to.
    public final var owningType: EntityType?
    /// The stream property; nil for the media stream of an entity.
    public final var streamProperty: Property?

    /// Creates a link that leads nowhere yet.
    public override init() { super.init() }

    /// The type of this value.
    open override var dataType: DataType { BasicType.streamLink }

    /// A link with the same content.
    open func copyLink() -> StreamLink {
        let copy = StreamLink()
        copy.readLink = readLink
        copy.editLink = editLink
        copy.entityTag = entityTag
        copy.mediaType = mediaType
        copy.isOffline = isOffline
        copy.isDeleted = isDeleted
        copy.inlineData = inlineData
        copy.inlineText = inlineText
        copy.valuePath = valuePath
        copy.entitySet = entitySet
        copy.owningType = owningType
        copy.streamProperty = streamProperty
        return copy
    }

    /// A link with the same content.
    open override func copyMutable() -> DataValue { copyLink() }

    /// True when links, tags, media type and inline content are equal.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? StreamLink else { return false }
        return readLink == other.readLink && editLink == other.editLink
            && entityTag == other.entityTag && mediaType == other.mediaType
            && inlineData == other.inlineData && inlineText == other.inlineText
    }

    /// Hashes the links.
    open override func hash(into hasher: inout Hasher) {
        hasher.combine(readLink)
        hasher.combine(editLink)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: StreamLink?, _ right: StreamLink?) -> Bool { left == right }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> StreamLink? {
        cast(optional: value, to: StreamLink.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> StreamLink {
        cast(required: value, to: StreamLink.self)
    }

    /// The link that reads the content, or the one that changes it.
    open override func toString() -> String { readLink ?? editLink ?? "" }
}
