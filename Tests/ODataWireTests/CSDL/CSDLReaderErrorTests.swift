import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import ModelFixture
import Testing

@Suite struct CSDLReaderErrorTests {
    @Test(arguments: [
        (#"<EntityType Name="A" BaseType="N.B"/>"#, "Expected a defined base type, found N.B."),
        (
            #"<EntityType Name="A" BaseType="N.A"/>"#,
            "Expected base types without a cycle and at most 64 deep."
        ),
        (
            #"<EntityType Name="A"><Property Name="P" Type="N.X"/></EntityType>"#,
            "Expected a defined type, found N.X."
        ),
        (
            #"<EntityType Name="A"><Property Name="P"/></EntityType>"#,
            "Expected the attribute Type of Property."
        ),
        (
            #"<EntityType Name="A"><Property Type="Edm.Int32"/></EntityType>"#,
            "Expected the attribute Name of Property."
        ),
        (
            #"<EntityType Name="A"><Property Name="P" Type="Edm.Int32" Nullable="maybe"/></EntityType>"#,
            "Expected true or false as Nullable of Property."
        ),
        (
            #"<EntityType Name="A"><Property Name="P" Type="Edm.String" MaxLength="-1"/></EntityType>"#,
            "Expected a number as MaxLength of Property."
        ),
        (
            #"<EntityType Name="A"><Property Name="a b" Type="Edm.String"/></EntityType>"#,
            "Expected an identifier as Name of Property, found a b."
        ),
        (
            #"<EntityType Name="A"><Key><PropertyRef Name="Id"/></Key></EntityType>"#,
            "Expected a key of declared properties, found Id."
        ),
        (
            #"<EntityType Name="A"/><ComplexType Name="A"/>"#,
            "Expected one type named N.A, found two."
        ),
        (
            #"<EnumType Name="E"><Member Name="M" Value="x"/></EnumType>"#,
            "Expected an integer as Value of a member."
        ),
        (
            #"<EnumType Name="E" UnderlyingType="Edm.String"/>"#,
            "Expected an integer type as UnderlyingType, found Edm.String."
        ),
        (
            #"<EntityType Name="A"/><EntityContainer Name="C"><EntitySet Name="S" EntityType="N.A"/><EntitySet Name="S" EntityType="N.A"/></EntityContainer>"#,
            "Expected one entity set named S, found two."
        ),
    ])
    func wrongModelsAreErrorsOnTheirLine(content: String, message: String) {
        let error = #expect(throws: ODataError.self) {
            try CSDLReader.read(Array(document(content).utf8))
        }
        #expect(error?.code == .invalidMetadata)
        #expect(error?.message == message)
        guard case .position(3, _) = error?.location else {
            Issue.record(
                "Expected a place on line 3, found \(String(describing: error?.location)).")
            return
        }
    }

    @Test func thePlaceNamesTheColumnOfTheElement() {
        let text = document(
            "<EntityType Name=\"A\">\n\n   <Property Name=\"P\" Type=\"N.X\"/></EntityType>")
        let error = #expect(throws: ODataError.self) { try CSDLReader.read(Array(text.utf8)) }
        #expect(error?.code == .invalidMetadata)
        #expect(error?.location?.description == "line 5, column 4")
    }

    @Test(arguments: [
        ("<html/>", "Expected an Edmx document, found the root element html."),
        (
            #"<Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"/>"#,
            "Expected one DataServices element, found 0."
        ),
        (
            #"<Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx"><DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"/></DataServices></Edmx>"#,
            "Expected the attribute Version of Edmx."
        ),
        (
            #"<Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx" Version="9"><DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N"/></DataServices></Edmx>"#,
            "Expected Version 1.0, 4.0 or 4.01 of Edmx, found another."
        ),
        (
            #"<Edmx xmlns="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0"><DataServices/></Edmx>"#,
            "Expected a Schema, found none."
        ),
    ])
    func otherDocumentsAreErrors(text: String, message: String) {
        let error = #expect(throws: ODataError.self) { try CSDLReader.read(Array(text.utf8)) }
        #expect(error?.code == .invalidMetadata)
        #expect(error?.message == message)
        #expect(error?.location != nil)
    }

