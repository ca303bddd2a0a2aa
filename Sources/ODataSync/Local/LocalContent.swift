import ODataText

/// The content of a stream as a caller gives it, read once from its beginning.
package struct LocalContent {
    package let mediaType: String?
    package let fileName: String?
    /// The next bytes; nil at the end.
    package let next: () throws -> [UInt8]?

    package init(
        mediaType: String?, fileName: String?, next: @escaping () throws -> [UInt8]?
    ) {
        self.mediaType = mediaType
        self.fileName = fileName
        self.next = next
    }
}

/// Which stream of an entity is meant.
package struct StreamName {
    package let entity: EntityName
    /// Nil for the media stream.
    package let property: String?
    /// The qualified name of the property, or of the entity's type.
    package let place: String
    /// False where the property is no stream, or the type has none.
    package let isStream: Bool

    package init(_ entity: EntityName, property: String?, place: String, isStream: Bool) {
        self.entity = entity
        self.property = property
        self.place = place
        self.isStream = isStream
    }

    func check() throws {
        guard !isStream else { return }
        throw ODataError(
            .usage,
            property == nil
                ? "Expected a media entity, found one of a type without a media stream."
                : "Expected a stream property.", at: .path(place))
    }
}
