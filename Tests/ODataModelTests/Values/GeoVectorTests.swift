import ODataModel
import Testing

/// Distances and overlaps on the earth against vectors made with Python's `math` in other ways: distances as angles of
/// vectors, points in polygons in the gnomonic projection from a place in the polygon, which makes great circles straight.
@Suite struct GeoVectorTests {
    @Test(arguments: distances)
    func distancesAreThoseOfASphere(
        _ x: Double, _ y: Double, _ u: Double, _ v: Double, _ metres: Double
    ) throws {
        let first = GeoValue(.point(GeoValue.Position(x, y)))
        let second = GeoValue(.point(GeoValue.Position(u, v)))
        let found = try #require(first.distance(to: second, isGeography: true))
        // Near the opposite of a place the formula loses half of the digits.
        #expect(abs(found - metres) <= max(1e-9 * metres, metres > 2e7 ? 0.2 : 1e-8))
        #expect(second.distance(to: first, isGeography: true) == found)
    }

    @Test(arguments: overlaps)
    func pointsLieInPolygonsOfGreatCircles(
        ring: String, points: [(Double, Double, Bool)]
    ) throws {
        let polygon = try #require(GeoValue(wkt: "Polygon(\(ring))"))
        guard case .polygon(let rings) = polygon.shape else {
            Issue.record("Expected a polygon, found \(polygon.shape).")
            return
        }
        let reversed = GeoValue(.polygon(rings.map { $0.reversed() }))
        for (x, y, isInside) in points {
            let point = GeoValue(.point(GeoValue.Position(x, y)))
            #expect(point.intersects(polygon, isGeography: true) == isInside, "\(x) \(y)")
            #expect(reversed.intersects(point, isGeography: true) == isInside, "\(x) \(y)")
        }
    }

