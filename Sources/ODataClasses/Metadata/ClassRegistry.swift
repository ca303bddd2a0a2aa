import Synchronization

/// The classes that an app has registered for the types of one service, by qualified name.
///
/// A service's metadata comes in several documents: the one that generated classes embed, the one that the service answers
/// with, the one that a store keeps. They all share one registry, so that entities are objects of the app's classes
/// whichever document they were read by, and whenever the classes were registered.
package final class ClassRegistry: Sendable {
    private struct State: Sendable {
        var factories: [String: ObjectFactory] = [:]
        /// The registry that this one has become part of.
        var successor: ClassRegistry?
    }

    private let state = Mutex(State())
    /// False as long as nothing was ever registered or joined here: each object that is made asks, mostly in vain.
    private let isUsed = Atomic(false)
    /// Held while anything is registered or joined, so that nothing is registered with a registry that is just being left.
    private static let changes = Mutex(())

    package init() {}

    /// What makes objects of the type; nil when no class is registered for it.
    func factory(of type: String) -> ObjectFactory? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        let (factory, successor) = state.withLock { state in
            (state.factories.isEmpty ? nil : state.factories[type], state.successor)
        }
        return successor.map { $0.factory(of: type) } ?? factory
    }

    /// Makes objects of the type by `factory` from now on; nil takes the registration back.
    func register(_ factory: ObjectFactory?, for type: String) {
        Self.changes.withLock { _ in
            let last = last
            last.state.withLock { $0.factories[type] = factory }
            last.isUsed.store(true, ordering: .releasing)
        }
    }

    /// Makes one registry of this and another, for all who hold either; of two factories for a type the other's is kept.
    package func join(_ other: ClassRegistry) {
        Self.changes.withLock { _ in
            let (kept, joining) = (last, other.last)
            guard kept !== joining else { return }
            let factories = joining.state.withLock { $0.factories }
            kept.state.withLock { state in
                state.factories.merge(factories) { _, new in new }
            }
            if !factories.isEmpty { kept.isUsed.store(true, ordering: .releasing) }
            // Only now, so that readers of either find every factory at every moment.
            joining.state.withLock { $0 = State(successor: kept) }
            joining.isUsed.store(true, ordering: .releasing)
        }
    }

    private var last: ClassRegistry {
        var registry = self
        while let next = registry.state.withLock({ $0.successor }) { registry = next }
        return registry
    }
}
