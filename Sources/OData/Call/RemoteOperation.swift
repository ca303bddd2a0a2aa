import ODataSyncPlan

/// An action or a function of the service, with its parameters: a struct that ``OfflineStore/call(_:)`` sends.
///
/// ```swift
/// struct CheaperThan: RemoteOperation {
///     static let name = "CheaperThan"
///     var limit: ExactDecimal
///     func write(to arguments: inout Values) { arguments.set("limit", limit) }
///     static func result(_ answer: OperationAnswer) throws(ODataError) -> [Tool] { try answer.entities() }
/// }
/// let tools = try await store.call(CheaperThan(limit: 10))
/// ```
public protocol RemoteOperation: Sendable {
    /// What it gives back; left out, nothing.
    associatedtype Result: Sendable = Void

    /// The name of its import; of one that is bound to an entity or a collection its qualified name, such as
    /// `Demo.Cancel`.
    static var name: String { get }

    /// What it is called on. Left out, it is called on the service.
    var target: OperationTarget { get }

    /// Says what its parameters are, by the names that the service has for them; what is not said is not sent. Left out, it
    /// has none.
    func write(to arguments: inout Values)

    /// Reads what the service answered.
    ///
    /// - Throws: As what it reads of the answer.
    static func result(_ answer: OperationAnswer) throws(ODataError) -> Result
}

extension RemoteOperation {
    /// The service.
    public var target: OperationTarget { .service }

    /// Nothing.
    public func write(to arguments: inout Values) {}
}

extension RemoteOperation where Result == Void {
    /// Nothing, whatever was answered.
    ///
    /// - Throws: Never.
    public static func result(_ answer: OperationAnswer) throws(ODataError) {}
}

/// What an operation is called on.
public struct OperationTarget: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case service
        case row(RowReference, type: String?)
        case set(String, type: String?)
    }

    let content: Content

    /// The service itself: an operation that has an import.
    public static let service = OperationTarget(content: .service)

    /// One entity, which the service must know already.
    public static func entity<E: Entity>(_ ref: Ref<E>) -> OperationTarget {
        OperationTarget(content: .row(ref.reference, type: E.typeName))
    }

    /// All entities of a set, or those of a derived type.
    public static func all<E: Entity>(_ type: E.Type) -> OperationTarget {
        OperationTarget(content: .set(E.entitySet, type: E.typeName))
    }
}
