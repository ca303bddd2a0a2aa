import ODataModel

/// An entity type (CSDL 4.01, section 6).
open class EntityType: StructureType, @unchecked Sendable {
    package init(_ model: MetadataModel, _ id: StructureID) {
        super.init(model, id, code: DataType.entityValue)
    }

    /// Stands for "no entity type".
    public static let undefined: EntityType = .placeholder(0)

    /// The abstract type that every entity type derives from (`Edm.EntityType`).
    public static let abstractBase: EntityType = .placeholder(2)

    private static func placeholder(_ index: Int) -> EntityType {
        let model = MetadataModel.undefined
        return (model.structures[index] as? EntityType) ?? EntityType(model, StructureID(index))
    }

    /// The key properties that are direct properties of the type, in declared order.
    package final var keys: [Property] { definition.key.compactMap { property(named: $0.path) } }

    /// The key property with this name. A name that is not part of the key is a programming error and traps.
    open func keyProperty(name: String) -> Property {
        guard let property = keys.first(where: { $0.name == name }) else {
            preconditionFailure("Expected a key property of \(qualifiedName), found \(name).")
        }
        return property
    }

    /// The key property with this name; see ``keyProperty(name:)``.
    open func keyProperty(withName name: String) -> Property { keyProperty(name: name) }

    /// True when instances have a media stream of their own (CSDL 4.01, section 6.4).
    open var isMedia: Bool { definition.hasStream }

    /// The media stream of instances as a property, whose ``Property/streamLink(from:)`` is
    /// ``EntityValue/mediaStream``; nil for types without one (CSDL 4.01, section 6.4).
    public final private(set) var mediaProperty: StreamProperty?

    override func link(_ properties: [Property]) {
        super.link(properties)
        guard isMedia else { return }
        mediaProperty = StreamProperty(
            PropertyDefinition(name: "$value", type: TypeReference(.primitive(.stream))),
            slot: Property.mediaSlot, owner: self)
    }

    /// The entity type that this one derives from; ``abstractBase`` when it derives from none (CSDL 4.01, section 6.1).
    open var supertype: EntityType {
        definition.baseID.flatMap { model[$0] as? EntityType } ?? EntityType.abstractBase
    }

    /// True when the type derives from another one of the document.
    open var hasSupertype: Bool { definition.baseID != nil }

    /// True when another type of the document derives from this one.
    open var hasSubtypes: Bool { !definition.derivedIDs.isEmpty }

    /// Makes instances through `factory` from now on, so that results are objects of the app's subclass.
    open func registerFactory(_ factory: ObjectFactory) { objectFactory = factory }

    /// Registers a factory and returns the type.
    open func withFactory(_ factory: ObjectFactory) -> EntityType {
        registerFactory(factory)
        return self
    }
}
