import ErrorFixture
import ODataModel
import ODataText
import Testing

@Suite struct GeoValueTests {
    private static let noShape = Failure(.invalidValue, "Expected a GeoJSON shape.")

    @Test(arguments: [
        ("SRID=4326;Point(8.6 49.3)", #""type":"Point","coordinates":[8.6,49.3]"#),
        (
            "LineString(142.1 64.1,3.14 2.78)",
            #""type":"LineString","coordinates":[[142.1,64.1],[3.14,2.78]]"#
        ),
        (
            "Polygon((1 1,1 1),(1 1,2 2,3 3,1 1))",
            #""type":"Polygon","coordinates":[[[1,1],[1,1]],[[1,1],[2,2],[3,3],[1,1]]]"#
        ),
        (
            "MultiPoint((142.1 64.1),(1 2))",
            #""type":"MultiPoint","coordinates":[[142.1,64.1],[1,2]]"#
        ),
        ("MultiPoint()", #""type":"MultiPoint","coordinates":[]"#),
        (
            "MultiLineString((1 2,3 4),(5 6,7 8))",
            #""type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]"#
        ),
        (
            "MultiPolygon(((1 1,1 1),(1 1,2 2,3 3,1 1)))",
            #""type":"MultiPolygon","coordinates":[[[[1,1],[1,1]],[[1,1],[2,2],[3,3],[1,1]]]]"#
        ),
        (
            "Collection(Point(1 2 3),LineString(1 2,3 4))",
            #""type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2,3]},{"type":"LineString","coordinates":[[1,2],[3,4]]}]"#
        ),
        ("Point(1 2 3 4)", #""type":"Point","coordinates":[1,2,3,4]"#),
    ])
    func shapesReadAndWriteBothForms(wkt: String, json: String) throws {
        let value = try #require(GeoValue(wkt: wkt))
        #expect(value.wkt == wkt)
        let crs =
            value.srid == nil
            ? "" : #","crs":{"type":"name","properties":{"name":"EPSG:4326"}}"#
        #expect(value.geoJSON == "{\(json)\(crs)}")
        #expect(try GeoValue(geoJSON: value.geoJSON) == value)
    }

    @Test(arguments: [
        ("POINT (1 2)", "Point(1 2)"), ("point z(1 2 3)", "Point(1 2 3)"),
        ("POINT M (1 2 3)", "Point M (1 2 3)"),
        ("MULTIPOINT (1 2, 3 4)", "MultiPoint((1 2),(3 4))"), ("POINT EMPTY", "Point EMPTY"),
        ("GEOMETRYCOLLECTION (POINT (1 2))", "Collection(Point(1 2))"),
        ("Point(1e2 -0.5)", "Point(100 -0.5)"),
    ])
    func otherSpellingsOfWellKnownTextRead(text: String, canonical: String) throws {
        #expect(try #require(GeoValue(wkt: text)).wkt == canonical)
    }

    @Test(arguments: [
        "", "Point", "Point()", "Point(1)", "Point(1 2", "Point(1 2,3 4)", "Point(1 2 3 4 5)",
        "SRID=;Point(1 2)",
        "SRID=4326 Point(1 2)", "Circle(1 2)", "Point(a b)", "Point(1 2) x",
        String(repeating: "Collection(", count: 100) + String(repeating: ")", count: 100),
    ])
    func malformedWellKnownTextIsRefused(text: String) {
        #expect(GeoValue(wkt: text) == nil)
    }

    @Test(arguments: [
        ("", Failure(.malformedText, at: .offset(0))), ("[]", noShape), ("{}", noShape),
        (#"{"type":"Point"}"#, noShape), (#"{"type":"Point","coordinates":[1]}"#, noShape),
        (#"{"type":"Point","coordinates":["1","2"]}"#, noShape),
        (#"{"type":"Line","coordinates":[]}"#, noShape),
        (
            #"{"type":"Point","coordinates":[1,2],"crs":{"properties":{"name":"local"}}}"#,
            Failure(
                .invalidValue, "Expected the EPSG code of a reference system, found a name.")
        ),
    ])
    func malformedGeoJSONIsRefused(text: String, refused: Failure) {
        #expect(failure { try GeoValue(geoJSON: text) } == refused)
    }
}
