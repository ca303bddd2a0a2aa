import Foundation
import ODataModel

extension Bool: FieldValue {
    /// An `Edm.Boolean`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Bool {
        guard case .boolean(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a Bool")
        }
        return value
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.boolean(self)) }
}

extension FieldValue where Self: FixedWidthInteger {
    /// An integer of any size that fits.
    ///
    /// - Throws: `wrongType` for another type, and for a number beyond this one's range.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Self {
        guard case .integer(let value) = try stored.scalar(), let fitting = Self(exactly: value)
        else { throw StoredValue.mismatch("an integer that fits \(Self.self)") }
        return fitting
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.integer(Int64(clamping: self))) }
}

extension Int: OrderedFieldValue {}
extension Int64: OrderedFieldValue {}
extension Int32: OrderedFieldValue {}
extension Int16: OrderedFieldValue {}
extension Int8: OrderedFieldValue {}
extension UInt8: OrderedFieldValue {}

extension Double: OrderedFieldValue {
    /// An `Edm.Double` or `Edm.Single`; decimals are ``ExactDecimal``.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Double {
        guard case .double(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a Double")
        }
        return value
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.double(self)) }
}

extension String: OrderedFieldValue {
    /// An `Edm.String`, or the member names of an enumeration.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> String {
        switch (try stored.scalar(), stored.enumeration) {
        case (.string(let text), _): return text
        case (.integer(let value), let enumeration?): return enumeration.text(of: value)
        default: throw StoredValue.mismatch("a String")
        }
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.string(self)) }
}

extension UUID: OrderedFieldValue {
    /// An `Edm.Guid`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> UUID {
        guard case .guid(let value) = try stored.scalar(), let uuid = UUID(uuidString: "\(value)")
        else { throw StoredValue.mismatch("a UUID") }
        return uuid
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue {
        StoredValue(Guid(uuidString).map { .guid($0) } ?? .null)
    }
}

extension Data: FieldValue {
    /// An `Edm.Binary`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Data {
        guard case .binary(let bytes) = try stored.scalar() else {
            throw StoredValue.mismatch("Data")
        }
        return Data(bytes)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.binary(Array(self))) }
}

extension Duration: OrderedFieldValue {
    /// An `Edm.Duration`, which is exact to the picosecond.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Duration {
        guard case .duration(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a Duration")
        }
        return Duration(
            secondsComponent: value.seconds, attosecondsComponent: value.picoseconds * 1_000_000)
    }

    /// The value as the store takes it, rounded down to picoseconds.
    public var storedValue: StoredValue {
        let limit: Int64 = 1 << 62
        var (seconds, attoseconds) = components
        seconds = min(max(seconds, 1 - limit), limit)
        if attoseconds < 0 {
            seconds -= 1
            attoseconds += 1_000_000_000_000_000_000
        }
        let length = EdmDuration(seconds: seconds, picoseconds: attoseconds / 1_000_000)
        return StoredValue(.duration(length ?? .zero))
    }
}
