import ODataModel

/// What a bound action or function may be bound to: an entity, an entity set or a path.
public protocol BindingPath: AnyObject {}

/// An entity or a list of entities, for calls that take either.
public protocol EntityValueOrList: AnyObject {}
