import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

/// Shapes in Atom payloads (Atom Format 4.0, section 7.1).
@Suite struct GMLTests {
    private func read(_ gml: String, as type: PrimitiveType) throws -> String? {
        let text = """
            <d:P xmlns:d="http://docs.oasis-open.org/odata/ns/data" \
            xmlns:gml="http://www.opengis.net/gml">\(gml)</d:P>
            """
        let value = try AtomReader(Workshop.v4).property(
            Array(text.utf8), as: TypeReference(.primitive(type)))
        guard case .geo(let shape)? = value.scalar else { return nil }
        return shape.wkt
    }

    @Test(arguments: [
        (
            #"<gml:Point srsName="http://www.opengis.net/def/crs/EPSG/0/4326"><gml:pos>46.889 -71.2</gml:pos></gml:Point>"#,
            PrimitiveType.geographyPoint, "SRID=4326;Point(-71.2 46.889)"
        ),
        ("<gml:Point><gml:pos>1 2 3 4</gml:pos></gml:Point>", .geometryPoint, "Point(1 2 3 4)"),
        ("<gml:Point><gml:pos/></gml:Point>", .geography, "Point EMPTY"),
        (
            "<gml:LineString><gml:pos>1 2</gml:pos>\n<gml:pos>3 4</gml:pos></gml:LineString>",
            .geographyLineString, "LineString(2 1,4 3)"
        ),
        (
            #"<gml:LineString><gml:posList srsDimension="3">1 2 3 4 5 6</gml:posList></gml:LineString>"#,
            .geometryLineString, "LineString(1 2 3,4 5 6)"
        ),
        (
            "<gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>0 0 0 9 9 9 0 0</gml:posList></gml:LinearRing></gml:exterior>"
                + "<gml:interior><gml:LinearRing><gml:posList>1 1 1 2 2 2 1 1</gml:posList></gml:LinearRing></gml:interior></gml:Polygon>",
            .geometryPolygon, "Polygon((0 0,0 9,9 9,0 0),(1 1,1 2,2 2,1 1))"
        ),
        (
            "<gml:MultiPoint><gml:pointMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point>"
                + "<gml:Point><gml:pos>3 4</gml:pos></gml:Point></gml:pointMembers></gml:MultiPoint>",
            .geographyMultiPoint, "MultiPoint((2 1),(4 3))"
        ),
        (
            "<gml:MultiCurve><gml:curveMember><gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString></gml:curveMember></gml:MultiCurve>",
            .geometryMultiLineString, "MultiLineString((1 2,3 4))"
        ),
        (
            "<gml:MultiSurface><gml:surfaceMembers><gml:Polygon><gml:exterior><gml:LinearRing><gml:posList>0 0 0 9 9 9 0 0</gml:posList>"
                + "</gml:LinearRing></gml:exterior></gml:Polygon></gml:surfaceMembers></gml:MultiSurface>",
            .geometryMultiPolygon, "MultiPolygon(((0 0,0 9,9 9,0 0)))"
        ),
        (
            "<gml:MultiGeometry><gml:geometryMembers><gml:Point><gml:pos>1 2</gml:pos></gml:Point>"
                + "<gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString></gml:geometryMembers></gml:MultiGeometry>",
            .geometryCollection, "Collection(Point(1 2),LineString(1 2,3 4))"
        ),
    ])
    func shapesAreRead(gml: String, type: PrimitiveType, wkt: String) throws {
        #expect(try read(gml, as: type) == wkt)
    }

    @Test(arguments: [
        ("<gml:Point><gml:pos>1</gml:pos></gml:Point>", "Expected two to four coordinates in GML."),
        ("<gml:Point><gml:pos>1 x</gml:pos></gml:Point>", "Expected numbers in GML."),
        ("<gml:Point><gml:pos>1 INF</gml:pos></gml:Point>", "Expected numbers in GML."),
        (
            "<gml:Point><gml:pos>1 2</gml:pos><gml:pos>1 2</gml:pos></gml:Point>",
            "Expected one position in GML."
        ),
        ("<gml:Circle/>", "Expected a shape of GML in GML."),
        (
            #"<gml:Point srsName="urn:none"><gml:pos>1 2</gml:pos></gml:Point>"#,
            "Expected the number of a reference system in GML."
        ),
        (
            "<gml:LineString><gml:posList>1 2 3 4</gml:posList></gml:LineString>",
            "Expected a shape that is an Edm.GeographyPoint."
        ),
        (
            "<gml:Point><gml:pos>1 2</gml:pos></gml:Point><gml:Point><gml:pos>1 2</gml:pos></gml:Point>",
            "Expected one shape, found 2."
        ),
    ])
    func whatIsNoPointIsRefused(gml: String, sentence: String) {
        #expect(
            failure { try read(gml, as: .geographyPoint) } == Failure(.invalidValue, sentence))
    }

    @Test func nestedCollectionsAreBounded() {
        let levels = GeoValue.maximumDepth + 1
        let gml =
            String(repeating: "<gml:MultiGeometry><gml:geometryMember>", count: levels)
            + String(repeating: "</gml:geometryMember></gml:MultiGeometry>", count: levels)
        #expect(
            failure { try read(gml, as: .geometryCollection) }
                == Failure(.limitExceeded, "Expected shapes nested at most 32 levels."))
    }

    @Test func aShapeInAnEntryIsTheValueOfItsProperty() throws {
        let entry = """
            <entry xmlns="http://www.w3.org/2005/Atom" \
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
            xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">\
            <content type="application/xml"><m:properties><d:Id m:type="Edm.Int32">7</d:Id>\
            <d:Place m:type="Edm.GeographyPoint"><gml:Point xmlns:gml="http://www.opengis.net/gml">\
            <gml:pos>52.5 13.4</gml:pos></gml:Point></d:Place></m:properties></content></entry>
            """
        let value = try AtomReader(Workshop.v4).entity(Array(entry.utf8), of: Workshop.tool)
        let place = try #require(
            Workshop.v4[value.type].slot(named: "Place").flatMap { value.slots[$0] })
        guard case .geo(let shape)? = place.scalar else {
            Issue.record("Expected a shape.")
            return
        }
        #expect(shape.wkt == "Point(13.4 52.5)")
    }
}
