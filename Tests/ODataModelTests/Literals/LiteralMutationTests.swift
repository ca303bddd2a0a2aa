import ErrorFixture
import ODataModel
import ODataText
import Testing

/// Mutated and random texts of values: each is read or refused, and what is read is written and read again.
@Suite struct LiteralMutationTests {
    private static let seeds = [
        "12.50M", "-9007199254740993", "1.5E+10", "-INF", "NaN", "64L", "2.5f", "true", "null",
        "2031-05-01", "08:30:00.123456789012", "2031-05-01T08:30:00.5+02:00",
        "datetime'2031-05-01T08:30:00'", "datetimeoffset'2031-05-01T08:30:00Z'",
        "time'PT8H30M'", "-P1DT2H3M4.5S", "duration'P1D'",
        "guid'01234567-89ab-cdef-0123-456789abcdef'",
        "01234567-89ab-cdef-0123-456789abcdef", "'O''Hara'", "X'00ff'", "binary'AP8='",
        "SRID=4326;Point(8.6 49.3)", "geography'SRID=0;LineString(1 2,3 4 5 6)'",
        "Polygon((0 0,0 9,9 9,0 0),(1 1,1 2,2 2,1 1))", "MultiPolygon(((0 0,0 1,1 1,0 0)))",
        "geometry'Collection(Point(1 2),MultiPoint((1 2),(3 4)),Collection(Point EMPTY))'",
        "MultiLineString M ((1 2 3,4 5 6))",
        #"{"type":"Point","coordinates":[1,2.5],"crs":{"type":"name","properties":{"name":"EPSG:4326"}}}"#,
        #"{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[0,0],[0,1],[1,1],[0,0]]]}]}"#,
    ].map { Array($0.utf8) }

    private static let words = [
        "(", ")", ",", "'", ";", " ", "-", ".", "e9", "99999999999999999999", "SRID=", "EMPTY",
        "Collection(", "T", "P", "Z", "[", "]", "{", "null", "\u{0}", "ä",
    ].map { Array($0.utf8) }

    private static func text(_ random: inout SeededGenerator) -> String {
        var bytes: [UInt8] = []
        if random.below(8) == 0 {
            for _ in 0..<random.below(12) { bytes += words[random.below(words.count)] }
        } else {
            bytes = seeds[random.below(seeds.count)]
            for _ in 0...random.below(3) {
                let place = random.below(bytes.count + 1)
                switch random.below(4) {
                case 0 where place < bytes.count: bytes[place] = UInt8(random.below(256))
                case 1:
                    bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(4)))
                default: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 1...6) func literalsAreReadOrRefused(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var found = 0
        for _ in 0..<1_500 {
            let text = Self.text(&random)
            for type in PrimitiveType.allCases {
                if let scalar = Lexical.scalar(text, as: type) {
                    found += 1
                    let written = Lexical.text(scalar, as: type)
                    let again = Lexical.scalar(written, as: type)
                    #expect(
                        again.map { Lexical.text($0, as: type) } == written,
                        "\(type) from \(text)")
                }
                for dialect in [Dialect.v2, .v4, .v401] {
                    guard let scalar = Literal.scalar(text, as: type, dialect: dialect) else {
                        continue
                    }
                    let written = Literal.text(scalar, as: type, dialect: dialect)
                    #expect(
                        Literal.scalar(written, as: type, dialect: dialect) != nil,
                        "\(type) from \(text)")
                }
            }
        }
        #expect(found > 1_000)
    }

    @Test(arguments: 1...3) func shapesAreReadOrRefused(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &* 77)
        var found = 0
        for _ in 0..<4_000 {
            let text = Self.text(&random)
            for shape in [GeoValue(wkt: text), try? GeoValue(geoJSON: text)].compactMap({ $0 }) {
                found += 1
                #expect(GeoValue(wkt: shape.wkt)?.wkt == shape.wkt, "\(text)")
            }
        }
        #expect(found > 20)
    }

    @Test func nestedShapesAreBounded() {
        let levels = 100_000
        let wkt = String(repeating: "Collection(", count: levels)
        #expect(GeoValue(wkt: wkt + String(repeating: ")", count: levels)) == nil)
        let json = String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: levels)
        #expect(
            failure { try GeoValue(geoJSON: json) } == Failure(.limitExceeded, at: .offset(2753)))
    }
}
