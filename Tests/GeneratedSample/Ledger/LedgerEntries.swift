// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Database.Entries`.
open class LedgerEntries: EntityValue, Identifiable, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = LedgerMetadataParser.document.entityType(withName: "Database.Entries")
        static let region = Mutex(_owner.property(withName: "Region"))
        static let number = Mutex(_owner.property(withName: "Number"))
        static let line = Mutex(_owner.property(withName: "Line"))
        static let amount = Mutex(_owner.property(withName: "Amount"))
        static let accounts = Mutex(_owner.property(withName: "Accounts"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: LedgerMetadata.EntityTypes.entries, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: EntityValueList) -> [LedgerEntries] {
        ArrayConverter.convert(from.toArray(), [LedgerEntries]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> LedgerEntries {
        CastRequired<LedgerEntries>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: LedgerEntries {
        CastRequired<LedgerEntries>.from(oldEntity)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The key of an entity with these values.
    open class func key(region: String?, number: Int64?, line: Int64?) -> EntityKey {
        EntityKey().with(name: "Region", value: StringValue.of(optional: region)).with(name: "Number", value: LongValue.of(optional: number)).with(name: "Line", value: LongValue.of(optional: line))
    }

    /// The property `Region` in metadata and queries.
    open class var region: Property {
        get { Kept.region.withLock { $0 } }
        set(value) { Kept.region.withLock { $0 = value } }
    }

    /// `Region`.
    open var region: String? {
        get { StringValue.optional(optionalValue(for: LedgerEntries.region)) }
        set(value) { setOptionalValue(for: LedgerEntries.region, to: StringValue.of(optional: value)) }
    }

    /// The property `Number` in metadata and queries.
    open class var number: Property {
        get { Kept.number.withLock { $0 } }
        set(value) { Kept.number.withLock { $0 = value } }
    }

    /// `Number`.
    open var number: Int64? {
        get { LongValue.optional(optionalValue(for: LedgerEntries.number)) }
        set(value) { setOptionalValue(for: LedgerEntries.number, to: LongValue.of(optional: value)) }
    }

    /// The property `Line` in metadata and queries.
    open class var line: Property {
        get { Kept.line.withLock { $0 } }
        set(value) { Kept.line.withLock { $0 = value } }
    }

    /// `Line`.
    open var line: Int64? {
        get { LongValue.optional(optionalValue(for: LedgerEntries.line)) }
        set(value) { setOptionalValue(for: LedgerEntries.line, to: LongValue.of(optional: value)) }
    }

    /// The property `Amount` in metadata and queries.
    open class var amount: Property {
        get { Kept.amount.withLock { $0 } }
        set(value) { Kept.amount.withLock { $0 = value } }
    }

    /// `Amount`.
    open var amount: BigDecimal? {
        get { DecimalValue.optional(optionalValue(for: LedgerEntries.amount)) }
        set(value) { setOptionalValue(for: LedgerEntries.amount, to: DecimalValue.of(optional: value)) }
    }

    /// The property `Accounts` in metadata and queries.
    open class var accounts: Property {
        get { Kept.accounts.withLock { $0 } }
        set(value) { Kept.accounts.withLock { $0 = value } }
    }

    /// `Accounts`.
    open var accounts: LedgerAccounts? {
        get { CastOptional<LedgerAccounts>.from(optionalValue(for: LedgerEntries.accounts)) }
        set(value) { setOptionalValue(for: LedgerEntries.accounts, to: value) }
    }

}
