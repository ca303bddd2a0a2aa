/// What only this device knows: sets whose entities are never sent (the Offline vocabulary's `ClientOnly` and
/// `LocalDraft`, offline reference 16.6).
extension MetadataGraph {
    private static let terms = ["ClientOnly", "LocalDraft"]

    /// True for a set whose entities stay on the device: it, or its type, is annotated.
    package func isClientOnly(_ id: EntitySetID) -> Bool {
        let set = self[id]
        return Self.terms.contains { Self.isMarked(set.annotations, $0) }
            || isClientOnly(set.type)
    }

    /// True for a set of drafts of another set's entities: it is annotated with `LocalDraft`, or with a `ClientOnly` that says so.
    package func isLocalDraft(_ id: EntitySetID) -> Bool {
        let annotations = self[id].annotations
        return Self.isMarked(annotations, "LocalDraft") || Self.draftRecord(annotations) != nil
    }

    /// The set that a set of drafts is for: the one it names, or else the only set of its type that is sent; nil when there is
    /// none.
    package func activeSet(ofDrafts id: EntitySetID) -> EntitySetID? {
        guard isLocalDraft(id) else { return nil }
        if case .string(let name)? = Self.draftRecord(self[id].annotations)?.first(where: {
            $0.term == "ActiveEntitySet"
        })?.value {
            return entitySet(named: name)
        }
        let candidates = entitySets.indices.map { EntitySetID($0) }.filter {
            self[$0].type == self[id].type && !isClientOnly($0) && !self[$0].isSingleton
        }
        return candidates.count == 1 ? candidates[0] : nil
    }

    private static func draftRecord(
        _ annotations: [AnnotationDefinition]
    ) -> [AnnotationDefinition]? {
        for annotation in annotations where annotation.term.contains("Offline") {
            if case .record(let type?, let properties) = annotation.value,
                type.split(separator: ".").last == "LocalDraft"
            {
                return properties
            }
            if annotation.term.split(separator: ".").last == "LocalDraft",
                case .record(_, let properties) = annotation.value
            {
                return properties
            }
        }
        return nil
    }

    /// True for a type that only the device knows. Its subtypes say it themselves.
    package func isClientOnly(_ id: StructureID) -> Bool {
        Self.isMarked(self[id].annotations, "ClientOnly")
    }

    /// The names of the sets that stay on the device.
    package var clientOnlySets: Set<String> {
        Set(entitySets.indices.map { EntitySetID($0) }.filter(isClientOnly).map { self[$0].name })
    }

    /// The namespaces of schemas that hold a type or set which only the device knows.
    package var clientOnlyNamespaces: Set<String> {
        var names = Set(
            structures.filter { Self.isMarked($0.annotations, "ClientOnly") }.map(\.namespace))
        names.formUnion(
            enumerations.filter { Self.isMarked($0.annotations, "ClientOnly") }.map(\.namespace))
        names.formUnion(
            typeDefinitions.filter { Self.isMarked($0.annotations, "ClientOnly") }
                .map(\.namespace))
        for index in entitySets.indices where isClientOnly(EntitySetID(index)) {
            let container = entitySets[index].container
            names.insert(container.split(separator: ".").dropLast().joined(separator: "."))
        }
        return names
    }

    /// A term is written with the vocabulary's namespace or with an alias of it.
    private static func isMarked(_ annotations: [AnnotationDefinition], _ term: String) -> Bool {
        annotations.contains { annotation in
            let parts = annotation.term.split(separator: ".")
            guard parts.last.map(String.init) == term, parts.contains("Offline") else {
                return false
            }
            if case .boolean(false) = annotation.value { return false }
            return true
        }
    }
}
