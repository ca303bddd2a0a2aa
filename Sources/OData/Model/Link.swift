/// The entity at the other end of a single-valued navigation property, where it is known. Unknown is not empty: what no
/// query has asked for throws when it is read.
public struct Link<E: Entity>: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case unknown
        case none
        case reference(Ref<E>)
        /// One entity; in an array, because entities may hold links to their own type.
        case loaded([E])
    }

    var content: Content

    init(_ content: Content) { self.content = content }

    /// A link of which nothing is known.
    public init() { content = .unknown }

    /// A link to an entity.
    public init(to ref: Ref<E>) { content = .reference(ref) }

    /// Whether ``get()`` gives an answer.
    public var isLoaded: Bool {
        switch content {
        case .unknown, .reference: false
        case .none, .loaded: true
        }
    }

    /// Which entity it is; nil where there is none and where nothing is known.
    public var ref: Ref<E>? {
        switch content {
        case .unknown, .none: nil
        case .reference(let ref): ref
        case .loaded(let entities): entities.first?.ref
        }
    }

    /// The entity; nil where there is none.
    ///
    /// - Throws: `notLoaded` where the query did not expand the property.
    public func get() throws(ODataError) -> E? {
        switch content {
        case .none: nil
        case .loaded(let entities): entities.first
        case .unknown, .reference: throw .notLoaded(E.entitySet)
        }
    }

    /// Lets the link lead to another entity.
    public mutating func set(_ entity: E) { content = .loaded([entity]) }

    /// Lets the link lead to another entity, which may have been created in the same transaction.
    public mutating func set(to ref: Ref<E>) { content = .reference(ref) }

    /// Lets the link lead nowhere.
    public mutating func clear() { content = .none }
}

/// The entities at the other end of a collection-valued navigation property, where they are known. Unknown is not empty.
public struct Links<E: Entity>: Sendable, Hashable {
    private let entities: [E]?

    /// Links of which nothing is known.
    public init() { entities = nil }

    /// Links to these entities.
    public init(_ entities: [E]) { self.entities = entities }

    /// Whether ``get()`` gives an answer.
    public var isLoaded: Bool { entities != nil }

    /// The entities.
    ///
    /// - Throws: `notLoaded` where the query did not expand the property.
    public func get() throws(ODataError) -> [E] {
        guard let entities else { throw .notLoaded(E.entitySet) }
        return entities
    }
}

extension ODataError {
    fileprivate static func notLoaded(_ set: String) -> ODataError {
        ODataError(.notLoaded, "Expected related entities that the query expands.", at: set)
    }
}
