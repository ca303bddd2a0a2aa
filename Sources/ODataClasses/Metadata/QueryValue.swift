import ODataModel

/// A value that a service computes: a property, a path, or an expression over them.
///
/// Comparisons and functions on it build query expressions; they never read a local value.
open class QueryValue: DataValue, @unchecked Sendable {
    /// Creates an operand without meaning of its own; subclasses give it one.
    public override init() { super.init() }
}

/// A property, or a path of properties, as queries and values name it.
open class PropertyPath: QueryValue, @unchecked Sendable {
    /// The path as a ``DataPath``.
    open func toPath() -> DataPath { DataPath([]) }
}
