import ODataText

/// Makes the files of a document in the style that is asked for.
package enum Generator {
    /// - Parameters:
    ///   - metadata: The service's document, XML or JSON.
    ///   - definitions: As `ProxyGenerator.generate` takes them.
    /// - Throws: As the generator of the style; `usage` for what only the other style has, because it would have no effect.
    package static func generate(
        _ style: GenerationOptions.Style, metadata: [UInt8], definitions: [UInt8]? = nil,
        options: GenerationOptions
    ) throws -> ProxyGenerator.Output {
        switch style {
        case .swift:
            guard definitions == nil else {
                throw ODataError(
                    .usage, "Expected definitions for the style proxy: structs carry no metadata.")
            }
            return try StructGenerator.generate(metadata: metadata, options: options)
        case .proxy:
            guard options.only.isEmpty else {
                throw ODataError(
                    .usage, "Expected only for the style swift: classes are of all sets.")
            }
            return try ProxyGenerator.generate(
                metadata: metadata, definitions: definitions, options: options)
        }
    }
}
