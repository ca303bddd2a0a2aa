import GRDB
import ODataModel
import ODataText

/// `geo.distance`, `geo.length` and `geo.intersects` of shapes in GeoJSON; the last argument is 1 on the earth and 0 in
/// a plane. Each gives null for null and for shapes that it cannot answer for.
enum GeoFunctions {
    static let all = [distance, intersects, length]

    private static func shape(_ value: DatabaseValue) -> GeoValue? {
        String.fromDatabaseValue(value).flatMap { try? GeoValue(geoJSON: $0) }
    }

    private static func isGeography(_ value: DatabaseValue) -> Bool {
        Int64.fromDatabaseValue(value) == 1
    }

    private static let distance = SQLFunction(
        "_odata_geo_distance", argumentCount: 3
    ) { values in
        guard let a = shape(values[0]), let b = shape(values[1]) else { return nil }
        return a.distance(to: b, isGeography: isGeography(values[2]))
    }

    private static let length = SQLFunction(
        "_odata_geo_length", argumentCount: 2
    ) { values in
        shape(values[0])?.length(isGeography: isGeography(values[1]))
    }

    private static let intersects = SQLFunction(
        "_odata_geo_intersects", argumentCount: 3
    ) { values in
        guard let a = shape(values[0]), let b = shape(values[1]) else { return nil }
        return a.intersects(b, isGeography: isGeography(values[2]))
    }
}
