import ODataModel

/// A path from an entity or a lambda variable through properties (CSDL 4.01, section 14.4.1.2).
open class DataPath: PropertyPath, BindingPath, @unchecked Sendable {
    /// One step of a path.
    package enum Segment: Sendable, Hashable {
        case property(Property)
        /// A property that the model does not declare.
        case dynamic(String)
        case lambda(String)
        /// A position in a collection.
        case index(Int)
        /// A key in a collection.
        case key(EntityKey)
        /// A type cast.
        case cast(StructureType)

        package static func == (left: Segment, right: Segment) -> Bool {
            switch (left, right) {
            case (.property(let first), .property(let second)): first === second
            case (.dynamic(let first), .dynamic(let second)): first == second
            case (.lambda(let first), .lambda(let second)): first == second
            case (.index(let first), .index(let second)): first == second
            case (.key(let first), .key(let second)): first.toString() == second.toString()
            case (.cast(let first), .cast(let second)): first === second
            default: false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .property(let property): hasher.combine(ObjectIdentifier(property))
            case .dynamic(let name), .lambda(let name): hasher.combine(name)
            case .index(let index): hasher.combine(index)
            case .key(let key): hasher.combine(key.toString())
            case .cast(let type): hasher.combine(ObjectIdentifier(type))
            }
        }
    }

    package final let segments: [Segment]

    package init(_ segments: [Segment]) {
        self.segments = segments
        super.init()
    }

    /// The variable of an `any` or `all` condition; `$it`, `$this`, `$these` and `$root` stand for what URL Conventions
    /// 4.01, section 5.1.1.14, gives these names to.
    public static func lambda(_ name: String) -> DataPath { DataPath([.lambda(name)]) }

    /// The path that is one property.
    public static func of(_ start: Property) -> DataPath { DataPath([.property(start)]) }

    /// The path that is one property which the model does not declare.
    public static func ofDynamic(_ start: String) -> DataPath { DataPath([.dynamic(start)]) }

    /// The path extended by a property of what it leads to.
    open func path(_ child: Property) -> DataPath { appending(.property(child)) }

    /// The path extended by a property that the model does not declare.
    open func dynamicPath(_ child: String) -> DataPath { appending(.dynamic(child)) }

    /// The path extended by a position in the collection it leads to.
    open func atIndex(_ itemIndex: Int) -> DataPath { appending(.index(itemIndex)) }

    /// The path extended by the key of an entity in the collection it leads to.
    open func withKey(_ key: EntityKey) -> DataPath { appending(.key(key)) }

    /// The path extended by a cast: what it leads to, seen as a value of a derived type.
    open func withType(_ type: StructureType) -> DataPath { appending(.cast(type)) }

    /// The same steps, starting from `newRoot`.
    open func changeRoot(newRoot: DataPath) -> DataPath {
        DataPath(newRoot.segments + segments.dropFirst())
    }

    package final func appending(_ segment: Segment) -> DataPath { DataPath(segments + [segment]) }

    /// The path itself.
    open override func toPath() -> DataPath { self }

    /// The type of the value at the end of the path.
    open override var dataType: DataType {
        switch segments.last {
        case .property(let property): property.dataType
        case .cast(let type): type
        case .index, .key: parentPath?.dataType.itemType ?? DataType.unknown
        default: DataType.unknown
        }
    }

    /// The path in CSDL form, its steps separated by `/`.
    open override func toString() -> String { names.joined(separator: "/") }

    /// Paths are equal when all their steps are.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? DataPath else { return false }
        return self === other || segments == other.segments
    }

    /// Hashes the steps.
    open override func hash(into hasher: inout Hasher) { hasher.combine(segments) }
}

extension DataPath {
    private var names: [String] {
        segments.map {
            switch $0 {
            case .property(let property): property.name
            case .dynamic(let name), .lambda(let name): name
            case .index(let index): String(index)
            case .key(let key): key.toString()
            case .cast(let type): type.qualifiedName
            }
        }
    }

    /// The property at the end; nil when the path ends otherwise.
    public var definedProperty: Property? {
        if case .property(let property) = segments.last { property } else { nil }
    }

    /// The undeclared property at the end; nil when the path ends otherwise.
    public var dynamicProperty: String? {
        if case .dynamic(let name) = segments.last { name } else { nil }
    }

    /// The variable that the path starts from; nil when it starts from the entity.
    public var lambdaVariable: String? {
        if case .lambda(let name) = segments.first { name } else { nil }
    }

    /// The position at the end; nil when the path ends otherwise.
    public var itemIndex: Int? {
        if case .index(let index) = segments.last { index } else { nil }
    }

    /// The key at the end; nil when the path ends otherwise.
    public var entityKey: EntityKey? {
        if case .key(let key) = segments.last { key } else { nil }
    }

    /// The steps as text.
    public var pathSegments: StringList { StringList.fromArray(names) }

    /// The path without its last step; nil for a path of one step.
    public var parentPath: DataPath? {
        segments.count > 1 ? DataPath(Array(segments.dropLast())) : nil
    }

    /// The first property of the path.
    public var rootProperty: Property? {
        for case .property(let property) in segments { return property }
        return nil
    }

    /// How many steps the path has.
    public var segmentCount: Int { segments.count }

    /// True when the path has a step.
    public func hasSegments() -> Bool { !segments.isEmpty }

    /// The type at the end of the path.
    public var pathType: DataType { dataType }

    /// True when the path ends in a navigation property.
    public var isNavigation: Bool { definedProperty?.isNavigation ?? false }

    /// True when the path ends in a structural property.
    public var isStructural: Bool { definedProperty?.isStructural ?? false }

    /// True when the path is just this property.
    public func isProperty(_ property: Property) -> Bool { segments == [.property(property)] }

    /// The path with its steps separated by dots.
    public func dotString() -> String { names.joined(separator: ".") }
}
