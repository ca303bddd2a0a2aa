import ODataSQL
import Testing

/// Dynamic properties, shapes and the type of each value, which only the row tells.
@Suite struct OpenTypeTests {
    private static let shapes: [Translation] = [
        .init(
            "geo.distance(Spot,geography'POINT(1 2)') lt 5",
            #"_odata_geo_distance("t0"."Spot", {{"type":"Point","coordinates":[1,2]}}, 1) < {5.0}"#,
            "refused: the function geo.distance."),
        .init(
            "geo.length(geography'LINESTRING(0 0,1 1)') gt 0",
            #"_odata_geo_length({{"type":"LineString","coordinates":[[0,0],[1,1]]}}, 1) > {0.0}"#,
            "refused: the function geo.length."),
        .init(
            "geo.intersects(Spot,geography'POLYGON((0 0,1 0,1 1,0 0))')",
            #"_odata_geo_intersects("t0"."Spot", {{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}, 1)"#,
            "refused: the function geo.intersects."),
        .init(
            "Spot eq null",
            #""t0"."Spot" IS NULL"#),
    ]

    private static let dynamicProperties: [Translation] = [
        .init(
            "Color eq 'red'",
            #"_odata_open_value({eq}, _odata_open("t0"."_odata_dynamic", {Color}), {String:red})"#,
            "refused: dynamic properties."),
        .init(
            "Color ne null",
            #"_odata_open("t0"."_odata_dynamic", {Color}) IS NOT NULL"#,
            "refused: dynamic properties."),
        .init(
            "Rank gt 5",
            #"_odata_open_value({gt}, _odata_open("t0"."_odata_dynamic", {Rank}), {Int64:5})"#,
            "refused: dynamic properties."),
        .init(
            "Rank add 1 gt 5",
            #"_odata_open_value({gt}, _odata_open_call({add}, _odata_open("t0"."_odata_dynamic", {Rank}), {Int64:1}), {Int64:5})"#,
            "refused: dynamic properties."),
        .init(
            "contains(Color,'r')",
            #"_odata_open_value({contains}, _odata_open("t0"."_odata_dynamic", {Color}), {String:r})"#,
            "refused: dynamic properties."),
        .init(
            "tolower(Color) eq 'x'",
            #"_odata_open_value({tolower}, _odata_open("t0"."_odata_dynamic", {Color})) = {x}"#,
            "refused: dynamic properties."),
        .init(
            "Color in ('a','b')",
            #"((_odata_open_value({eq}, _odata_open("t0"."_odata_dynamic", {Color}), {String:a})) OR (_odata_open_value({eq}, _odata_open("t0"."_odata_dynamic", {Color}), {String:b})))"#,
            "refused: dynamic properties."),
        .init(
            "Flag",
            #"_odata_open_value({truth}, _odata_open("t0"."_odata_dynamic", {Flag}))"#,
            "refused: dynamic properties."),
        .init(
            "not Flag",
            #"NOT (_odata_open_value({truth}, _odata_open("t0"."_odata_dynamic", {Flag})))"#,
            "refused: dynamic properties."),
        .init(
            "cast(Rank,Edm.Int32) gt 5",
            #"_odata_open_value({cast Edm.Int32}, _odata_open("t0"."_odata_dynamic", {Rank})) > {5}"#,
            "refused: dynamic properties."),
        .init(
            "isof(Rank,Edm.Int32)",
            #"coalesce(_odata_open_value({isof Edm.Int32}, _odata_open("t0"."_odata_dynamic", {Rank})), 0)"#,
            "refused: dynamic properties."),
        .init(
            "Deep/Inner eq 1",
            #"_odata_open_value({eq}, _odata_open("t0"."_odata_dynamic", {Deep}, {Inner}), {Int64:1})"#,
            "refused: dynamic properties."),
        .init(
            "Color eq ID",
            #"_odata_open_value({eq}, _odata_open("t0"."_odata_dynamic", {Color}), ('String:' || "t0"."ID"))"#,
            "refused: dynamic properties."),
    ]

    private static let ordered: [Translation] = [
        .init(
            "Nodes?$orderby=Rank desc",
            #""Nodes" AS "t0" ORDER BY _odata_open_order(_odata_open("t0"."_odata_dynamic", {Rank})) DESC, "t0"."ID""#,
            "refused: dynamic properties.")
    ]

    @Test(arguments: shapes)
    func shapesAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.condition($0, $1, of: "Nodes", in: tree) }
    }

    @Test(arguments: dynamicProperties)
    func dynamicPropertiesAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.condition($0, $1, of: "Nodes", in: tree) }
    }

    @Test(arguments: ordered)
    func orderedAreTranslated(_ one: Translation) throws {
        let tree = try Tree.graph()
        try one.expect { try Compiled.rows($0, $1, in: tree) }
    }
}
