// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The entity type `Ws.PowerTool`.
open class OldPowerTool: OldTool, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = OldWorkshopMetadataParser.document.entityType(withName: "Ws.PowerTool")
        static let watts = Mutex(_owner.property(withName: "Watts"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public override init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: OldWorkshopMetadata.EntityTypes.powerTool, withIndexMap: withIndexMap)
    }

    /// A copy that shares nothing with this one.
    open override func copy() -> OldPowerTool {
        CastRequired<OldPowerTool>.from(copyEntity())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open override var old: OldPowerTool {
        CastRequired<OldPowerTool>.from(oldEntity)
    }

    /// The property `Watts` in metadata and queries.
    open class var watts: Property {
        get { Kept.watts.withLock { $0 } }
        set(value) { Kept.watts.withLock { $0 = value } }
    }

    /// `Watts`.
    open var watts: Int? {
        get { IntValue.optional(optionalValue(for: OldPowerTool.watts)) }
        set(value) { setOptionalValue(for: OldPowerTool.watts, to: IntValue.of(optional: value)) }
    }

}
