import ODataModel
import Synchronization

/// A complex or entity type of a document (CSDL 4.01, sections 6 and 9).
open class StructureType: DataType, @unchecked Sendable {
    // `linked` is written once while the document is built; app settings are behind `settings`.
    package final let model: MetadataModel
    /// Where the type stands in the graph.
    package final let structureID: StructureID
    /// Kept here, since each object of a type asks for its base types.
    private final let baseID: StructureID?
    private final var linked: [Property] = []
    private final let settings = Mutex(Settings())

    private struct Settings: Sendable {
        var canBeRemoved = false
    }

    package init(_ model: MetadataModel, _ id: StructureID, code: Int) {
        self.model = model
        structureID = id
        baseID = model.graph[id].baseID
        super.init(name: model.graph[id].qualifiedName, code: code)
    }

    /// The definition in the frozen graph.
    // By its place: a subscript of another module would be given a copy of the graph.
    package final var definition: StructureDefinition { model.graph.structures[structureID.index] }

    /// All properties, inherited ones first; the index is the slot.
    package final var properties: [Property] { linked }

    func link(_ properties: [Property]) { linked = properties }

    /// The property with this name; nil when there is none.
    package final func property(named name: String) -> Property? {
        model.graph.structures[structureID.index].slot(named: name).map { linked[$0] }
    }

    /// The name without its schema.
    open var localName: String { definition.name }

    /// The name with its schema.
    open var qualifiedName: String { definition.qualifiedName }

    /// The property with this name. A name that the type does not have is a programming error and traps; use
    /// ``propertyMap`` where absence is possible.
    open func property(withName name: String) -> Property {
        guard let property = property(named: name) else {
            preconditionFailure("Expected a property of \(qualifiedName), found the name \(name).")
        }
        return property
    }

    /// True for types that have no instances of their own (CSDL 4.01, section 6.2).
    open var isAbstract: Bool { definition.isAbstract }

    /// True when instances may have properties that the type does not declare (CSDL 4.01, section 6.3).
    open var isOpenType: Bool { definition.isOpen }

    /// True for types added by an app beside the service's own.
    open var isExtension: Bool { false }

    /// True for types made up for a result that the document does not describe.
    open var isInferred: Bool { false }

    /// True when a refresh of metadata found the type gone.
    open var isRemoved: Bool { model.isRemoved("type " + qualifiedName) }

    /// Whether a refresh of metadata may remove the type.
    open var canBeRemoved: Bool {
        get { settings.withLock { $0.canBeRemoved } }
        set { settings.withLock { $0.canBeRemoved = newValue } }
    }

    /// What makes instances of a registered subclass; nil until one is registered. It holds for the type of this name in
    /// every document that a service uses.
    open var objectFactory: ObjectFactory? {
        get { model.classes.factory(of: name) }
        set { model.classes.register(newValue, for: name) }
    }

    /// The base type; nil when there is none in the document.
    open override var baseType: DataType? { baseID.map { model[$0] } }

    /// True when the type is `other` or inherits from it; types of two documents are told by their names.
    package final func isA(_ other: StructureType) -> Bool {
        if self === other { return true }
        if model === other.model { return model.graph.isA(structureID, other.structureID) }
        var current: StructureType? = self
        while let type = current {
            if type.name == other.name { return true }
            current = type.baseType as? StructureType
        }
        return other.definition.isEntityBase && definition.kind == .entity
    }
}
