extension EntitySet {
    /// The sets that navigation properties lead to, by the path of the property.
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
}
