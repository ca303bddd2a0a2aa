import ODataModel

/// Says which of two objects comes first; what ``ListBase/sortWith(_:)`` asks. Subclasses bring orders of their own.
open class Comparer: ObjectBase, @unchecked Sendable {
    // Subclasses are constant after they are made, as callers promise.

    static let byText = Comparer()

    /// Creates a comparer.
    public override init() { super.init() }

    /// -1, 0 or 1 as `left` comes before, beside or after `right`: nothing before everything else, then by text.
    open func compare(_ left: AnyObject?, _ right: AnyObject?) -> Int {
        Self.order(left, right) { left, right in
            let first = (left as? ObjectBase)?.toString() ?? "\(left)"
            let second = (right as? ObjectBase)?.toString() ?? "\(right)"
            return first < second ? -1 : second < first ? 1 : 0
        }
    }

    /// Puts nothing before everything else and asks `compare` about the rest.
    static func order(
        _ left: AnyObject?, _ right: AnyObject?, _ compare: (AnyObject, AnyObject) -> Int
    ) -> Int {
        guard let left else { return right == nil ? 0 : -1 }
        guard let right else { return 1 }
        return left === right ? 0 : compare(left, right)
    }
}

/// The order of the value space (URL Conventions 4.01, section 5.1.1.1): numbers by amount, dates by time, text by code points.
open class DataComparer: Comparer, @unchecked Sendable {
    /// The comparer that lists of values use.
    public static let singleton = DataComparer()

    /// -1, 0 or 1; null comes first, as `$orderby` has it. What is no value is ordered by its text.
    open override func compare(_ left: AnyObject?, _ right: AnyObject?) -> Int {
        Self.order(left, right) { left, right in
            guard let first = left as? DataValue, let second = right as? DataValue else {
                return super.compare(left, right)
            }
            return first < second ? -1 : second < first ? 1 : 0
        }
    }
}

/// The order of structures by some of their properties, the first that differs deciding.
open class StructureComparer: DataComparer, @unchecked Sendable {
    // Constant.
    private final let paths: [PropertyPath]

    init(paths: [PropertyPath]) {
        self.paths = paths
        super.init()
    }

    /// The values that decide where no path was named.
    func values(of structure: StructureBase) -> [DataValue?] {
        structure.typeObject.properties.lazy.filter { !$0.isNavigation }.map {
            structure.optionalValue(for: $0)
        }
    }

    /// -1, 0 or 1 by the properties; a property that is not set counts as null.
    open override func compare(_ left: AnyObject?, _ right: AnyObject?) -> Int {
        Self.order(left, right) { left, right in
            guard let first = left as? StructureBase, let second = right as? StructureBase else {
                return super.compare(left, right)
            }
            let pairs =
                paths.isEmpty
                ? Array(zip(values(of: first), values(of: second)))
                : paths.map { (first.optionalValue(for: $0), second.optionalValue(for: $0)) }
            for (one, other) in pairs {
                let order = super.compare(one, other)
                if order != 0 { return order }
            }
            return 0
        }
    }
}

/// The order of complex values by their properties.
open class ComplexComparer: StructureComparer, @unchecked Sendable {
    /// Compares by these properties; by all structural ones in declared order where none is named.
    public init(_ paths: PropertyPath...) { super.init(paths: paths) }
}

/// The order of entities by their properties.
open class EntityComparer: StructureComparer, @unchecked Sendable {
    /// The comparer that lists of entities use: by key.
    public static let byKey = EntityComparer()

    /// Compares by these properties; by the key where none is named.
    public init(_ paths: PropertyPath...) { super.init(paths: paths) }

    override func values(of structure: StructureBase) -> [DataValue?] {
        guard let entity = structure as? EntityValue else { return super.values(of: structure) }
        return entity.entityType.keys.map { entity.optionalValue(for: $0) }
    }
}
