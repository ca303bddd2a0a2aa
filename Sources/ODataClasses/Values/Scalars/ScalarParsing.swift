import ODataModel

// What apps read of a text field: the lexical form of XML Schema, nil for other text and for numbers out of the range of the type.

extension ScalarWrapper {
    fileprivate static func parsed(_ text: String, as type: PrimitiveType) -> Self? {
        Lexical.scalar(text, as: type).flatMap { DataValue.of($0, type) }
            .flatMap { plain(from: $0) }.map { Self($0) }
    }
}

extension BooleanValue {
    /// Reads `true` or `false`; nil for other text.
    public static func parse(_ text: String) -> BooleanValue? { parsed(text, as: .boolean) }
}

extension ByteValue {
    /// Reads a whole number from -128 to 127; nil for other text.
    public static func parse(_ text: String) -> ByteValue? { parsed(text, as: .sbyte) }
}

extension UnsignedByte {
    /// Reads a whole number from 0 to 255; nil for other text.
    public static func parse(_ text: String) -> UnsignedByte? { parsed(text, as: .byte) }
}

extension ShortValue {
    /// Reads a whole number of 16 bits; nil for other text.
    public static func parse(_ text: String) -> ShortValue? { parsed(text, as: .int16) }
}

extension IntValue {
    /// Reads a whole number of 32 bits; nil for other text.
    public static func parse(_ text: String) -> IntValue? { parsed(text, as: .int32) }
}

extension LongValue {
    /// Reads a whole number of 64 bits; nil for other text.
    public static func parse(_ text: String) -> LongValue? { parsed(text, as: .int64) }
}

extension IntegerValue {
    /// Reads a whole number of any length; nil for other text.
    public static func parse(_ text: String) -> IntegerValue? {
        BigInteger.parse(text).map { of($0) }
    }
}

extension DecimalValue {
    /// Reads a decimal number; nil for other text.
    public static func parse(_ text: String) -> DecimalValue? {
        BigDecimal.parse(text).map { of($0) }
    }
}

extension FloatValue {
    /// Reads a number; nil for other text.
    public static func parse(_ text: String) -> FloatValue? { parsed(text, as: .single) }
}

extension DoubleValue {
    /// Reads a number; nil for other text.
    public static func parse(_ text: String) -> DoubleValue? { parsed(text, as: .double) }
}

extension BinaryValue {
    /// Reads Base64; nil for other text.
    public static func parse(_ text: String) -> BinaryValue? { parsed(text, as: .binary) }
}

extension StringValue {
    /// The text itself.
    public static func parse(_ text: String) -> StringValue? { of(text) }
}
