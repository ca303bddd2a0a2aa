import ODataClasses
import ODataModel
import Testing

/// The shapes of the API, from text and to text.
@Suite struct GeospatialTests {
    @Test func pointsHaveCoordinates() throws {
        let point = GeographyPoint.withLatitudeLongitude(49.3, 8.6)
        #expect(point.toString() == "Point(8.6 49.3)")
        #expect(point.formatWKT() == "SRID=4326;Point(8.6 49.3)")
        #expect(point.coordinates.toArray() == [8.6, 49.3])
        #expect(point.srsCode == 4326)
        let flat = GeometryPoint.withXYZM(1, 2, 3, 4)
        #expect(flat.coordinates.z == 3)
        #expect(flat.coordinates.measure == 4)
        #expect(flat.srsCode == 0)
        #expect(GeographyPoint.withXYM(1, 2, 4).coordinates.altitude.isNaN)
        #expect(GeometryPoint.parse(#"{"type":"Point","coordinates":[1,2]}"#)?.x == 1)
        #expect(GeometryPoint.parseWKT("SRID=5;Point(1 2)")?.srsCode == 5)
        #expect(GeographyPoint.parseWKT("Point(1 2)", sridRequired: true) == nil)
    }

    @Test(arguments: [
        ("Point(8.6 49.3)", DataType.geographyPoint),
        ("LineString(1 2,3 4)", DataType.geographyLineString),
        ("Polygon((0 0,4 0,4 4,0 0))", DataType.geographyPolygon),
        ("MultiPoint((1 2),(3 4))", DataType.geographyMultiPoint),
        ("MultiLineString((1 2,3 4),(5 6,7 8))", DataType.geographyMultiLineString),
        ("MultiPolygon(((0 0,4 0,4 4,0 0)))", DataType.geographyMultiPolygon),
        ("Collection(Point(1 2),LineString(1 2,3 4))", DataType.geographyCollection),
    ])
    func everyShapeHasItsClassInBothFamilies(_ wkt: String, _ code: Int) throws {
        let value = try #require(
            GeospatialValue.parseAnyWKT(wkt, type: BasicType.geographyValue))
        #expect(value is GeographyValue)
        #expect(value.dataType.code == code)
        #expect(value.toString() == wkt)
        let again = GeospatialValue.parseAny(value.toGeoJSON(), type: DataType.forCode(code))
        #expect(again == value)
        #expect(again?.hashValue == value.hashValue)
        let flat = try #require(GeospatialValue.parseAnyWKT(wkt, type: BasicType.geometryValue))
        #expect(flat is GeometryValue)
        let other =
            code == DataType.geographyPoint ? BasicType.geographyPolygon : BasicType.geographyPoint
        #expect(GeospatialValue.parseAnyWKT(wkt, type: other) == nil)
    }

    @Test func coordinatesMakeShapes() {
        let line = LineStringCoordinates.fromArray([
            .withXY(0, 0), .withXY(4, 0), .withXY(4, 4), .withXY(0, 0),
        ])
        #expect(
            GeographyLineString.withCoordinates(line).toString() == "LineString(0 0,4 0,4 4,0 0)")
        let polygon = GeometryPolygon.withCoordinates([line])
        #expect(polygon.toString() == "Polygon((0 0,4 0,4 4,0 0))")
        #expect(polygon.coordinates.length == 1)
        #expect(polygon.coordinates[0][1].x == 4)
        #expect(
            GeographyMultiPolygon.withCoordinates([[line]]).toString()
                == "MultiPolygon(((0 0,4 0,4 4,0 0)))")
        #expect(
            GeometryMultiPoint.withCoordinates([.withXY(1, 2)]).toString() == "MultiPoint((1 2))")
        let collection = GeographyCollection.withValues([GeographyPoint.withXY(1, 2)])
        #expect(collection.values.length == 1)
        #expect(collection.values[0] is GeographyPoint)
    }

    @Test func distancesAndOverlapsAreMeasured() throws {
        let first = try #require(GeoValue(wkt: "Point(0 0)"))
        let second = try #require(GeoValue(wkt: "Point(3 4)"))
        #expect(first.distance(to: second, isGeography: false) == 5)
        let third = try #require(GeoValue(wkt: "Point(1 0)"))
        let metres = try #require(first.distance(to: third, isGeography: true))
        #expect(abs(metres - 111_195.08) < 1)
        let line = try #require(GeoValue(wkt: "LineString(0 0,3 4,3 5)"))
        #expect(line.length(isGeography: false) == 6)
        let ring = try #require(
            GeoValue(wkt: "Polygon((0 0,9 0,9 9,0 9,0 0),(2 2,4 2,4 4,2 4,2 2))"))
        for (text, isInside) in [
            ("Point(1 1)", true), ("Point(3 3)", false), ("Point(2 3)", true), ("Point(9 5)", true),
            ("Point(10 5)", false), ("Point EMPTY", false),
        ] {
            let point = try #require(GeoValue(wkt: text))
            #expect(point.intersects(ring, isGeography: false) == isInside, "\(text)")
        }
        #expect(line.intersects(ring, isGeography: false) == nil)
    }

    @Test func theReferenceSystemOfTheTypeIsTheSameWrittenOrNot() throws {
        let plain = GeographyPoint.withLatitudeLongitude(50, 8)
        let written = try #require(GeographyPoint.parseWKT(plain.formatWKT()))
        #expect(plain == written)
        #expect(plain.hashValue == written.hashValue)
        #expect(plain != GeographyPoint.parseWKT("SRID=4258;Point(8 50)"))
        #expect(plain as DataValue != GeometryPoint.withXY(8, 50))
        #expect(GeometryPoint.withXY(1, 2) == GeometryPoint.parseWKT("SRID=0;Point(1 2)"))
    }
}
