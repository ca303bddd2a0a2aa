import ODataModel

/// An entity: a structured value with a key, links and a state (CSDL 4.01, section 6).
///
/// ```swift
/// let order = EntityValue.ofType(orders.entityType).inSet(orders)
/// title.setStringValue(in: order, to: "Change the filter")
/// try service.createEntity(order)
/// title.setStringValue(in: order, to: "Change both filters")
/// try service.updateEntity(order)  // sends the title only
/// ```
///
/// An entity knows what was loaded or sent last (``oldEntity``): an update sends what differs. It does not follow the
/// service or the store: each read gives objects of its own, and `loadEntity` fills one again. ``copyEntity()`` shares
/// nothing with this one.
///
/// One thread at a time reads and changes an entity. A call with a completion handler has it until the handler was called.
///
/// Values are read and set through a ``Property``. Reading one that was never loaded or set, or null where a value is asked
/// for, is a programming error and traps; optional forms give nil for null.
///
/// See ``isLocal``, ``hasPendingChanges`` and ``inErrorState`` for what an offline app shows.
open class EntityValue: StructureBase, BindingPath, EntityValueOrList, @unchecked Sendable {
    // Confined as its base class says.
    package final var flags: EntityFlags
    private final var set: EntitySet?

    /// Creates an entity of the type; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, type: EntityType? = nil) {
        let type = type ?? EntityType.undefined
        flags = .new
        super.init(.empty(type), type, readsDefaults: withDefaults)
    }

    /// As ``init(withDefaults:type:)``; storage is made for set properties only, whatever the map lists.
    public init(withDefaults: Bool, type: EntityType?, withIndexMap: SparseIndexMap?) {
        let type = type ?? EntityType.undefined
        flags = .new
        super.init(.empty(type), type, readsDefaults: withDefaults)
    }

    /// Creates an entity of the type; unset properties read as their defaults.
    public init(type: EntityType) {
        flags = .new
        super.init(.empty(type), type, readsDefaults: true)
    }

    init(_ storage: StructureStorage, _ type: EntityType) {
        flags = []
        super.init(storage, type, readsDefaults: false)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public override init(from decoder: (any Decoder)?) throws {
        flags = []
        try super.init(from: decoder)
        try decodeState(StructureCoding.present(decoder))
    }

    /// Writes type, state, links and all set properties.
    open override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        try encodeState(encoder)
    }

    /// A new entity of the type, or of the subclass registered for it.
    open class func ofType(_ type: EntityType) -> EntityValue {
        (type.makeObject() as? EntityValue) ?? EntityValue(type: type)
    }

    /// Says which entity set the entity belongs to, and returns the entity.
    @discardableResult
    public final func inSet(_ set: EntitySet) -> Self {
        entitySet = set
        return self
    }

    /// Sets the key properties from a key, and returns the entity.
    @discardableResult
    public final func withKey(_ key: EntityKey) -> Self {
        for entry in key.map.entries() {
            guard let property = typeObject.property(named: entry.key) else { continue }
            setDataValue(for: property, to: entry.value)
        }
        return self
    }

    /// The type of the entity.
    public final var entityType: EntityType { (typeObject as? EntityType) ?? EntityType.undefined }

    /// The entity set that the entity belongs to; ``EntitySet/undefined`` until it is known.
    public final var entitySet: EntitySet {
        get { set ?? onlySet ?? EntitySet.undefined }
        set { set = newValue }
    }

    /// The only set of the type, sets of local drafts aside; nil when there is none or more than one.
    private var onlySet: EntitySet? {
        let model = typeObject.model
        let all = model.entitySets.filter { set in
            model.graph.isA(typeObject.structureID, set.definition.type)
        }
        guard all.count > 1 else { return all.first }
        // Only the app can mean a set of drafts, which has the type of the set that they are drafts of.
        let served = all.filter { !model.graph.isLocalDraft($0.id) }
        return served.count == 1 ? served[0] : nil
    }

    /// The values before the changes of the app: what was loaded, created or updated last. Nil for new entities.
    public final var oldEntity: EntityValue? {
        get {
            if let old = detailsIfAny?.old as? EntityValue { return old }
            guard let snapshot = snapshot else { return nil }
            let old = EntityValue.make(snapshot, type: entityType)
            old.entitySet = entitySet
            details.old = old
            return old
        }
        set {
            details.old = newValue
            details.oldStorage = newValue.map { .value($0.structuralCopy()) }
        }
    }

    /// Takes the present values as those that changes are compared with.
    public final func rememberOld() {
        details.old = nil
        let isWhole = children.isEmpty && detailsIfAny?.dynamicProperties == nil
        details.oldStorage = isWhole ? storage : .value(structuralCopy())
    }

    /// What changes are compared with; a row that was not changed is its own snapshot.
    package final var snapshot: StructureStorage? {
        if let old = detailsIfAny?.oldStorage { return old }
        if case .chunk = storage { return storage }
        return nil
    }

    /// A copy of the structural values with the links, tag and set; of the same class.
    open func copyEntity() -> EntityValue {
        let copy = EntityValue.make(.value(structuralCopy()), type: entityType)
        copy.set = set
        copy.flags = flags
        copy.readsDefaults = readsDefaults
        copy.localID = localID
        copy.details.oldStorage = snapshot
        return copy
    }

    /// The same as ``copyEntity()``.
    open override func copyStructure() -> StructureBase { copyEntity() }

    /// True when both are nil or both have equal properties.
    open class func equal(_ left: EntityValue?, _ right: EntityValue?) -> Bool { left == right }

    /// True when both are nil or both have the same key in types of one inheritance tree.
    open class func equalKeys(_ left: EntityValue?, _ right: EntityValue?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.keyScalars == right.keyScalars
    }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    public static func castOptional(_ value: AnyObject?) -> Self? {
        value.map { castRequired($0) }
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    public static func castRequired(_ value: AnyObject?) -> Self {
        // Mostly it is the very class, which is told without looking at the classes above it.
        if let value, type(of: value) == Self.self { return unsafeDowncast(value, to: Self.self) }
        guard let result = value as? Self else {
            preconditionFailure("Expected \(Self.self), found \(className(value)).")
        }
        return result
    }

    /// Hashes type and key.
    open override func hash(into hasher: inout Hasher) {
        super.hash(into: &hasher)
        hasher.combine(keyScalars)
    }
}