    @Test func unknownPartsAreDiagnosticsOnly() throws {
        let text = document(
            #"<EntityType Name="A" Colour="red"><Wheel/><Property Name="P" Type="Edm.New"/></EntityType>"#
        )
        let graph = try CSDLReader.read(Array(text.utf8))
        #expect(graph.structures[0].properties.map(\.name) == ["P"])
        #expect(
            graph.diagnostics == [
                "line 3, column 35: Element Wheel is ignored.",
                "line 3, column 43: Type Edm.New is not described here; its values are untyped.",
            ])
    }

    @Test func mistakesThatLeaveAModelAreDiagnostics() throws {
        let text = document(
            #"<EntityType Name="A"><Property Name="P" Type="Edm.Int32"/><Property Name="P" Type="Edm.String"/></EntityType>"#
                + #"<EntityContainer Name="C"><EntitySet Name="R" EntityType="N.A"/></EntityContainer>"#
        )
        let graph = try CSDLReader.read(Array(text.utf8))
        #expect(graph.structures[0].properties.map(\.type.primitive) == [.int32])
        #expect(graph.entitySets.map(\.name) == ["R"])
        #expect(
            graph.diagnostics == [
                "line 3, column 59: Property P is declared twice; the second is ignored."
            ])
    }

    @Test func anyNameIsReadWhenNamesAreNotChecked() throws {
        var options = CSDLReader.Options()
        options.allowsAnyName = true
        let text = document(
            #"<EntityType Name="A"><Property Name="a b" Type="Edm.String"/></EntityType>"#)
        #expect(
            try CSDLReader.read(Array(text.utf8), options: options).structures[0].properties[0].name
                == "a b")
    }

    @Test func mutatedDocumentsNeverTrap() {
        let seeds = [Array(V4Workshop.text.utf8), Array(V2Shop.text.utf8)]
        var random = SeededGenerator(seed: 11)
        let words = [
            "W.Tool", "W.Loan", "Collection(", ")", "Edm.Int32", "Name", "Key",
            "BaseType=\"W.Tool\"",
            "SHOP.Order", "(", "/", "@", "#", "", "<Key/>", "Target=\"\"",
        ].map { Array($0.utf8) }
        var accepted = 0
        for round in 0..<1_500 {
            var bytes = seeds[round % 2]
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 0...12, using: &random), bytes.count - index)
                let word = words[Int.random(in: 0..<words.count, using: &random)]
                bytes.replaceSubrange(index..<index + length, with: word)
            }
            if let graph = try? CSDLReader.read(bytes) {
                accepted += 1
                _ = CSDLWriter.xml(graph)
                _ = CSDLJSONWriter.json(graph)
            }
        }
        #expect(accepted > 0)
    }

    @Test func mutatedJSONDocumentsNeverTrap() throws {
        let seeds = try [V4Workshop.text, V2Shop.text].map {
            Array(CSDLJSONWriter.json(try CSDLReader.read(Array($0.utf8))).utf8)
        }
        var random = SeededGenerator(seed: 12)
        let words = [
            "null", "[]", "{}", "\"$Kind\":", "\"$Type\":7", "\"@\":1", "\"$Path\":", ",",
            "\"W.Tool\"",
            "\"$BaseType\":\"W.Tool\"", "true", "\"\":", "#", "@",
        ].map { Array($0.utf8) }
        var accepted = 0
        for round in 0..<2_000 {
            var bytes = seeds[round % 2]
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 0...6, using: &random), bytes.count - index)
                let word = words[Int.random(in: 0..<words.count, using: &random)]
                bytes.replaceSubrange(index..<index + length, with: word)
            }
            do {
                let graph = try CSDLReader.read(bytes)
                accepted += 1
                _ = CSDLWriter.xml(graph)
                _ = CSDLJSONWriter.json(graph)
            } catch let error as ODataError {
                let codes: [ODataError.Code] = [.malformedText, .invalidMetadata, .limitExceeded]
                #expect(codes.contains(error.code))
            }
        }
        #expect(accepted > 0)
    }

    @Test func attributeValuesThatNameEachOtherDoNotLoop() {
        let chain = (0..<80).map { #"<EntityType Name="T\#($0)" BaseType="N.T\#($0 + 1)"/>"# }
            .joined()
        #expect(
            failure {
                try CSDLReader.read(Array(document(chain + #"<EntityType Name="T80"/>"#).utf8))
            } == Failure(.invalidMetadata, at: .position(line: 3, column: 1)))
    }
}
