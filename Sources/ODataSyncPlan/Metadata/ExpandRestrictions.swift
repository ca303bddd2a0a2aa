import ODataModel

/// What a service says against expanding the navigation properties of one set: `ExpandRestrictions` and
/// `NavigationRestrictions` of the Capabilities vocabulary.
package struct ExpandRestrictions: Sendable, Hashable {
    private var isExpandable = true
    private var maximumLevels: Int64?
    private var excluded: Set<String> = []

    init(_ annotations: [AnnotationDefinition]) {
        if let expand = Self.record("ExpandRestrictions", annotations) {
            isExpandable = expand.flag("Expandable") ?? true
            if case .integer(let levels)? = expand.first(term: "MaxLevels")?.value, levels >= 0 {
                maximumLevels = levels
            }
            excluded.formUnion(Self.paths(expand.first(term: "NonExpandableProperties")?.value))
        }
        guard let navigation = Self.record("NavigationRestrictions", annotations),
            case .collection(let restricted)? = navigation.first(term: "RestrictedProperties")?
                .value
        else { return }
        for case .record(_, let properties) in restricted {
            guard case .enumMember(let name)? = properties.first(term: "Navigability")?.value,
                name.hasSuffix("/None")
            else { continue }
            excluded.formUnion(Self.paths(properties.first(term: "NavigationProperty")?.value))
        }
    }

    /// True when nothing is said against it.
    func allows(_ path: String) -> Bool {
        let levels = Int64(path.split(separator: "/").count)
        return isExpandable && !excluded.contains(path) && levels <= maximumLevels ?? .max
    }

    private static func record(
        _ term: String, _ annotations: [AnnotationDefinition]
    ) -> [AnnotationDefinition]? {
        let value = annotations.first(term: "Org.OData.Capabilities.V1." + term)?.value
        guard case .record(_, let properties)? = value else { return nil }
        return properties
    }

    private static func paths(_ value: AnnotationExpression?) -> [String] {
        switch value {
        case .path(_, let text)?: [text]
        case .string(let text)?: [text]
        case .collection(let items)?: items.flatMap { paths($0) }
        default: []
        }
    }
}

extension ServiceCapabilities {
    /// Why the navigation property at a path below a set cannot be expanded; nil when it can.
    package func obstacle(toExpanding path: String, of set: String) -> String? {
        guard let restrictions = expandRestrictions[set], !restrictions.allows(path) else {
            return nil
        }
        return "the service says that it cannot be expanded"
    }
}
