import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import Testing

/// U+0000 in texts, which JSON can bring: it is a character like others, in the file and in every function.
@Suite struct ZeroCharacterTests {
    private static let schema = """
        <EntityType Name="Word"><Key><PropertyRef Name="Code"/></Key>
          <Property Name="Code" Type="Edm.String" Nullable="false"/>
          <Property Name="Text" Type="Edm.String"/>
          <Property Name="Other" Type="Edm.String"/>
          <NavigationProperty Name="Next" Type="Demo.Word">
            <ReferentialConstraint Property="Other" ReferencedProperty="Code"/></NavigationProperty>
        </EntityType>
        <EntityContainer Name="C"><EntitySet Name="Words" EntityType="Demo.Word">
          <NavigationPropertyBinding Path="Next" Target="Words"/></EntitySet></EntityContainer>
        """

    private static func place(_ place: LocalPlace) throws -> (text: Property, code: Property) {
        for (code, text) in [
            ("1", "Ab\u{0}Cd"), ("2", "Ab"), ("3", "\u{0}"), ("4", " \u{0}x "),
            ("5", "ab\u{0}\u{0}é"),
        ] {
            try place.create("Words", ["Code": code, "Text": text])
        }
        let type = place.set("Words").entityType
        return (type.property(withName: "Text"), type.property(withName: "Code"))
    }

    private static func codes(_ place: LocalPlace, _ filter: QueryFilter) throws -> String {
        let set = place.set("Words")
        let query = DataQuery().from(set).filter(filter)
            .orderBy(set.entityType.property(withName: "Code"))
        return try place.service.executeQuery(query).entityList().toArray()
            .map { place.value($0, "Code") }.joined()
    }

    @Test func functionsReadTextsToTheirEnd() async throws {
        try await LocalPlace.run(Self.schema) { place in
            let (text, _) = try Self.place(place)
            let expected: [(String, QueryFilter, String)] = [
                ("eq", text.equal("Ab\u{0}Cd"), "1"), ("eq Ab", text.equal("Ab"), "2"),
                ("gt", text.greaterThan("Ab"), "15"),
                ("length", text.length().equal(5), "15"), ("length 1", text.length().equal(1), "3"),
                ("contains", text.contains("Cd"), "1"),
                ("contains nul", text.contains("\u{0}"), "1345"),
                ("startsWith", text.startsWith("Ab\u{0}"), "1"),
                ("startsWith nul", text.startsWith("\u{0}"), "3"),
                ("endsWith", text.endsWith("\u{0}Cd"), "1"),
                ("endsWith nul", text.endsWith("\u{0}"), "3"),
                ("indexOf", text.indexOf("C").equal(3), "1"),
                ("indexOf nul", text.indexOf("\u{0}").equal(2), "15"),
                ("substring", text.substring(3).equal("Cd"), "1"),
                ("substring nul", text.substring(1, 2).equal("b\u{0}"), "15"),
                ("concat", text.concat("!").equal("Ab\u{0}Cd!"), "1"),
                ("toLower", text.toLower().equal("ab\u{0}cd"), "1"),
                ("toUpper", text.toUpper().equal("AB\u{0}\u{0}É"), "5"),
                ("trim", text.trim().equal("\u{0}x"), "4"),
                ("matches", text.matchesPattern("^Ab.Cd$"), "1"),
                ("matches end", text.matchesPattern("é$"), "5"),
            ]
            for (name, filter, codes) in expected {
                #expect(try Self.codes(place, filter) == codes, "\(name)")
            }
            // By columns in place of constants.
            for (code, other) in [("1", "Ab\u{0}"), ("5", "\u{0}é")] {
                try place.update(try place.entity("Words('\(code)')"), ["Other": other])
            }
            let urls = [
                ("startswith(Text,Other)", "1"), ("endswith(Text,Other)", "5"),
                ("contains(Text,Other)", "15"), ("indexof(Text,Other) eq 3", "5"),
                ("length(concat(Text,Other)) eq 8", "1"),
                ("substring(Text,length(Other)) eq 'Cd'", "1"),
                ("substring(Text,0,length(Other)) eq Other", "1"),
            ]
            for (filter, codes) in urls {
                let found = try place.values("Words?$filter=\(filter)&$orderby=Code", "Code")
                    .joined()
                #expect(found == codes, "\(filter)")
            }
        }
    }

    @Test func theFileHoldsTheWholeText() async throws {
        try await LocalPlace.run(Self.schema) { place in
            _ = try Self.place(place)
            #expect(
                try place.rows("SELECT hex(Text) FROM Words WHERE Code IN ('1','5') ORDER BY Code")
                    == ["4162004364", "61620000C3A9"])
            let word = try place.entity("Words('1')")
            #expect(place.value(word, "Text") == "Ab\u{0}Cd")
            try place.update(word, ["Text": "x\u{0}y"])
            #expect(try place.rows("SELECT hex(Text) FROM Words WHERE Code = '1'") == ["780079"])
            try place.provider.close()
            try place.provider.open()
            #expect(try place.values("Words?$filter=Code eq '1'", "Text") == ["x\u{0}y"])
            let ordered = try place.values("Words?$orderby=Text desc", "Code").joined()
            #expect(ordered == "15243")
        }
    }

    @Test func keysAndWhatRefersToThemAreWhole() async throws {
        try await LocalPlace.run(Self.schema) { place in
            try place.create("Words", ["Code": "k\u{0}1", "Text": "one"])
            try place.create("Words", ["Code": "k\u{0}2", "Text": "two", "Other": "k\u{0}1"])
            try place.create("Words", ["Code": "k", "Text": "short"])
            let set = place.set("Words")
            let code = set.entityType.property(withName: "Code")
            let two = try place.service.executeQuery(
                DataQuery().from(set).filter(code.equal("k\u{0}2"))
                    .expand(set.entityType.property(withName: "Next"))
            ).requiredEntity()
            let next = set.entityType.property(withName: "Next").optionalEntity(from: two)
            #expect(next.map { place.value($0, "Text") } == "one")
            #expect(try place.rows("SELECT count(*) FROM Words") == ["3"])
            #expect(
                failure {
                    try place.create("Words", ["Code": "k\u{0}1"])
                } == Failure(DataServiceError.self, .conflict, at: "Words", status: 409))
            try place.service.deleteEntity(two)
            #expect(try place.values("Words?$orderby=Code", "Text") == ["short", "one"])
        }
    }
}
