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

/// Takes values that generated code computes only to have them computed, as the statics of a registry.
public enum Ignore {
    /// Does nothing with a value.
    public static func value(_ value: Any?) {}
}

/// Looks a property up where its name or kind comes from data, and says what was expected instead of trapping.
public enum CheckProperty {
    /// True when the type has a property with this name.
    public static func exists(_ name: String, in type: StructureType) -> Bool {
        type.property(named: name) != nil
    }

    /// The property with this name.
    ///
    /// - Throws: `UsageError` for a name that the type does not have.
    public static func named(_ name: String, in type: StructureType) throws -> Property {
        guard let property = type.property(named: name) else {
            throw UsageError.withMessage(
                "Expected a property of \(type.qualifiedName), found the name \(name).")
        }
        return property
    }

    /// Checks that a structure has the property and may have the value; nil stands for null.
    ///
    /// - Throws: `UsageError` for a property of another type, `CastError` for a value of a class that the property cannot
    ///   have.
    public static func accepts(
        _ value: DataValue?, for property: Property, in structure: StructureBase
    ) throws {
        guard structure.structureType.property(named: property.name) != nil else {
            throw UsageError.withMessage(
                "Expected a property of \(structure.structureType.qualifiedName), found "
                    + "\(property.qualifiedName).")
        }
        guard let value, !structure.accepts(value, for: property) else { return }
        throw CastError.withMessage(
            "Expected a value of \(property.dataType.name) for \(property.name), found "
                + "\(type(of: value)).")
    }
}
