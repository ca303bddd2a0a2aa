import ODataText

/// The transfers of the platform, one object for each folder; nil where the platform has none.
package enum PlatformTransfers {
    /// - Parameters:
    ///   - identifier: names the session of the system; the same each time for the same store.
    ///   - folder: where answers are kept until they are asked for.
    /// - Throws: `storage` where the folder cannot be made.
    package static func transfers(
        identifier: String, folder: String
    ) throws -> (any BackgroundTransfer)? {
        #if canImport(Darwin)
            try SessionTransfers.shared(identifier, folder)
        #else
            nil
        #endif
    }

    package static var areThere: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }
}
