import ODataModel

/// What a service says it can do, read from its metadata; what it does not say counts as supported.
///
/// Terms of `Org.OData.Capabilities.V1` and `Org.OData.Repeatability.V1`, and the `sap:` attributes of V2.
package struct ServiceCapabilities: Sendable, Hashable {
    /// `$batch` is taken.
    package var supportsBatch: Bool
    /// Resent requests are recognised; nil when the service does not say.
    package var supportsRepeatability: Bool?
    /// Why a set cannot be read, by set name; readable sets are absent.
    package var unreadable: [String: String]
    /// Whether the service tracks changes of a set, where it says so.
    package var tracksChanges: [String: Bool]
    /// What the service says against `$expand`, by set name; absent where it says nothing.
    let expandRestrictions: [String: ExpandRestrictions]

    package init(_ graph: MetadataGraph) {
        let container = graph.containers.first { $0.isDefault }?.annotations ?? []
        supportsBatch =
            Self.flag(container, "BatchSupported")
            ?? Self.recordFlag(container, "BatchSupport", "Supported") ?? true
        supportsRepeatability =
            container.flag("Org.OData.Repeatability.V1.Supported")
            ?? Self.recordFlag(container, term: "Org.OData.Repeatability.V1.Supported", "Supported")
        unreadable = [:]
        tracksChanges = [:]
        expandRestrictions = Dictionary(
            graph.entitySets.filter { !$0.annotations.isEmpty }.map {
                ($0.name, ExpandRestrictions($0.annotations))
            }, uniquingKeysWith: { first, _ in first })
        for set in graph.undefinedSets {
            unreadable[set.name] = "its type \(set.type) is in no document that could be read"
        }
        for set in graph.entitySets {
            if let reason = Self.obstacle(set, graph) { unreadable[set.name] = reason }
            let tracking =
                Self.recordFlag(set.annotations, "ChangeTracking", "Supported")
                ?? set.annotations.flag("sap:change-tracking")
                ?? Self.recordFlag(container, "ChangeTracking", "Supported")
            if let tracking { tracksChanges[set.name] = tracking }
        }
    }

    /// Why the whole of the set cannot be read by its URL.
    private static func obstacle(_ set: EntitySetDefinition, _ graph: MetadataGraph) -> String? {
        if recordFlag(set.annotations, "ReadRestrictions", "Readable") == false {
            return "the service says that it is not readable"
        }
        if recordFlag(set.annotations, "FilterRestrictions", "RequiresFilter") == true
            || set.annotations.flag("sap:requires-filter") == true
        {
            return "the service requires a filter for it"
        }
        if set.annotations.flag("sap:addressable") == false {
            return "the service says that it is not addressable"
        }
        if !set.isSingleton, graph[set.type].key.isEmpty {
            return "its type has no key"
        }
        return nil
    }

    private static func flag(_ annotations: [AnnotationDefinition], _ name: String) -> Bool? {
        annotations.flag("Org.OData.Capabilities.V1." + name)
    }

    private static func recordFlag(
        _ annotations: [AnnotationDefinition], _ term: String, _ property: String
    ) -> Bool? {
        recordFlag(annotations, term: "Org.OData.Capabilities.V1." + term, property)
    }

    private static func recordFlag(
        _ annotations: [AnnotationDefinition], term: String, _ property: String
    ) -> Bool? {
        guard case .record(_, let properties)? = annotations.first(term: term)?.value else {
            return nil
        }
        return properties.flag(property)
    }
}
