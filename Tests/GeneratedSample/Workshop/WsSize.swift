// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The complex type `Ws.Size`.
open class WsSize: ComplexValue, @unchecked Sendable {
    // The objects of the properties; a refresh of metadata puts others in their place.
    private enum Kept {
        static let _owner = WorkshopMetadataParser.document.complexType(withName: "Ws.Size")
        static let height = Mutex(_owner.property(withName: "Height"))
    }

    /// Reads the encoded form; `userInfo[CSDLDocument.csdlInfoKey]` must hold the document.
    public required init(from decoder: any Decoder) throws {
        try super.init(from: decoder)
    }

    /// Creates a new one; with defaults, unset properties read as theirs.
    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: WorkshopMetadata.ComplexTypes.size, withIndexMap: withIndexMap)
    }

    /// The values of a list, which must be of this class.
    open class func array(from: ComplexValueList) -> [WsSize] {
        ArrayConverter.convert(from.toArray(), [WsSize]())
    }

    /// A copy that shares nothing with this one.
    open func copy() -> WsSize {
        CastRequired<WsSize>.from(copyComplex())
    }

    /// The values before the changes of the app; traps where none were loaded or remembered.
    open var old: WsSize {
        CastRequired<WsSize>.from(oldComplex)
    }

    /// True: the class is generated.
    open override var isProxy: Bool { true }

    /// The property `Height` in metadata and queries.
    open class var height: Property {
        get { Kept.height.withLock { $0 } }
        set(value) { Kept.height.withLock { $0 = value } }
    }

    /// `Height`.
    open var height: Int? {
        get { IntValue.optional(optionalValue(for: WsSize.height)) }
        set(value) { setOptionalValue(for: WsSize.height, to: IntValue.of(optional: value)) }
    }

}
