import ODataText

/// What a project says in its `odata-generate.json`: the documents and the options, by the names that the command has.
package struct ProxyConfiguration: Sendable, Hashable {
    /// Paths relative to the folder of the file.
    package var metadata: String
    package var definitions: String?
    package var options: GenerationOptions

    /// - Throws: `malformedText` for what is no JSON, `usage` for members that are missing, unknown or of another kind.
    package init(json: [UInt8]) throws {
        guard case .object(let object) = try JSONValue(parsing: json, limits: JSONLimits(depth: 4))
        else { throw Self.error("an object", "another value") }
        var texts: [String: String] = [:]
        for member in object.members {
            guard Self.names.contains(member.name) else {
                throw Self.error(
                    "the members " + Self.names.joined(separator: ", "), "`\(member.name)`")
            }
            guard case .string(let text) = member.value else {
                throw Self.error("text as `\(member.name)`", "another value")
            }
            texts[member.name] = text
        }
        metadata = try Self.required("metadata", texts)
        definitions = texts["definitions"]
        options = GenerationOptions(serviceName: try Self.required("service-name", texts))
        options.family = try Self.choice("family", texts) ?? options.family
        options.provider = try Self.choice("provider", texts) ?? options.provider
        options.access = try Self.choice("access", texts) ?? options.access
        options.typePrefix = texts["type-prefix"] ?? ""
    }

    private static let names = [
        "metadata", "definitions", "service-name", "family", "provider", "access", "type-prefix",
    ]

    private static func required(_ name: String, _ texts: [String: String]) throws -> String {
        guard let text = texts[name] else { throw error("a member `\(name)`", "none") }
        return text
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ texts: [String: String]
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = texts[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("one of \(names) as `\(name)`", "another text")
        }
        return choice
    }

    private static func error(_ expected: String, _ found: String) -> ODataError {
        ODataError(.usage, "Expected \(expected) in the configuration, found \(found).")
    }
}
