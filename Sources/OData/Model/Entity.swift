import ODataSyncPlan
import Synchronization

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

    /// The name of the set as the service spells it, or of the singleton. Of entities that are contained in others: the set
    /// of those and the way from there, such as `Orders/Items`.
    static var entitySet: String { get }

    /// The qualified name of the type, for a type derived from that of its set: such entities are part of the set, and
    /// queries of the derived type find no others. Left out, it is the type of the set.
    static var typeName: String? { get }

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
    /// Nil: the type of the set.
    public static var typeName: String? { nil }

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

    /// The same entity as one of a derived type, or of a base type. Whether it is one shows when it is fetched: nothing is
    /// found where it is of another type or set.
    public func cast<Other: Entity>(to type: Other.Type = Other.self) -> Ref<Other> {
        Ref<Other>(row: E.entitySet == Other.entitySet ? row : Ref<Other>.nowhere)
    }

    /// A number that no row has.
    static var nowhere: Int64 { Int64.min }

    /// Of an entity that is not in the store: another one for each, so that they can be told apart.
    static func outside() -> Int64 {
        EntitiesOutside.count.wrappingAdd(1, ordering: .relaxed).newValue
    }
}

/// Numbers for entities that are in no store; rows that are made here count down from -1, and never come so far.
private enum EntitiesOutside {
    static let count = Atomic(Int64.min)
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
