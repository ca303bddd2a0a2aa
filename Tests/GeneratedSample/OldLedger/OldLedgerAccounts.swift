// odata-generate: OldLedger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Database.Accounts`.
open class OldLedgerAccounts: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = OldLedgerMetadataParser.document.entityType(withName: "Database.Accounts")
        static let region = Mutex(_owner.property(withName: "Region"))
        static let number = Mutex(_owner.property(withName: "Number"))
        static let name = Mutex(_owner.property(withName: "Name"))
        static let entries = Mutex(_owner.property(withName: "Entries"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: OldLedgerMetadata.EntityTypes.accounts, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [OldLedgerAccounts] {
        ArrayConverter.convert(from.toArray(), [OldLedgerAccounts]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> OldLedgerAccounts {
        CastRequired<OldLedgerAccounts>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: OldLedgerAccounts {
        CastRequired<OldLedgerAccounts>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(region: String?, number: Int64?) -> EntityKey {
        EntityKey().with(name: "Region", value: StringValue.of(optional: region)).with(name: "Number", value: LongValue.of(optional: number))
    }

    /// The property `Region` in metadata and queries.
    open class var region: Property {
        get { Kept.region.withLock { $0 } }
        set(value) { Kept.region.withLock { $0 = value } }
    }

    /// `Region`.
    open var region: String? {
        get { StringValue.optional(optionalValue(for: OldLedgerAccounts.region)) }
        set(value) { setOptionalValue(for: OldLedgerAccounts.region, to: StringValue.of(optional: value)) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: Int64? {
        get { LongValue.optional(optionalValue(for: OldLedgerAccounts.number)) }
        set(value) { setOptionalValue(for: OldLedgerAccounts.number, to: LongValue.of(optional: value)) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: OldLedgerAccounts.name)) }
        set(value) { setOptionalValue(for: OldLedgerAccounts.name, to: StringValue.of(optional: value)) }
    }

    /// The property `Entries` in metadata and queries.
    open class var entries: Property {
        get { Kept.entries.withLock { $0 } }
        set(value) { Kept.entries.withLock { $0 = value } }
    }

    /// `Entries`.
    open var entries: [OldLedgerEntries] {
        get { OldLedgerEntries.array(from: OldLedgerAccounts.entries.entityList(from: self)) }
        set(value) { OldLedgerAccounts.entries.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
