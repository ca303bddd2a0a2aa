import ODataModel

/// A place or shape (`Edm.Geography…`, `Edm.Geometry…`) with its reference system.
///
/// Points are made of latitude and longitude; all other shapes of their well-known text.
public struct Geography: Sendable, Hashable, CustomStringConvertible {
    let value: GeoValue

    init(value: GeoValue) { self.value = value }

    /// A point on the globe (WGS 84).
    public init(latitude: Double, longitude: Double) {
        value = GeoValue(.point(GeoValue.Position(longitude, latitude)), srid: 4326)
    }

    /// Reads well-known text such as `SRID=4326;POINT(8.6 49.4)`; nil for another text.
    public init?(_ text: String) {
        guard let value = GeoValue(wkt: text) else { return nil }
        self.value = value
    }

    /// Latitude and longitude in degrees; nil for what is no point, and for the empty one.
    public var point: (latitude: Double, longitude: Double)? {
        guard case .point(let position?) = value.shape else { return nil }
        return (position.y, position.x)
    }

    /// Well-known text.
    public var description: String { value.wkt }
}

extension Geography: FieldValue {
    /// A value of any geographic or geometric type.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Geography {
        guard case .geo(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a Geography")
        }
        return Geography(value: value)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.geo(value)) }
}
