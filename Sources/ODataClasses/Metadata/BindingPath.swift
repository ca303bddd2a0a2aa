import ODataModel

/// What a bound action or function may be bound to: an entity, an entity set or a path. Generated classes hand it to the queue on
/// which the call is made.
public protocol BindingPath: AnyObject, Sendable {}

/// An entity or a list of entities, for calls that take either.
public protocol EntityValueOrList: AnyObject, Sendable {}
