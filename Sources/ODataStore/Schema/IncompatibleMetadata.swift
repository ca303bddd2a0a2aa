import ODataText

/// The cause beneath an error about metadata that what is stored cannot follow.
package struct IncompatibleMetadata: Error {
    package init() {}

    /// The error for a property whose new type does not hold what is stored.
    ///
    /// - Parameter path: Table and property.
    static func error(at path: String) -> ODataError {
        ODataError(
            .conflict,
            "Expected metadata that only adds to what is stored or widens it, found a property of"
                + " another type.", at: .path(path), underlying: IncompatibleMetadata())
    }
}

extension LocalStore {
    /// The type of the event of metadata that parts of what is stored could not follow.
    package static let incompatibleMetadataEvent = "incompatibleMetadataChange"
}
