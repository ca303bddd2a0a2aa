import ODataModel
import ODataText
import Synchronization

/// An entity set or singleton of a document (CSDL 4.01, sections 13.2 and 13.3).
open class EntitySet: ObjectBase, BindingPath, @unchecked Sendable {
    // Everything is constant except `settings`, which its lock guards.
    package final let model: MetadataModel
    /// Where the set stands in the graph.
    package final let id: EntitySetID
    /// The path of the key's one property; nil where it has more. Reads by key ask it each time.
    package final let onlyKey: String?
    /// Kept here, since each read of the set asks for it.
    private final let declaredName: String
    private final let settings = Mutex(Settings())

    /// What an app may set on an entity set; engines take a copy when an operation starts.
    package struct Settings: Sendable, Hashable {
        package var downloadWithoutDeltaLinks = false
        package var downloadQueriesCanOverlap = false
        package var downloadEntitiesByDefault = true
        package var downloadStreamsByDefault = true
        package var canBeRemoved = false
        package var table: String?
        package var indexes: [EntityIndex] = []
        /// What queries of the set select when they select nothing.
        package var defaultSelect: [DataPath] = []

        package init() {}
    }

    package init(_ model: MetadataModel, _ id: EntitySetID) {
        self.model = model
        self.id = id
        declaredName = model.graph[id].name
        let key = model.graph[model.graph[id].type].key
        onlyKey = key.count == 1 ? key[0].path : nil
        super.init()
    }

    /// The definition in the graph.
    package final var definition: EntitySetDefinition { model.graph.entitySets[id.index] }

    /// A copy of what the app has set.
    package final var currentSettings: Settings { settings.withLock { $0 } }

    /// True when queries of the set select something of their own accord.
    package final var selectsByDefault: Bool {
        settings.withLock { !$0.defaultSelect.isEmpty }
    }

    package final func changeSettings(_ change: (inout Settings) -> Void) {
        settings.withLock { change(&$0) }
    }

    /// Stands for "no entity set".
    public static let undefined: EntitySet = MetadataModel.undefined.entitySets[0]

    /// The set itself, or ``undefined`` for nil.
    public static func undefinedIfNull(_ entitySet: EntitySet?) -> EntitySet {
        entitySet ?? undefined
    }

    /// The name without its container.
    open var localName: String { declaredName }

    /// The name with its container.
    open var qualifiedName: String { "\(definition.container).\(definition.name)" }

    /// The name with its container.
    open var name: String { qualifiedName }

    /// The path that addresses the set, relative to the service root.
    open var resourcePath: String { definition.name }

    /// ``resourcePath`` percent-encoded, as a request has it (URL Conventions 4.01, section 2).
    open var requestPath: String { PercentCoding.encode(definition.name, for: .path) }

    /// The path by which annotations target the set.
    open var targetPath: String { definition.qualifiedName }

    /// The path of the set in a context URL.
    open var contextPath: String { definition.name }

    /// The type of the set's entities.
    open var entityType: EntityType {
        (model[definition.type] as? EntityType) ?? EntityType.undefined
    }

    /// True for singletons.
    open var isSingleton: Bool { definition.isSingleton }

    /// True for sets added by an app beside the service's own.
    open var isExtension: Bool { false }

    /// True when a refresh of metadata found the set gone.
    open var isRemoved: Bool { model.isRemoved("set " + definition.name) }

    /// The name of the set.
    open override func toString() -> String { localName }
}

extension EntitySet {
    /// Value of ``table`` for sets that are not kept in a table.
    public static let noTable = "none"
    /// Value of ``table`` for a table with one column per property.
    public static let columnTable = "column"
    /// Value of ``table`` for a table with one row per entity.
    public static let rowTable = "row"

    /// Changes are found by comparing on the client, because the service has no delta links for the set.
    public var downloadWithoutDeltaLinks: Bool {
        get { currentSettings.downloadWithoutDeltaLinks }
        set { changeSettings { $0.downloadWithoutDeltaLinks = newValue } }
    }

    /// Several download queries may bring the same entity, so the keys each one brought are recorded.
    public var downloadQueriesCanOverlap: Bool {
        get { currentSettings.downloadQueriesCanOverlap }
        set { changeSettings { $0.downloadQueriesCanOverlap = newValue } }
    }

    /// False when the set is downloaded by explicit queries only.
    public var downloadEntitiesByDefault: Bool {
        get { currentSettings.downloadEntitiesByDefault }
        set { changeSettings { $0.downloadEntitiesByDefault = newValue } }
    }

    /// False when streams are downloaded only where asked for.
    public var downloadStreamsByDefault: Bool {
        get { currentSettings.downloadStreamsByDefault }
        set { changeSettings { $0.downloadStreamsByDefault = newValue } }
    }

    /// Whether a refresh of metadata may remove the set.
    public var canBeRemoved: Bool {
        get { currentSettings.canBeRemoved }
        set { changeSettings { $0.canBeRemoved = newValue } }
    }

    /// The database table that the set is kept in; nil leaves the choice to the provider.
    public var table: String? {
        get { currentSettings.table }
        set { changeSettings { $0.table = newValue } }
    }

    /// The indexes asked for by `createIndex`.
    public var indexes: [EntityIndex] { currentSettings.indexes }
}

/// An index that the local store keeps over an entity set.
public struct EntityIndex: Sendable, Hashable {
    /// Unqualified name of the entity set.
    public var entitySet: String
    /// Names of the indexed properties in order.
    public var properties: [String]
    /// True when no two entities may have the same values.
    public var isUnique: Bool

    /// Describes an index over properties of a set.
    public init(entitySet: String, properties: [String], isUnique: Bool = false) {
        self.entitySet = entitySet
        self.properties = properties
        self.isUnique = isUnique
    }
}