    @Test func bordersBelongToPolygonsAndHolesDoNot() throws {
        let polygon = try #require(
            GeoValue(
                wkt: "Polygon((170 -10,-170 -10,-170 10,170 10,170 -10),"
                    + "(178 -2,178 2,-178 2,-178 -2,178 -2))"))
        for (x, y, isInside) in [
            (170.0, 0.0, true), (-170, 3, true), (180, 0, false), (-180, 1, false), (178, 0, true),
            (175, 0, true), (-175, 5, true), (0, 0, false), (170, -10, true), (-10, 0, false),
            // Between two places of one latitude a great circle runs nearer to the pole.
            (180, 10.05, true), (180, 10.2, false),
        ] {
            let point = GeoValue(.point(GeoValue.Position(x, y)))
            #expect(point.intersects(polygon, isGeography: true) == isInside, "\(x) \(y)")
        }
        let cap = try #require(GeoValue(wkt: "Polygon((0 70,90 70,180 70,-90 70,0 70))"))
        let pole = GeoValue(.point(GeoValue.Position(33, 90)))
        #expect(pole.intersects(cap, isGeography: true) == true)
        #expect(pole.intersects(cap, isGeography: false) == false)
        let line = try #require(GeoValue(wkt: "LineString(0 0,0 20,30 20)"))
        let on = GeoValue(.point(GeoValue.Position(0, 7)))
        #expect(on.intersects(line, isGeography: true) == true)
        #expect(pole.intersects(line, isGeography: true) == false)
        #expect(line.intersects(cap, isGeography: true) == nil)
    }

    private static let distances: [(Double, Double, Double, Double, Double)] = [
        (13.405, 52.52, 11.582, 48.1351, 504416.0281285082),
        (0, 0, 0, 0, 0.0),
        (0, 0, 180, 0, 20015114.442035925),
        (0, 90, 77, -90, 20015114.442035925),
        (179.5, 10, -179.5, 10, 109505.73519924385),
        (10, 89.9, -170, 89.9, 22239.016046705976),
        (0, 0, 1e-05, 0, 1.111950802335329),
        (-0.1257, 51.5085, 151.2093, -33.8688, 16993770.338174805),
        (2.3522, 48.8566, -74.006, 40.7128, 5837248.966566375),
        (30, 60, 30, 60.0001, 11.119508024887567),
        (-63.4202, -62.8471, 54.3364, -76.9615, 3894602.5115621984),
        (12.9175, -24.176, -159.1204, 1.3384, 17335036.825961143),
        (-166.5016, -11.9438, -154.852, -73.6717, 6904755.2875201935),
        (-27.1731, 58.8334, -135.4313, -49.817, 15491454.222194515),
        (45.876, 80.5876, 27.7571, -18.5975, 11078530.167033033),
        (171.4518, -81.6151, 129.0486, -37.8703, 5135692.907330926),
    ]

    private static let overlaps: [(ring: String, points: [(Double, Double, Bool)])] = [
        (
            "(0.741344 0.262, 0.145555 0.874694, -0.467614 0.390016, "
                + "-0.552197 -0.252252, -0.306035 -0.61946, 0.743554 -0.611518, "
                + "0.741344 0.262)",
            [
                (-0.132757, -0.34075, true),
                (0.156874, -0.085834, true),
                (-0.367115, 0.539707, false),
                (0.364844, -0.46917, true),
                (0.136453, 0.046197, true),
                (0.687768, 0.420642, false),
                (180, 0, false),
            ]
        ),
        (
            "(-149.615371 -21.857025, -169.496045 -32.548098, 151.620541 -19.226483, "
                + "139.605232 13.70663, 156.783018 35.807577, -155.234263 29.683647, "
                + "-152.974218 8.788657, -149.615371 -21.857025)",
            [
                (-154.591012, -31.932655, false),
                (146.966209, -17.14991, false),
                (-162.501641, -33.57593, false),
                (-159.702837, -15.945309, true),
                (-172.89112, 16.053191, true),
                (175.029221, 19.049839, true),
                (0, 0, false),
            ]
        ),
        (
            "(-179.6991 52.002567, 179.751549 52.998286, 178.560652 52.814406, "
                + "177.988718 52.247112, 177.852981 51.623179, 179.220281 51.280768, "
                + "179.708044 51.51809, -179.6991 52.002567)",
            [
                (178.792665, 52.091894, true),
                (179.627129, 52.890197, true),
                (179.541489, 51.779551, true),
                (178.211682, 51.232815, false),
                (177.954882, 52.286019, false),
                (177.527252, 52.597892, false),
                (-1, -52, false),
            ]
        ),
        (
            "(-115.688475 46.908973, 170.388284 53.93333, 103.293129 48.980241, "
                + "45.082074 50.392814, -29.85263 45.721935, -80.541122 47.089437, "
                + "-115.688475 46.908973)",
            [
                (-68.218201, 52.095403, true),
                (-149.822322, 79.316309, true),
                (99.899037, 80.242388, true),
                (162.162577, 62.524555, true),
                (-96.984095, 52.000727, true),
                (75.520948, 57.194683, true),
                (180, -90, false),
            ]
        ),
        (
            "(66.567675 -88.221483, 31.785294 -88.409411, 5.068136 -88.912593, "
                + "66.14017 -89.749824, 91.870354 -89.03659, 66.567675 -88.221483)",
            [
                (0.660256, -88.653183, false),
                (68.190029, -88.264642, false),
                (94.400219, -89.320491, false),
                (-3.036624, -89.580876, false),
                (11.885257, -88.661322, false),
                (152.649484, -89.811733, false),
                (-135, 89, false),
            ]
        ),
        (
            "(-74.211231 39.680525, -74.345039 39.128329, -75.615974 39.092176, "
                + "-75.97542 39.46011, -76.196812 40.202294, -75.844845 40.570827, "
                + "-75.241588 40.863828, -74.491691 40.583509, -73.996014 40.112918, "
                + "-74.211231 39.680525)",
            [
                (-75.622071, 39.816248, true),
                (-74.279855, 39.447606, true),
                (-75.017384, 40.423529, true),
                (-73.819141, 40.525888, false),
                (-75.065899, 39.438308, true),
                (-74.749408, 39.714228, true),
                (105, -40, false),
            ]
        ),
        (
            "(156.436457 -6.972725, 135.839778 0.302016, 107.579729 4.77996, "
                + "79.444912 -12.99531, 85.981978 -43.579785, 106.32861 -72.040839, "
                + "175.200382 -44.611396, 156.436457 -6.972725)",
            [
                (143.145211, -10.307143, true),
                (116.399177, -60.170882, true),
                (153.735957, -42.726561, true),
                (141.064277, 3.770929, false),
                (107.515913, -41.285554, true),
                (154.644124, -10.936304, true),
                (-60, 33, false),
            ]
        ),
        (
            "(-119.886217 -65.721859, 101.943845 -86.790425, 112.472478 -50.622099, "
                + "148.686627 -32.866236, -160.38574 -22.819911, -141.244422 -24.195147, "
                + "-119.886217 -65.721859)",
            [
                (-133.195264, -35.83372, false),
                (-177.787561, -25.23062, false),
                (174.043918, -29.124249, false),
                (-100.806421, -64.163325, false),
                (118.224894, -66.403292, true),
                (146.184902, -46.890196, true),
                (0, 60, false),
            ]
        ),
    ]
}
