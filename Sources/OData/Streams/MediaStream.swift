import ODataModel
import ODataSyncPlan

/// The content of a media entity, or of a property that is a stream: which one it is, not its bytes.
///
/// Its bytes are never part of a row. ``OfflineStore/bytes(of:)`` reads them, and ``Transaction/replace(_:with:)`` puts
/// others in their place.
public struct MediaStream: Sendable, Hashable {
    let row: RowReference
    /// Nil for the content of a media entity.
    let property: String?
}

extension Row {
    /// A property that is a stream.
    ///
    /// ```swift
    /// photo = try row.stream("Photo", of: Self.self)
    /// ```
    ///
    /// - Throws: `unknownName` for a property that the type does not have, `wrongType` for one that is no stream.
    public func stream<E: Entity>(
        _ property: String, of type: E.Type
    ) throws(ODataError) -> MediaStream {
        guard try isStream(property) else {
            throw ODataError(
                .wrongType, "Expected a property that is a stream.",
                at: E.entitySet + "/" + property)
        }
        return MediaStream(row: ref(as: E.self).reference, property: property)
    }

    /// The content of a media entity.
    ///
    /// - Throws: `wrongType` for an entity of a type without content.
    public func content<E: Entity>(of type: E.Type) throws(ODataError) -> MediaStream {
        guard hasContent else {
            throw ODataError(
                .wrongType, "Expected a media entity, found one of a type without content.",
                at: E.entitySet)
        }
        return MediaStream(row: ref(as: E.self).reference, property: nil)
    }
}
