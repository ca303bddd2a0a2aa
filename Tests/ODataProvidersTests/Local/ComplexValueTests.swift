import Foundation
import SAPOData
import ODataModel
import ODataQuery
import Testing

/// Nested complex values, collections of complex values and of primitives: in the file, in queries, through changes.
@Suite struct ComplexValueTests {
    private static let schema = """
        <ComplexType Name="Place"><Property Name="Lat" Type="Edm.Double"/>
          <Property Name="Lon" Type="Edm.Double"/></ComplexType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
          <Property Name="Place" Type="Demo.Place"/></ComplexType>
        <ComplexType Name="Line"><Property Name="Text" Type="Edm.String"/>
          <Property Name="Qty" Type="Edm.Int32"/><Property Name="At" Type="Demo.Place"/></ComplexType>
        <EntityType Name="Site"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Home" Type="Demo.Address"/>
          <Property Name="Tags" Type="Collection(Edm.String)"/>
          <Property Name="Lines" Type="Collection(Demo.Line)"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Sites" EntityType="Demo.Site"/></EntityContainer>
        """

    private static func complex(
        _ place: LocalPlace, _ type: String, _ values: [String: String?]
    ) throws -> ComplexValue {
        let value = ComplexValue.ofType(
            place.provider.metadata.complexType(withName: "Demo." + type))
        try place.fill(value, values)
        return value
    }

    private static func site(
        _ place: LocalPlace, _ id: Int, city: String?, lat: String?, tags: [String],
        lines: [(String, Int)]
    ) throws -> EntityValue {
        let site = try place.new("Sites", ["Id": "\(id)"])
        if let city {
            let home = try complex(place, "Address", ["City": city])
            if let lat {
                let inner = try complex(place, "Place", ["Lat": lat, "Lon": nil])
                place.property(home, "Place").setComplexValue(in: home, to: inner)
            }
            place.property(site, "Home").setComplexValue(in: site, to: home)
        } else {
            place.property(site, "Home").setOptionalComplex(in: site, to: nil)
        }
        let list = ComplexValueList()
        for (text, quantity) in lines {
            let line = try complex(place, "Line", ["Text": text, "Qty": "\(quantity)"])
            place.property(line, "At").setComplexValue(
                in: line, to: try complex(place, "Place", ["Lat": "\(quantity).5"]))
            list.append(line)
        }
        place.property(site, "Lines").setComplexList(in: site, to: list)
        place.property(site, "Tags").setBasicList(in: site, to: StringList.fromArray(tags))
        return site
    }

    private static func fill(_ place: LocalPlace) throws {
        try place.service.createEntity(
            site(
                place, 1, city: "Ulm", lat: "48.4", tags: ["a", "b"], lines: [("x", 1), ("y", 5)]))
        try place.service.createEntity(
            site(place, 2, city: "Bonn", lat: nil, tags: [], lines: []))
        try place.service.createEntity(
            site(place, 3, city: nil, lat: nil, tags: ["b", "c\u{0}d"], lines: [("x", 9)]))
    }

    @Test func theyStandInColumnsAndInJSON() async throws {
        try await LocalPlace.run(Self.schema) { place in
            try Self.fill(place)
            #expect(
                try place.rows(
                    "SELECT Id, Home, \"Home/City\", \"Home/Place\", \"Home/Place/Lat\", Tags"
                        + " FROM Sites ORDER BY Id") == [
                        "1|1|Ulm|1|48.4|[\"a\",\"b\"]", "2|1|Bonn|-|-|[]",
                        "3|-|-|-|-|[\"b\",\"c\\u0000d\"]",
                    ])
            #expect(
                try place.rows(
                    "SELECT json_extract(Lines, '$[1].Qty') || ' ' || json_extract(Lines, '$[1].At.Lat')"
                        + " FROM Sites WHERE Id = 1") == ["5 5.5"])
            let questions = [
                ("Home/City eq 'Ulm'", "1"), ("Home/Place/Lat gt 40", "1"),
                ("Home eq null", "3"), ("Home ne null and Home/Place eq null", "2"),
                ("Home/Place/Lat eq null", "23"), ("Tags/any(t:t eq 'b')", "13"),
                ("Tags/all(t:t ne 'a')", "23"), ("Tags/$count eq 2", "13"),
                ("not Tags/any()", "2"), ("Lines/any(l:l/Qty gt 4)", "13"),
                ("Lines/any(l:l/Qty gt 4 and l/Text eq 'y')", "1"),
                ("Lines/all(l:l/Qty gt 4)", "23"), ("Lines/any(l:l/At/Lat gt 9)", "3"),
                ("Lines/$count($filter=Qty gt 1) eq 1", "13"),
            ]
            for (filter, ids) in questions {
                let found = try place.values("Sites?$filter=\(filter)&$orderby=Id", "Id").joined()
                #expect(found == ids, "\(filter)")
            }
            #expect(
                try place.values("Sites?$orderby=Home/Place/Lat desc,Home/City desc", "Id") == [
                    "1", "2", "3",
                ])
        }
    }

    @Test func theyChangeAndComeBack() async throws {
        try await LocalPlace.run(Self.schema) { place in
            try Self.fill(place)
            let one = try place.entity("Sites(1)")
            try place.update(one, ["Home/Place/Lat": "1.5", "Home/City": nil])
            #expect(
                try place.rows(
                    "SELECT Home, \"Home/City\", \"Home/Place/Lat\" FROM Sites WHERE Id = 1")
                    == ["1|-|1.5"])
            // A null in the place of a complex value empties its columns.
            let again = try place.entity("Sites(1)")
            place.property(again, "Home").setOptionalComplex(in: again, to: nil)
            place.property(again, "Lines").setComplexList(in: again, to: ComplexValueList())
            place.property(again, "Tags").setBasicList(
                in: again, to: StringList.fromArray(["z\u{0}", "\u{1F}"]))
            try place.service.updateEntity(again)
            #expect(
                try place.rows(
                    "SELECT Home, \"Home/City\", \"Home/Place/Lat\", Lines FROM Sites WHERE Id = 1")
                    == ["-|-|-|[]"])
            let read = try place.entity("Sites(1)")
            #expect(place.property(read, "Home").optionalComplex(from: read) == nil)
            #expect(
                StringList.share(place.property(read, "Tags").basicList(from: read)).toArray()
                    == ["z\u{0}", "\u{1F}"])
            // And a value in the place of a null.
            let three = try place.entity("Sites(3)")
            place.property(three, "Home").setComplexValue(
                in: three, to: try Self.complex(place, "Address", ["City": "Linz"]))
            try place.service.updateEntity(three)
            #expect(try place.values("Sites?$filter=Home/City eq 'Linz'", "Id") == ["3"])
        }
    }
}
