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

    /// True for a type that only the device knows. Its subtypes say it themselves.
    package func isClientOnly(_ id: StructureID) -> Bool {
        Self.isMarked(self[id].annotations, "ClientOnly")
    }

    /// The names of the sets that stay on the device.
    package var clientOnlySets: Set<String> {
        Set(entitySets.indices.map { EntitySetID($0) }.filter(isClientOnly).map { self[$0].name })
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
