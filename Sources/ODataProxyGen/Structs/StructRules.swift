import ODataModel

/// What the metadata says about who gives a property its value, and who may change it.
struct StructRules {
    let isInsertable: Bool
    let isUpdatable: Bool
    private let notInsertable: Set<String>
    private let notUpdatable: Set<String>

    /// The rules of an entity set; those of a complex type where there is none.
    init(set annotations: [AnnotationDefinition] = []) {
        let insert = annotations.first(term: Self.capabilities + "InsertRestrictions")?.value
        let update = annotations.first(term: Self.capabilities + "UpdateRestrictions")?.value
        isInsertable = Self.flag("Insertable", in: insert) ?? true
        isUpdatable = Self.flag("Updatable", in: update) ?? true
        notInsertable = Self.paths(
            ["NonInsertableProperties", "NonInsertableNavigationProperties"], in: insert)
        notUpdatable = Self.paths(
            ["NonUpdatableProperties", "NonUpdatableNavigationProperties"], in: update)
    }

    private static let capabilities = "Org.OData.Capabilities.V1."
    private static let core = "Org.OData.Core.V1."

    /// The service makes the value, whatever the client says.
    func isComputed(_ property: PropertyDefinition) -> Bool {
        property.annotations.flag(Self.core + "Computed") ?? false || isReadOnly(property)
    }

    /// The service makes the value where the client says none.
    func hasComputedDefault(_ property: PropertyDefinition) -> Bool {
        property.annotations.flag(Self.core + "ComputedDefaultValue") ?? false
    }

    /// A new entity may say the value.
    func isCreatable(_ property: PropertyDefinition) -> Bool {
        guard !isComputed(property), !notInsertable.contains(property.name) else { return false }
        return property.annotations.flag("sap:creatable") ?? true
    }

    /// An entity that is there may get another value.
    func isChangeable(_ property: PropertyDefinition) -> Bool {
        isUpdatable && !isComputed(property) && !notUpdatable.contains(property.name)
            && !(property.annotations.flag(Self.core + "Immutable") ?? false)
            && property.annotations.flag("sap:updatable") ?? true
    }

    private func isReadOnly(_ property: PropertyDefinition) -> Bool {
        guard
            let value = property.annotations.first(term: Self.core + "Permissions")?.value,
            case .enumMember(let text) = value
        else { return false }
        let members = text.split(separator: " ").compactMap { $0.split(separator: "/").last }
        return !members.isEmpty && members.allSatisfy { $0 == "Read" || $0 == "None" }
    }

    private static func part(
        _ name: String, of value: AnnotationExpression?
    ) -> AnnotationExpression? {
        guard case .record(_, let properties)? = value else { return nil }
        return properties.first { $0.term == name }?.value
    }

    private static func flag(_ name: String, in value: AnnotationExpression?) -> Bool? {
        switch part(name, of: value) {
        case .boolean(let flag): flag
        case .string(let text): text == "true"
        default: nil
        }
    }

    private static func paths(
        _ names: [String], in value: AnnotationExpression?
    ) -> Set<String> {
        var result: Set<String> = []
        for name in names {
            guard case .collection(let items)? = part(name, of: value) else { continue }
            for item in items {
                switch item {
                case .path(_, let text), .string(let text): result.insert(text)
                default: continue
                }
            }
        }
        return result
    }
}
