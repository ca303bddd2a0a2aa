import ODataModel
import ODataText

/// What annotations of a document say of one property.
struct PropertyRules: Sendable {
    /// Clients cannot set it.
    let isSetByService: Bool
    /// It stays as it was made.
    let isImmutable: Bool
    /// What the service makes its value of.
    let generated: GeneratedValues.Kind?
    let limits: ValueLimits

    init(_ property: PropertyDefinition) {
        isSetByService = Self.isSetByService(property)
        isImmutable = property.annotations.flag(Terms.immutable) == true
        generated = GeneratedValues.Kind(property)
        limits = ValueLimits(property)
    }

    /// True for properties that only the service sets: computed, generated and read-only ones.
    static func isSetByService(_ property: PropertyDefinition) -> Bool {
        property.isMadeByService || property.annotations.first(term: Terms.generated) != nil
    }
}

extension PropertyDefinition {
    /// The service makes a value where a client gives none (`Core.Computed`, `Core.ComputedDefaultValue`).
    var isMadeWhereMissing: Bool {
        annotations.flag(Terms.computed) == true || hasComputedDefault
    }
}
