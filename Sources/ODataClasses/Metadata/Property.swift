import ODataModel
import Synchronization

/// A property of a structured type (CSDL 4.01, sections 7 and 8).
open class Property: PropertyPath, @unchecked Sendable {
    // Constant apart from `settings`, which is a lock of its own.
    package final let definition: PropertyDefinition
    /// The index of the property's value in every value of its type and of types derived from it.
    package final let slot: Int
    final let owner: StructureType
    /// As ``isNavigation``, for reads of values, which ask each time.
    final let leadsToEntities: Bool
    private final let declaredType: DataType
    private final let settings = Mutex(Settings())

    private struct Settings: Sendable {
        var canBeRemoved = false
        var customPath: String?
        var column: (name: String, type: String)?
    }

    package init(_ definition: PropertyDefinition, slot: Int, owner: StructureType) {
        self.definition = definition
        self.slot = slot
        self.owner = owner
        leadsToEntities = definition.isNavigation
        declaredType = owner.model.dataType(of: definition.type)
        super.init()
    }

    static func make(
        _ definition: PropertyDefinition, slot: Int, owner: StructureType
    ) -> Property {
        if definition.isNavigation {
            NavigationProperty(definition, slot: slot, owner: owner)
        } else if definition.type.primitive == .stream {
            StreamProperty(definition, slot: slot, owner: owner)
        } else {
            StructuralProperty(definition, slot: slot, owner: owner)
        }
    }

    /// The slot of the property that stands for a media stream, which no entity keeps among its values.
    static let mediaSlot = -1

    /// True for the property that stands for the media stream of an entity.
    final var isMediaStream: Bool { slot == Self.mediaSlot }

    /// The type that declares the property.
    package final var ownerType: StructureType { owner }

    /// The name of the property.
    open var name: String { definition.name }

    /// The name with that of the declaring type: `Schema.Type/Name`.
    open var qualifiedName: String { "\(owner.qualifiedName)/\(definition.name)" }

    /// The qualified name of the declaring type.
    open var owningType: String { owner.qualifiedName }

    /// The name as a URL spells it.
    open var urlString: String { definition.name }

    /// The type of the property's values.
    open override var dataType: DataType { declaredType }

    /// The type of the property's values.
    open var type: DataType { declaredType }

    /// The index of the property in its type.
    open var id_: Int { slot }

    /// The path that is just this property.
    open override func toPath() -> DataPath { DataPath.of(self) }

    /// The path from this property to a property of what it leads to.
    open func path(_ child: Property) -> DataPath { toPath().path(child) }

    /// The name of the property.
    open override func toString() -> String { name }

    /// Properties are equal when they are the same declaration, also as two versions of a document have it: the properties of
    /// generated classes are those of the document that the app carries, and those of an entity's type may be the service's.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard self !== other else { return true }
        guard let other = other as? Property, owner.model !== other.owner.model else {
            return false
        }
        return name == other.name && owner.qualifiedName == other.owner.qualifiedName
    }

    /// Hashes the name.
    open override func hash(into hasher: inout Hasher) { hasher.combine(definition.name) }

    /// True for structural properties.
    open var isStructural: Bool { !definition.isNavigation }

    /// True for navigation properties.
    open var isNavigation: Bool { definition.isNavigation }

    /// True when a refresh of metadata found the property gone.
    open var isRemoved: Bool { owner.model.isRemoved("property " + qualifiedName) }

    /// Whether a refresh of metadata may remove the property.
    open var canBeRemoved: Bool {
        get { settings.withLock { $0.canBeRemoved } }
        set { settings.withLock { $0.canBeRemoved = newValue } }
    }

    /// The column that a local database keeps the property in, as SQL names it without quotes; nil as long as no database
    /// has been opened for the document, and for what has no column of its own: navigation properties, and complex ones,
    /// whose parts have columns such as `Address/City`.
    public final var column: String? { settings.withLock { $0.column?.name } }

    /// The declared SQL type of ``column``; nil where that is.
    public final var columnType: String? { settings.withLock { $0.column?.type } }

    /// A path of the app's own for the property; nothing here depends on it.
    public final var customPath: String? {
        get { settings.withLock { $0.customPath } }
        set { settings.withLock { $0.customPath = newValue } }
    }

    /// Notes where a database keeps the property.
    package final func noteColumn(_ name: String, type: String) {
        settings.withLock { $0.column = (name, type) }
    }
}

/// A property that holds a value.
open class StructuralProperty: Property, @unchecked Sendable {}

/// A property that leads to related entities.
open class NavigationProperty: Property, @unchecked Sendable {}

/// A property that holds a stream.
open class StreamProperty: Property, @unchecked Sendable {}
