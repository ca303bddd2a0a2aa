/// What a document says of who makes the value of a property.
extension PropertyDefinition {
    /// The service makes the value, whatever a client sends: it computes it (`Core.Computed`), or clients may at most read it
    /// (`Core.Permissions`).
    package var isMadeByService: Bool {
        annotations.flag("Org.OData.Core.V1.Computed") ?? false || isReadOnly
    }

    /// The service makes the value where a client leaves it out (`Core.ComputedDefaultValue`).
    package var hasComputedDefault: Bool {
        annotations.flag("Org.OData.Core.V1.ComputedDefaultValue") ?? false
    }

    private var isReadOnly: Bool {
        guard
            case .enumMember(let text)? = annotations.first(
                term: "Org.OData.Core.V1.Permissions")?.value
        else { return false }
        let members = text.split(separator: " ").compactMap { $0.split(separator: "/").last }
        return !members.isEmpty && members.allSatisfy { $0 == "Read" || $0 == "None" }
    }
}

extension TypeReference {
    /// A store can make values of the type up that no service gives, for keys of rows that the service will number.
    package var hasLocalKeys: Bool {
        switch primitive {
        case .int64, .int32, .decimal, .guid: true
        case .string: (facets.maxLength ?? Int.max) >= "~local-\(Int64.max)".utf8.count
        default: false
        }
    }
}
