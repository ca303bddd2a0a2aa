import ODataModel
import ODataText

/// The base of complex and entity values: a typed set of properties.
///
/// Values live in compact storage, a row of a result or an own array; value objects are made when a property is read.
/// Structures and lists read from a property stay attached: changing them changes the property. An instance is not
/// shared between threads while it changes.
open class StructureBase: DataValue, StructureCodable, @unchecked Sendable {
    // Confined: one thread at a time changes a structure, as callers promise. What each read of a property looks at is
    // never passed `inout` while other code runs, so it goes without the check for that.

    /// The row that holds the values until the first write.
    @exclusivity(unchecked) final private(set) var row: HeldRow
    /// The values from then on; nil before.
    @exclusivity(unchecked) private final var own: StructureStorage?
    @exclusivity(unchecked) package final private(set) var typeObject: StructureType
    /// Structures and lists that were read from or assigned to a property, by slot.
    @exclusivity(unchecked) final var children = AttachedValues()
    final var detailsIfAny: StructureDetails?
    /// Unset properties read as their defaults instead of trapping: true for structures that an app created so.
    package final var readsDefaults: Bool
    /// True while the value is being put together, to end cycles of structures.
    final var isFolding = false

    init(_ storage: StructureStorage, _ type: StructureType, readsDefaults: Bool) {
        row = HeldRow(storage)
        own = row.isRow ? nil : storage
        typeObject = type
        self.readsDefaults = readsDefaults
        super.init()
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document. What classes that can be decoded
    /// call in the initialiser of their own; the decoder is optional so that they need not have one (see ``StructureCodable``).
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public init(from decoder: (any Decoder)?) throws {
        let decoded = try StructureCoding.decode(StructureCoding.present(decoder))
        row = .none
        own = .value(decoded.value)
        typeObject = decoded.type
        readsDefaults = false
        super.init()
    }

    /// Writes type, links and all set properties.
    ///
    /// - Throws: What the encoder says.
    open func encode(to encoder: any Encoder) throws {
        try StructureCoding.encode(structureValue, typeObject.model, to: encoder)
    }

    /// The type of the value.
    open override var dataType: DataType { typeObject }

    /// The type of the value.
    open var structureType: StructureType { typeObject }

    /// True when the value's type is `type` or derives from it.
    open func hasDataType(_ type: DataType) -> Bool {
        guard let other = type as? StructureType else { return false }
        return typeObject.isA(other)
    }

    /// True for instances of generated classes.
    open var isProxy: Bool { false }

    /// A copy of the structural properties that shares nothing mutable with this value.
    open func copyStructure() -> StructureBase {
        StructureBase(.value(structuralCopy()), typeObject, readsDefaults: readsDefaults)
    }

    /// The same as ``copyStructure()``.
    open override func copyMutable() -> DataValue { copyStructure() }

    /// JSON text of the set properties.
    open override func toString() -> String {
        StructureText.object(structureValue, typeObject.model).text
    }

    /// Equal when type and all set properties are.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? StructureBase else { return false }
        guard self !== other else { return true }
        let (left, right) = (structureValue, other.structureValue)
        return typeObject.qualifiedName == other.typeObject.qualifiedName
            && left.slots == right.slots && left.dynamicValues == right.dynamicValues
    }

    /// Hashes the type.
    open override func hash(into hasher: inout Hasher) {
        hasher.combine(typeObject.qualifiedName)
    }
}

extension StructureBase {
    /// The row or array that holds the values, without what ``children`` hold.
    package final var storage: StructureStorage {
        get { own ?? row.storage }
        set {
            row = HeldRow(newValue)
            own = row.isRow ? nil : newValue
        }
    }

    final var details: StructureDetails {
        if let detailsIfAny { return detailsIfAny }
        let made = StructureDetails()
        detailsIfAny = made
        return made
    }

    /// The store's row identifier; nil for values that are not from a store.
    package final var localID: Int64? {
        get { detailsIfAny?.localID ?? storage.localID }
        set { details.localID = newValue }
    }

    /// Links, ETag and the like.
    package final var control: ControlInformation {
        get { storage.control }
        set { mutate { $0.control = newValue } }
    }

    /// A snapshot of everything, attached structures and lists included; setting replaces everything.
    package final var structureValue: StructureValue {
        get {
            guard !isFolding else { return StructureValue(type: typeObject.structureID, slots: []) }
            isFolding = true
            defer { isFolding = false }
            var value = storage.structureValue
            for (slot, child) in children.all where isAssigned(slot, child) {
                value.setSlot(slot, child.odataValue())
            }
            if let dynamic = detailsIfAny?.dynamicProperties {
                value.dynamicValues = dynamic.entries().reduce(into: [:]) {
                    $0[$1.key] = $1.value.odataValue()
                }
            }
            return value
        }
        set {
            keepLocalID()
            adopt(.value(newValue))
        }
    }

    /// Replaces all values; attached structures and lists are let go.
    package final func adopt(_ storage: StructureStorage, _ type: StructureType? = nil) {
        self.storage = storage
        if let type { typeObject = type }
        children = AttachedValues()
        detailsIfAny?.dynamicProperties = nil
        detailsIfAny?.streamLinks = [:]
        detailsIfAny?.mediaStream = nil
    }

    /// Changes the own values, detached from the row they came from.
    final func mutate(_ change: (inout StructureValue) -> Void) {
        keepLocalID()
        keepSnapshot()
        if own == nil {
            own = row.storage
            row = .none
        }
        own?.update(change)
    }

    /// The row that an entity came from stays what its changes are compared with, once it is detached from it.
    private func keepSnapshot() {
        guard case .chunk = storage, self is EntityValue, detailsIfAny?.oldStorage == nil else {
            return
        }
        details.oldStorage = storage
    }

    private func keepLocalID() {
        if let id = storage.localID, detailsIfAny?.localID == nil { details.localID = id }
    }

    /// The structural properties only, deeply copied by value.
    final func structuralCopy() -> StructureValue {
        var value = structureValue
        for property in typeObject.properties where property.isNavigation {
            value.setSlot(property.slot, nil)
        }
        return value
    }

    /// False for an empty list or structure that was only handed out in place of an unset property.
    final func isAssigned(_ slot: Int, _ child: DataValue) -> Bool {
        if storage.isSet(slot: slot) { return true }
        if let list = child as? ListBase { return !list.isEmpty }
        if let structure = child as? StructureBase { return !structure.isBlank }
        return true
    }

    /// True when no property is set.
    private var isBlank: Bool {
        guard !isFolding else { return false }
        return structureValue.slots.allSatisfy { $0 == nil }
    }
}

extension StructureValue {
    /// Sets a slot, with room made where the value has fewer slots than its type.
    package mutating func setSlot(_ slot: Int, _ value: ODataValue?) {
        while slots.count <= slot { slots.append(nil) }
        slots[slot] = value
    }
}
