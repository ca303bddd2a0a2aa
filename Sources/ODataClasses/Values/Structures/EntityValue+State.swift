import Foundation
import ODataModel

extension EntityValue {
    private func change(_ flag: EntityFlags, to isOn: Bool) {
        if isOn { flags.insert(flag) } else { flags.remove(flag) }
    }

    /// True until the entity was created, updated or deleted anywhere.
    public final var isNew: Bool {
        get { flags.contains(.new) }
        set { change(.new, to: newValue) }
    }

    /// True while a local change exists that the service has not acknowledged through a download.
    public final var isLocal: Bool {
        get { flags.contains(.local) }
        set { change(.local, to: newValue) }
    }

    /// True when the last operation created the entity; also for created entities of a delta.
    public final var isCreated: Bool {
        get { flags.contains(.created) }
        set { change(.created, to: newValue) }
    }

    /// True when the last operation updated the entity; also for changed entities of a delta.
    public final var isUpdated: Bool {
        get { flags.contains(.updated) }
        set { change(.updated, to: newValue) }
    }

    /// True when the last operation deleted the entity; also for removed entities of a delta.
    public final var isDeleted: Bool {
        get { flags.contains(.deleted) }
        set { change(.deleted, to: newValue) }
    }

    /// True while requests for the entity wait to be sent.
    public final var hasPendingChanges: Bool {
        get { flags.contains(.pendingChanges) }
        set { change(.pendingChanges, to: newValue) }
    }

    /// True when the last upload of the entity failed.
    public final var inErrorState: Bool {
        get { flags.contains(.errorState) }
        set { change(.errorState, to: newValue) }
    }

    /// True when the service refused the entity's deletion, so that it is there again.
    public final var isDeleteError: Bool {
        get { flags.contains(.deleteError) }
        set { change(.deleteError, to: newValue) }
    }

    /// True when only links or keys are known.
    public final var isReference: Bool {
        get { flags.contains(.reference) }
        set { change(.reference, to: newValue) }
    }

    /// True for the element of a bind operation.
    public final var isBinding: Bool {
        get { flags.contains(.binding) }
        set { change(.binding, to: newValue) }
    }

    /// True once the entity set was found.
    public final var isResolved: Bool {
        get { flags.contains(.resolved) }
        set { change(.resolved, to: newValue) }
    }

    /// True while the entity set is looked for.
    public final var isResolving: Bool {
        get { flags.contains(.resolving) }
        set { change(.resolving, to: newValue) }
    }

    /// Whether related entities have local changes; false unless the query asked for it.
    public final var hasLocalRelatives: Bool? {
        get { detailsIfAny?.hasLocalRelatives ?? false }
        set { details.hasLocalRelatives = newValue }
    }

    /// Whether related entities have changes that wait to be sent; false unless the query asked for it.
    public final var hasRelativesWithPendingChanges: Bool? {
        get { detailsIfAny?.hasRelativesWithPendingChanges ?? false }
        set { details.hasRelativesWithPendingChanges = newValue }
    }

    /// When the service says the entity changed or was removed; known for some deltas only (JSON Format 4.01, section 15).
    public final var deltaTime: GlobalDateTime? {
        get { detailsIfAny?.deltaTime }
        set { details.deltaTime = newValue }
    }

    /// The entity that this one was created under; nil for all others.
    public final var parentEntity: EntityValue? {
        get { detailsIfAny?.parentEntity }
        set { details.parentEntity = newValue }
    }

    /// The navigation property that this entity was created under; nil for all others.
    public final var parentProperty: Property? {
        get { detailsIfAny?.parentProperty }
        set { details.parentProperty = newValue }
    }

    /// Runs `work` while no other `withLock` of the same entity runs; may be nested.
    public final func withLock(_ work: () -> Void) {
        let lock = EntityLocks.lock(for: self)
        lock.lock()
        defer { lock.unlock() }
        work()
    }
}

/// Locks shared by many entities, so that an entity needs no room for its own.
private enum EntityLocks {
    private static let locks: [NSRecursiveLock] = (0..<64).map { _ in NSRecursiveLock() }

    static func lock(for entity: EntityValue) -> NSRecursiveLock {
        // Objects are aligned, so the lowest bits say nothing.
        let bits = UInt(bitPattern: ObjectIdentifier(entity)) >> 5
        return locks[Int(bits % UInt(locks.count))]
    }
}

extension EntityValue {
    /// Links `entity` to the property with the next create or update of this entity (JSON Format 4.01, section 8.5). A
    /// property that is no navigation property is a programming error and traps.
    public final func bindEntity(_ entity: EntityValue, to property: Property) {
        addBinding(PendingBinding(property: property, target: entity, isBind: true))
    }

    /// Removes the link from the property with the next update of this entity; nil for a single-valued property means
    /// whatever it leads to. A property that is no navigation property is a programming error and traps.
    public final func unbindEntity(_ entity: EntityValue?, from property: Property) {
        addBinding(PendingBinding(property: property, target: entity, isBind: false))
    }

    /// True when links wait to be added or removed.
    public final var hasChangedBindings: Bool { !(detailsIfAny?.bindings.isEmpty ?? true) }

    /// The links that wait to be added or removed, in order.
    package final var bindings: [PendingBinding] {
        get { detailsIfAny?.bindings ?? [] }
        set {
            if detailsIfAny != nil || !newValue.isEmpty { details.bindings = newValue }
        }
    }

    private func addBinding(_ binding: PendingBinding) {
        precondition(
            binding.property.isNavigation,
            "Expected a navigation property, found \(binding.property.qualifiedName).")
        guard let slot = knownSlot(of: binding.property) else { return }
        let property = typeObject.properties[slot]
        details.bindings.removeAll { other in
            guard other.property === property else { return false }
            // A single-valued link has one final target; the last word on one target counts.
            return !property.definition.type.isCollection || other.target === binding.target
        }
        details.bindings.append(
            PendingBinding(
                property: property, target: binding.target, isBind: binding.isBind))
    }
}
