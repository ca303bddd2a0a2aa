import ODataModel

extension EntitySet {
    /// The sets that navigation properties lead to, by the path of the property (CSDL 4.01, section 13.4).
    public var pathBindings: EntitySetMap {
        let map = EntitySetMap()
        for binding in definition.bindings {
            guard let target = model.graph.entitySet(named: binding.target) else { continue }
            map.set(binding.path, model[target])
        }
        return map
    }

    /// The set that a navigation property leads to; ``undefined`` when none is declared.
    public func binding(_ name: String) -> EntitySet {
        EntitySet.undefinedIfNull(pathBindings.get(name))
    }

    /// The annotations of the set by term.
    public var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The annotation with this term. A missing one is a programming error and traps.
    public func annotation(_ term: String) -> Annotation { annotations.getRequired(term) }

    /// True when the service says that it tracks changes of the set (`Capabilities.ChangeTracking`).
    public var trackChanges: Bool { definition.tracksChanges ?? false }
}

extension EntitySetDefinition {
    /// What `Capabilities.ChangeTracking` says; nil where it is silent.
    package var tracksChanges: Bool? {
        let term = "Org.OData.Capabilities.V1.ChangeTracking"
        guard let annotation = annotations.first(term: term) else { return nil }
        guard case .record(_, let properties) = annotation.value else { return true }
        return properties.flag("Supported") ?? true
    }
}
