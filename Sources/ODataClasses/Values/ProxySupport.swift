// What generated proxy classes call; the names are a contract with generated code.
import ODataModel

/// Keeps an object for the life of the process; returns it.
public func xs_immortalize<T: AnyObject>(_ object: T) -> T {
    _ = Unmanaged.passRetained(object)
    return object
}

/// Casts arrays element by element.
public enum ArrayConverter {
    /// The elements of `from` as elements of the type of `to`, whose content does not matter. An element of another
    /// class is a programming error and traps.
    public static func convert<S, T>(_ from: [S], _ to: [T]) -> [T] {
        from.map { element in
            guard let result = element as? T else {
                preconditionFailure("Expected \(T.self), found \(type(of: element)).")
            }
            return result
        }
    }
}

/// Casts a value that must be there.
public enum CastRequired<T> {
    /// The value as `T`. Nil and another class are programming errors and trap.
    public static func from(_ value: AnyObject?) -> T {
        guard let result = value as? T else {
            preconditionFailure("Expected \(T.self), found \(DataValue.className(value)).")
        }
        return result
    }
}

/// Casts a value that may be missing.
public enum CastOptional<T> {
    /// The value as `T`; nil for nil. Another class is a programming error and traps.
    public static func from(_ value: AnyObject?) -> T? {
        value.map { CastRequired<T>.from($0) }
    }
}
