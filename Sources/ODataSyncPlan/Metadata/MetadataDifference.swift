import ODataModel

/// How two versions of a service's metadata differ, and whether data kept under the old one stays valid under the new.
package struct MetadataDifference: Sendable, Hashable {
    /// One finding.
    package struct Change: Sendable, Hashable, CustomStringConvertible {
        package enum Effect: Sendable, Hashable {
            /// New; nothing stored is touched.
            case added
            /// Gone; what is stored for it has no place any more.
            case removed
            /// Changed in a way that every stored value survives.
            case compatible
            /// Changed in a way that stored values may not survive.
            case incompatible
        }

        package var effect: Effect
        /// A set name, a qualified type name, or `Schema.Type/Property`.
        package var path: String
        /// What changed, as a sentence.
        package var detail: String
        /// False where only calls are concerned: those of actions and functions.
        package var concernsData: Bool

        package init(
            _ effect: Effect, _ path: String, _ detail: String, concernsData: Bool = true
        ) {
            self.effect = effect
            self.path = path
            self.detail = detail
            self.concernsData = concernsData
        }

        /// True when something that relied on the old metadata meets something else.
        package var breaks: Bool { effect == .removed || effect == .incompatible }

        package var description: String { "\(effect) \(path): \(detail)" }
    }

    package private(set) var changes: [Change] = []

    package var isEmpty: Bool { changes.isEmpty }

    /// True when what was written for the old metadata stays right: nothing is removed or changed incompatibly.
    package var isCompatible: Bool { !changes.contains(where: \.breaks) }

    /// True when data kept under the old metadata stays valid.
    package var keepsData: Bool { !changes.contains { $0.breaks && $0.concernsData } }

    package func changes(_ effect: Change.Effect) -> [Change] {
        changes.filter { $0.effect == effect }
    }

    /// Compares types, properties, sets and operations by name. Linear in the size of the models.
    package init(from old: MetadataGraph, to new: MetadataGraph) {
        compareSets(old, new)
        compareStructures(old, new)
        compareEnumerations(old, new)
        compareTypeDefinitions(old, new)
        compareOperations(old, new)
    }

    /// Adds a finding.
    mutating func note(_ change: Change) { changes.append(change) }

    /// Adds a finding.
    mutating func note(_ effect: Change.Effect, _ path: String, _ detail: String) {
        note(Change(effect, path, detail))
    }

    private mutating func compareSets(_ old: MetadataGraph, _ new: MetadataGraph) {
        for set in old.entitySets {
            guard let id = new.entitySet(named: set.name) else {
                note(.removed, set.name, "The entity set is gone.")
                continue
            }
            let other = new[id]
            if old[set.type].qualifiedName != new[other.type].qualifiedName {
                note(.incompatible, set.name, "The entity set has another type.")
            }
            if set.isSingleton != other.isSingleton {
                note(.incompatible, set.name, "Set and singleton changed places.")
            }
            if Set(set.bindings) != Set(other.bindings) {
                note(.compatible, set.name, "Navigation bindings changed.")
            }
        }
        for set in new.entitySets where old.entitySet(named: set.name) == nil {
            note(.added, set.name, "The entity set is new.")
        }
    }

    private mutating func compareStructures(_ old: MetadataGraph, _ new: MetadataGraph) {
        for type in old.structures {
            guard let id = new.structure(named: type.qualifiedName) else {
                note(.removed, type.qualifiedName, "The type is gone.")
                continue
            }
            compare(type, new[id], old, new)
        }
        for type in new.structures where old.structure(named: type.qualifiedName) == nil {
            note(.added, type.qualifiedName, "The type is new.")
        }
    }

    private mutating func compare(
        _ type: StructureDefinition, _ other: StructureDefinition, _ old: MetadataGraph,
        _ new: MetadataGraph
    ) {
        let name = type.qualifiedName
        if type.kind != other.kind {
            note(.incompatible, name, "Entity type and complex type changed places.")
        }
        let base = type.baseID.map { old[$0].qualifiedName }
        let otherBase = other.baseID.map { new[$0].qualifiedName }
        if base != otherBase {
            note(
                .incompatible, name,
                "The base type is \(otherBase ?? "none"), was \(base ?? "none").")
        }
        if type.isAbstract != other.isAbstract {
            note(
                other.isAbstract ? .incompatible : .compatible, name,
                other.isAbstract ? "The type is now abstract." : "The type is no longer abstract.")
        }
        if type.key != other.key { note(.incompatible, name, "The key is another one.") }
        if type.hasStream != other.hasStream {
            note(
                other.hasStream ? .compatible : .incompatible, name,
                other.hasStream ? "Entities now have a media stream." : "The media stream is gone.")
        }
        if type.isOpen != other.isOpen {
            note(
                other.isOpen ? .compatible : .incompatible, name,
                other.isOpen ? "The type is now open." : "The type is no longer open.")
        }
        let inheritedBefore = Set(type.properties.prefix(type.inheritedCount).map(\.name))
        for property in type.properties.dropFirst(type.inheritedCount) {
            let path = "\(name)/\(property.name)"
            guard let slot = other.slot(named: property.name) else {
                note(.removed, path, "The property is gone.")
                continue
            }
            compare(property, other.properties[slot], path, old, new)
        }
        for property in other.properties.dropFirst(other.inheritedCount)
        where type.slot(named: property.name) == nil && !inheritedBefore.contains(property.name) {
            let needsValue =
                !property.type.isNullable && !property.isNavigation && !property.type.isCollection
            note(
                .added, "\(name)/\(property.name)",
                needsValue ? "The property is new and not nullable." : "The property is new.")
        }
    }

    /// Primitive types; a wider one is compatible.
    mutating func compare(
        _ old: PrimitiveType, _ new: PrimitiveType, _ name: String, _ subject: String
    ) {
        guard old != new else { return }
        note(
            Self.widens(old, new) ? .compatible : .incompatible, name,
            "\(subject) is Edm.\(new.name), was Edm.\(old.name).")
    }

    private mutating func compareEnumerations(_ old: MetadataGraph, _ new: MetadataGraph) {
        for type in old.enumerations {
            guard let id = new.enumeration(named: type.qualifiedName) else {
                note(.removed, type.qualifiedName, "The enumeration type is gone.")
                continue
            }
            let other = new[id]
            compare(
                type.underlyingType, other.underlyingType, type.qualifiedName,
                "The underlying type")
            if type.isFlags != other.isFlags {
                note(
                    other.isFlags ? .compatible : .incompatible, type.qualifiedName,
                    other.isFlags
                        ? "Members can now be combined." : "Members can no longer be combined.")
            }
            let values = Dictionary(
                other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            for member in type.members where values[member.name] != member.value {
                note(
                    .incompatible, "\(type.qualifiedName)/\(member.name)",
                    values[member.name] == nil
                        ? "The member is gone." : "The member has another value.")
            }
            let known = Set(type.members.map(\.name))
            for member in other.members where !known.contains(member.name) {
                note(.added, "\(type.qualifiedName)/\(member.name)", "The member is new.")
            }
        }
        for type in new.enumerations where old.enumeration(named: type.qualifiedName) == nil {
            note(.added, type.qualifiedName, "The enumeration type is new.")
        }
    }
}