extension EntityValue {
    /// The object for a stored entity: of the subclass that is registered for its type, where one is.
    package static func make(
        _ storage: StructureStorage, type: EntityType, in set: EntitySet? = nil
    ) -> EntityValue {
        make(storage, type: type, in: set, factory: type.nearestFactory)
    }

    static func make(
        _ storage: StructureStorage, type: EntityType, in set: EntitySet?, factory: ObjectFactory?
    ) -> EntityValue {
        let entity: EntityValue
        if let factory, let made = type.makeObject(factory) as? EntityValue {
            made.adopt(storage, type)
            made.readsDefaults = false
            made.flags = []
            entity = made
        } else {
            entity = EntityValue(storage, type)
        }
        entity.set = set
        return entity
    }

    /// Fills this object with a stored entity, as after loading: nothing is changed or pending any more.
    package final func load(_ storage: StructureStorage, type: EntityType? = nil) {
        detailsIfAny?.localID = nil
        adopt(storage, type)
        readsDefaults = false
        flags.subtract([.new, .deleted])
        detailsIfAny?.bindings = []
        rememberOld()
    }

    /// Slots of structural properties that differ from the snapshot; all set ones when there is none.
    package final var changedSlots: [Int] {
        typeObject.properties.indices.filter { slot in
            !typeObject.properties[slot].isNavigation && isChanged(slot)
        }
    }

    package final func isChanged(_ slot: Int) -> Bool {
        guard let snapshot else { return isSet(slot) }
        guard isSet(slot) else { return false }
        let (old, new) = (snapshot.value(slot: slot), odataValue(slot))
        // NaN is not equal to itself, but it is no change.
        if case .scalar(.double(let before))? = old, case .scalar(.double(let now))? = new {
            return before != now && !(before.isNaN && now.isNaN)
        }
        return old != new
    }

    /// True when the property is set and differs from the snapshot, or when there is none.
    public final func isNewOrChanged(_ property: Property) -> Bool {
        knownSlot(of: property).map { isChanged($0) } ?? false
    }
}
