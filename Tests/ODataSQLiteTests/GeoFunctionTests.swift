import GRDB
import ODataSQLite
import Testing

@Suite struct GeoFunctionTests {
    private func value(_ sql: String) throws -> Double? {
        var configuration = Configuration()
        configuration.prepareDatabase { SQLFunctions.register(in: $0) }
        return try DatabaseQueue(configuration: configuration).read {
            try Double.fetchOne($0, sql: "SELECT " + sql)
        }
    }

    private static func point(_ x: Double, _ y: Double) -> String {
        "'{\"type\":\"Point\",\"coordinates\":[\(x),\(y)]}'"
    }

    private static let square =
        "'{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[4,0],[4,4],[0,4],[0,0]],"
        + "[[1,1],[2,1],[2,2],[1,2],[1,1]]]}'"

    @Test func distancesAreMetresOnTheEarthAndUnitsInThePlane() throws {
        let (berlin, munich) = (Self.point(13.4050, 52.5200), Self.point(11.5820, 48.1351))
        let metres = try #require(try value("_odata_geo_distance(\(berlin), \(munich), 1)"))
        #expect(abs(metres - 504_000) < 1_500)
        #expect(
            try value("_odata_geo_distance(\(Self.point(0, 0)), \(Self.point(3, 4)), 0)") == 5)
        #expect(try value("_odata_geo_distance(NULL, \(berlin), 1)") == nil)
        let line = "'{\"type\":\"LineString\",\"coordinates\":[[0,0],[3,4],[3,5]]}'"
        #expect(try value("_odata_geo_length(\(line), 0)") == 6)
    }

    @Test(arguments: [
        (3.0, 3.0, 1.0), (1.5, 1.5, 0), (5, 1, 0), (4, 2, 1), (1, 1.5, 1), (0, 0, 1),
    ])
    func pointsLieInPolygonsOnTheirEdgesButNotInHoles(x: Double, y: Double, is inside: Double)
        throws
    {
        #expect(
            try value("_odata_geo_intersects(\(Self.point(x, y)), \(Self.square), 0)") == inside)
    }

    @Test func distancesFilter() throws {
        let shop = try TripleViewTests.filled()
        let near = "geo.distance(geography'SRID=4326;Point(0 0)',geography'SRID=4326;Point(1 0)')"
        let url = "Customers?$filter=\(near)%20lt%20"
            .replacing(" ", with: "%20").replacing("'", with: "%27")
        #expect(try shop.ids(url + "111300.0").count == 7)
        #expect(try shop.ids(url + "111100.0").isEmpty)
    }
}
