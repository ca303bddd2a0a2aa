/// A value of any shape, as plans, payload readers and writers pass it (the value classes wrap it at the edge).
package enum ODataValue: Sendable, Hashable {
    case scalar(Scalar)
    indirect case structure(StructureValue)
    case list([ODataValue])

    package static let null = ODataValue.scalar(.null)

    package var isNull: Bool { self == .null }

    package var scalar: Scalar? {
        if case .scalar(let value) = self { value } else { nil }
    }

    package var structure: StructureValue? {
        if case .structure(let value) = self { value } else { nil }
    }

    package var list: [ODataValue]? {
        if case .list(let values) = self { values } else { nil }
    }
}

/// The value of a complex or entity type: one slot per property of the frozen ``StructureDefinition``.
package struct StructureValue: Sendable, Hashable {
    package var type: StructureID
    /// Indexed by property slot; nil where the property was never set (which is not null).
    package var slots: [ODataValue?]
    /// Properties that an open type's model does not declare.
    package var dynamicValues: [String: ODataValue]
    /// What payloads say beside the properties; empty for complex values.
    package var control: ControlInformation

    package init(
        type: StructureID, slots: [ODataValue?], dynamicValues: [String: ODataValue] = [:],
        control: ControlInformation = ControlInformation()
    ) {
        self.type = type
        self.slots = slots
        self.dynamicValues = dynamicValues
        self.control = control
    }

    /// An empty value of the type.
    package init(type: StructureID, in graph: MetadataGraph) {
        self.init(type: type, slots: Array(repeating: nil, count: graph[type].properties.count))
    }
}

/// Control information of an entity (JSON Format 4.01, section 4.6).
package struct ControlInformation: Sendable, Hashable {
    package var id: String?
    package var etag: String?
    package var editLink: String?
    package var readLink: String?
    package var mediaReadLink: String?
    package var mediaEditLink: String?
    package var mediaContentType: String?
    package var mediaETag: String?
    /// Entity references to bind on write, by navigation property name.
    package var bindings: [String: [String]]
    /// Next links of expanded collections, by navigation property name.
    package var nextLinks: [String: String]
    /// Counts of expanded collections, by navigation property name.
    package var counts: [String: Int64]
    /// Custom annotations by name, `property@term` for those of a property.
    package var annotations: [String: ODataValue]

    package init(
        id: String? = nil, etag: String? = nil, editLink: String? = nil, readLink: String? = nil
    ) {
        self.id = id
        self.etag = etag
        self.editLink = editLink
        self.readLink = readLink
        bindings = [:]
        nextLinks = [:]
        counts = [:]
        annotations = [:]
    }
}
