import Foundation
import ODataModel
import ODataText

/// A sequence of bytes (`Edm.Binary`).
open class BinaryValue: DataValue, ScalarWrapper, @unchecked Sendable {
    /// The wrapped value.
    public final let value: Data

    /// Wraps a value.
    public required init(_ value: Data) {
        self.value = value
        super.init()
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.binary }

    package final var scalar: Scalar { .binary([UInt8](value)) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// Base64 in the alphabet for URLs.
    open override func toString() -> String { Base64.text([UInt8](value)) }

    /// The bytes of a binary value.
    public static func plain(from value: DataValue) -> Data? {
        if case .binary(let bytes) = value.scalarValue() { Data(bytes) } else { nil }
    }

    /// No bytes.
    public static let empty = BinaryValue(Data())
}
