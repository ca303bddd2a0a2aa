public import Foundation
import ODataModel

// Typed reads and writes of a property's value in a structure. A read of a missing value and a write of a value that
// the property cannot have are programming errors and trap; the optional forms read nil instead.

extension Property {
    /// The text that a structure holds for the property; traps where there is none.
    public func stringValue(from source: StructureBase) -> String {
        source.plainText(self).required({ $0 }) {
            StringValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The text that a structure holds for the property; nil where there is none.
    public func optionalString(from source: StructureBase) -> String? {
        source.plainText(self).optional({ $0 }) {
            StringValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the text of the property in a structure.
    public func setStringValue(in target: StructureBase, to value: String) {
        target.setDataValue(for: self, to: StringValue.of(value))
    }

    /// Sets the text of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalString(in target: StructureBase, to value: String?) {
        target.setOptionalValue(for: self, to: StringValue.of(optional: value))
    }

    /// The bytes that a structure holds for the property; traps where there is none.
    public func binaryValue(from source: StructureBase) -> Data {
        BinaryValue.unwrap(source.requiredValue(for: self))
    }

    /// The bytes that a structure holds for the property; nil where there is none.
    public func optionalBinary(from source: StructureBase) -> Data? {
        BinaryValue.optional(source.optionalValue(for: self))
    }

    /// Sets the bytes of the property in a structure.
    public func setBinaryValue(in target: StructureBase, to value: Data) {
        target.setDataValue(for: self, to: BinaryValue.of(value))
    }

    /// Sets the bytes of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalBinary(in target: StructureBase, to value: Data?) {
        target.setOptionalValue(for: self, to: BinaryValue.of(optional: value))
    }

    /// The truth value that a structure holds for the property; traps where there is none.
    public func booleanValue(from source: StructureBase) -> Bool {
        source.plainBoolean(self).required({ $0 }) {
            BooleanValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The truth value that a structure holds for the property; nil where there is none.
    public func optionalBoolean(from source: StructureBase) -> Bool? {
        source.plainBoolean(self).optional({ $0 }) {
            BooleanValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the truth value of the property in a structure.
    public func setBooleanValue(in target: StructureBase, to value: Bool) {
        target.setDataValue(for: self, to: BooleanValue.of(value))
    }

    /// Sets the truth value of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalBoolean(in target: StructureBase, to value: Bool?) {
        target.setOptionalValue(for: self, to: BooleanValue.of(optional: value))
    }

    /// The 8-bit integer that a structure holds for the property; traps where there is none.
    public func byteValue(from source: StructureBase) -> Int {
        source.plainInteger(self).required({ Int(exactly: $0) }) {
            ByteValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The 8-bit integer that a structure holds for the property; nil where there is none.
    public func optionalByte(from source: StructureBase) -> Int? {
        source.plainInteger(self).optional({ Int(exactly: $0) }) {
            ByteValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the 8-bit integer of the property in a structure.
    public func setByteValue(in target: StructureBase, to value: Int) {
        target.setDataValue(for: self, to: ByteValue.of(value))
    }

    /// Sets the 8-bit integer of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalByte(in target: StructureBase, to value: Int?) {
        target.setOptionalValue(for: self, to: ByteValue.of(optional: value))
    }

    /// The 16-bit integer that a structure holds for the property; traps where there is none.
    public func shortValue(from source: StructureBase) -> Int {
        source.plainInteger(self).required({ Int(exactly: $0) }) {
            ShortValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The 16-bit integer that a structure holds for the property; nil where there is none.
    public func optionalShort(from source: StructureBase) -> Int? {
        source.plainInteger(self).optional({ Int(exactly: $0) }) {
            ShortValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the 16-bit integer of the property in a structure.
    public func setShortValue(in target: StructureBase, to value: Int) {
        target.setDataValue(for: self, to: ShortValue.of(value))
    }

    /// Sets the 16-bit integer of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalShort(in target: StructureBase, to value: Int?) {
        target.setOptionalValue(for: self, to: ShortValue.of(optional: value))
    }

    /// The 32-bit integer that a structure holds for the property; traps where there is none.
    public func intValue(from source: StructureBase) -> Int {
        source.plainInteger(self).required({ Int(exactly: $0) }) {
            IntValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The 32-bit integer that a structure holds for the property; nil where there is none.
    public func optionalInt(from source: StructureBase) -> Int? {
        source.plainInteger(self).optional({ Int(exactly: $0) }) {
            IntValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the 32-bit integer of the property in a structure.
    public func setIntValue(in target: StructureBase, to value: Int) {
        target.setDataValue(for: self, to: IntValue.of(value))
    }

    /// Sets the 32-bit integer of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalInt(in target: StructureBase, to value: Int?) {
        target.setOptionalValue(for: self, to: IntValue.of(optional: value))
    }

    /// The 64-bit integer that a structure holds for the property; traps where there is none.
    public func longValue(from source: StructureBase) -> Int64 {
        source.plainInteger(self).required({ $0 }) {
            LongValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The 64-bit integer that a structure holds for the property; nil where there is none.
    public func optionalLong(from source: StructureBase) -> Int64? {
        source.plainInteger(self).optional({ $0 }) {
            LongValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the 64-bit integer of the property in a structure.
    public func setLongValue(in target: StructureBase, to value: Int64) {
        target.setDataValue(for: self, to: LongValue.of(value))
    }

    /// Sets the 64-bit integer of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalLong(in target: StructureBase, to value: Int64?) {
        target.setOptionalValue(for: self, to: LongValue.of(optional: value))
    }

    /// The unsigned 8-bit integer that a structure holds for the property; traps where there is none.
    public func unsignedByte(from source: StructureBase) -> Int {
        source.plainInteger(self).required({ Int(exactly: $0) }) {
            UnsignedByte.unwrap(source.requiredValue(for: self))
        }
    }

    /// The unsigned 8-bit integer that a structure holds for the property; nil where there is none.
    public func optionalUnsignedByte(from source: StructureBase) -> Int? {
        source.plainInteger(self).optional({ Int(exactly: $0) }) {
            UnsignedByte.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the unsigned 8-bit integer of the property in a structure.
    public func setUnsignedByte(in target: StructureBase, to value: Int) {
        target.setDataValue(for: self, to: UnsignedByte.of(value))
    }

    /// Sets the unsigned 8-bit integer of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalUnsignedByte(in target: StructureBase, to value: Int?) {
        target.setOptionalValue(for: self, to: UnsignedByte.of(optional: value))
    }

    /// The whole number that a structure holds for the property; traps where there is none.
    public func integerValue(from source: StructureBase) -> BigInteger {
        IntegerValue.unwrap(source.requiredValue(for: self))
    }

    /// The whole number that a structure holds for the property; nil where there is none.
    public func optionalInteger(from source: StructureBase) -> BigInteger? {
        IntegerValue.optional(source.optionalValue(for: self))
    }

    /// Sets the whole number of the property in a structure.
    public func setIntegerValue(in target: StructureBase, to value: BigInteger) {
        target.setDataValue(for: self, to: IntegerValue.of(value))
    }

    /// Sets the whole number of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalInteger(in target: StructureBase, to value: BigInteger?) {
        target.setOptionalValue(for: self, to: IntegerValue.of(optional: value))
    }

    /// The decimal number that a structure holds for the property; traps where there is none.
    public func decimalValue(from source: StructureBase) -> BigDecimal {
        source.plainDecimal(self).required({ BigDecimal($0) }) {
            DecimalValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The decimal number that a structure holds for the property; nil where there is none.
    public func optionalDecimal(from source: StructureBase) -> BigDecimal? {
        source.plainDecimal(self).optional({ BigDecimal($0) }) {
            DecimalValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the decimal number of the property in a structure.
    public func setDecimalValue(in target: StructureBase, to value: BigDecimal) {
        target.setDataValue(for: self, to: DecimalValue.of(value))
    }

    /// Sets the decimal number of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalDecimal(in target: StructureBase, to value: BigDecimal?) {
        target.setOptionalValue(for: self, to: DecimalValue.of(optional: value))
    }

    /// The float that a structure holds for the property; traps where there is none.
    public func floatValue(from source: StructureBase) -> Float {
        source.plainReal(self).required({ Float($0) }) {
            FloatValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The float that a structure holds for the property; nil where there is none.
    public func optionalFloat(from source: StructureBase) -> Float? {
        source.plainReal(self).optional({ Float($0) }) {
            FloatValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the float of the property in a structure.
    public func setFloatValue(in target: StructureBase, to value: Float) {
        target.setDataValue(for: self, to: FloatValue.of(value))
    }

    /// Sets the float of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalFloat(in target: StructureBase, to value: Float?) {
        target.setOptionalValue(for: self, to: FloatValue.of(optional: value))
    }

    /// The double that a structure holds for the property; traps where there is none.
    public func doubleValue(from source: StructureBase) -> Double {
        source.plainReal(self).required({ isSingle ? Double(Float($0)) : $0 }) {
            DoubleValue.unwrap(source.requiredValue(for: self))
        }
    }

    /// The double that a structure holds for the property; nil where there is none.
    public func optionalDouble(from source: StructureBase) -> Double? {
        source.plainReal(self).optional({ isSingle ? Double(Float($0)) : $0 }) {
            DoubleValue.optional(source.optionalValue(for: self))
        }
    }

    /// Sets the double of the property in a structure.
    public func setDoubleValue(in target: StructureBase, to value: Double) {
        target.setDataValue(for: self, to: DoubleValue.of(value))
    }

    /// Sets the double of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalDouble(in target: StructureBase, to value: Double?) {
        target.setOptionalValue(for: self, to: DoubleValue.of(optional: value))
    }

    private var isSingle: Bool { definition.type.primitive == .single }
}
