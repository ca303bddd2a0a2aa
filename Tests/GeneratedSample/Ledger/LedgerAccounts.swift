// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Database.Accounts`.
open class LedgerAccounts: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = LedgerMetadataParser.document.entityType(withName: "Database.Accounts")
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
        super.init(withDefaults: withDefaults, type: LedgerMetadata.EntityTypes.accounts, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [LedgerAccounts] {
        ArrayConverter.convert(from.toArray(), [LedgerAccounts]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> LedgerAccounts {
        CastRequired<LedgerAccounts>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: LedgerAccounts {
        CastRequired<LedgerAccounts>.from(oldEntity)
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
        get { StringValue.optional(optionalValue(for: LedgerAccounts.region)) }
        set(value) { setOptionalValue(for: LedgerAccounts.region, to: StringValue.of(optional: value)) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: Int64? {
        get { LongValue.optional(optionalValue(for: LedgerAccounts.number)) }
        set(value) { setOptionalValue(for: LedgerAccounts.number, to: LongValue.of(optional: value)) }
    }

    /// The property `Name` in metadata and queries.
    open class var name: Property {
        get { Kept.name.withLock { $0 } }
        set(value) { Kept.name.withLock { $0 = value } }
    }

    /// `Name`.
    open var name: String? {
        get { StringValue.optional(optionalValue(for: LedgerAccounts.name)) }
        set(value) { setOptionalValue(for: LedgerAccounts.name, to: StringValue.of(optional: value)) }
    }

    /// The property `Entries` in metadata and queries.
    open class var entries: Property {
        get { Kept.entries.withLock { $0 } }
        set(value) { Kept.entries.withLock { $0 = value } }
    }

    /// `Entries`.
    open var entries: [LedgerEntries] {
        get { LedgerEntries.array(from: LedgerAccounts.entries.entityList(from: self)) }
        set(value) { LedgerAccounts.entries.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]()))) }
    }

}
