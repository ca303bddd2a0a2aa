import ODataSyncPlan

/// An entity type as a struct: what a row of an entity set is in Swift.
///
/// Conforming types are plain structs, written by hand or by a generator: stored properties, an initialiser that reads a
/// ``Row``, and a method that writes what may be changed. They are values: a change of one changes nothing in the store
/// until a ``Transaction`` takes it.
public protocol Entity: Sendable, Hashable {
    /// What queries may ask for.
    associatedtype Fields: FieldSet
    /// What creates a new one; left out, the app creates none.
    associatedtype Draft: EntityDraft = NoDraft<Self> where Draft.Target == Self

    /// The name of the set as the service spells it.
    static var entitySet: String { get }

    /// Which entity it is, whatever key it has or gets.
    var ref: Ref<Self> { get }

    /// Reads an entity.
    ///
    /// - Throws: ``ODataError`` for what the row does not have, as ``Row/value(_:as:)`` says it.
    init(_ row: Row) throws(ODataError)

    /// Says what the entity has in properties that may be changed. What is different after an update is sent, and nothing
    /// else.
    func write(to values: inout Values)
}

extension Entity {
    /// All entities of the set: the beginning of every query.
    public static var all: Query<Self, Self> { Query<Self, Self>.all(Self.self) }
}

/// A new entity before it is in the store: what the service does not make itself.
public protocol EntityDraft: Sendable {
    /// What it becomes.
    associatedtype Target: Entity

    /// Says what is known of the new entity; properties that are not written are left to the service.
    func write(to values: inout Values)
}

/// The draft of a type that the app never creates: there is none.
public enum NoDraft<Target: Entity>: EntityDraft {
    /// Never called.
    public func write(to values: inout Values) {}
}

/// The queryable properties of a type; each is a computed property that gives a ``Field``, ``ToOne`` or ``ToMany``.
public protocol FieldSet: Sendable {
    /// The properties of what the path leads to.
    init(_ path: FieldPath)
}

/// Which entity something is: the same before and after the service has given it a key.
///
/// Compare refs, use them as identity in lists, keep them as long as the store is there. A ref belongs to one store.
public struct Ref<E: Entity>: Sendable, Hashable {
    /// The number of the row in the store; negative for one that was created here.
    let row: Int64

    var reference: RowReference { RowReference(table: E.entitySet, id: row) }
}

/// What is known of a row beside its properties. Equal entities have equal info, so that lists show changes of it.
public struct RowInfo: Sendable, Hashable {
    /// Changed here, and not received back from the service yet.
    public var isLocal = false
    /// A change of it waits to be sent.
    public var isPending = false
    /// The service refused a change of it; see ``OfflineStore/refusals``.
    public var isRefused = false
    /// The entity tag that the service last gave; nil where it gives none.
    public var entityTag: String?

    /// A row that is as the service has it.
    public init() {}
}
