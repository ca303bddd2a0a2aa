import ODataModel
import Synchronization

/// An enumeration type (CSDL 4.01, section 10).
open class EnumType: DataType, @unchecked Sendable {
    package final let model: MetadataModel
    /// Where the type stands in the graph.
    package final let enumerationID: EnumerationID
    private final let removable = Mutex(false)
    private final let removableMembers = Mutex<Set<Int64>>([])
    /// The declared members, one object each; written once while the document is built.
    package private(set) final var members: [EnumValue] = []

    package init(_ model: MetadataModel, _ id: EnumerationID) {
        self.model = model
        enumerationID = id
        super.init(name: model.graph[id].qualifiedName, code: DataType.enumValue)
    }

    final func link() {
        members = definition.members.map { EnumValue(self, $0.value) }
    }

    /// The definition in the graph.
    package final var definition: EnumerationDefinition { model.graph[enumerationID] }

    /// The name without its schema.
    open var localName: String { definition.name }

    /// The name with its schema.
    open var qualifiedName: String { definition.qualifiedName }

    /// True when values may combine members (CSDL 4.01, section 10.2).
    open var isFlags: Bool { definition.isFlags }

    /// The integer type that values are kept in.
    open var derivedFrom: DataType { BasicType.of(definition.underlyingType) }

    /// The integer type that values are kept in.
    open override var baseType: DataType? { derivedFrom }

    /// True when a refresh of metadata found the type gone.
    open var isRemoved: Bool { model.isRemoved("type " + qualifiedName) }

    /// Whether a refresh of metadata may remove the type.
    open var canBeRemoved: Bool {
        get { removable.withLock { $0 } }
        set { removable.withLock { $0 = newValue } }
    }

    /// Whether a refresh of metadata may remove the member with this number.
    final func canBeRemoved(_ value: Int64) -> Bool {
        removableMembers.withLock { $0.contains(value) }
    }

    final func setCanBeRemoved(_ value: Int64, to isRemovable: Bool) {
        removableMembers.withLock { members in
            if isRemovable {
                members.insert(value)
            } else {
                members.remove(value)
            }
        }
    }
}
