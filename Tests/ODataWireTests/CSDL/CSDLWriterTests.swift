import ConformanceData
import Foundation
import ODataModel
import ODataText
import ODataWire
import ModelFixture
import Testing

@Suite struct CSDLWriterTests {
    @Test func aSmallModelIsWrittenAsExpected() throws {
        let source = document(
            """
            <ComplexType Name="Size"><Property Name="W" Type="Edm.Decimal" Nullable="false" Precision="5" Scale="variable"/></ComplexType>
            <EntityType Name="A" OpenType="true"><Key><PropertyRef Name="Size/W" Alias="SW"/></Key><Property Name="Size" Type="N.Size" Nullable="false"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="As" EntityType="N.A"><Annotation Term="V.T" Bool="false"/></EntitySet></EntityContainer>
            """)
        let graph = try CSDLReader.read(Array(source.utf8))
        #expect(
            CSDLWriter.xml(graph) == """
                <?xml version="1.0" encoding="utf-8"?>
                <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
                  <edmx:DataServices>
                    <Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
                      <ComplexType Name="Size">
                        <Property Name="W" Type="Edm.Decimal" Nullable="false" Precision="5" Scale="variable"/>
                      </ComplexType>
                      <EntityType Name="A" OpenType="true">
                        <Key>
                          <PropertyRef Name="Size/W" Alias="SW"/>
                        </Key>
                        <Property Name="Size" Type="N.Size" Nullable="false"/>
                      </EntityType>
                      <EntityContainer Name="C">
                        <EntitySet Name="As" EntityType="N.A">
                          <Annotation Term="V.T" Bool="false"/>
                        </EntitySet>
                      </EntityContainer>
                    </Schema>
                  </edmx:DataServices>
                </edmx:Edmx>
                """)
        #expect(
            CSDLJSONWriter.json(graph)
                == #"{"$Version":"4.0","$EntityContainer":"N.C","N":{"Size":{"$Kind":"ComplexType","W":{"$Type":"Edm.Decimal","$Precision":5}},"A":{"$Kind":"EntityType","$OpenType":true,"$Key":[{"SW":"Size/W"}],"Size":{"$Type":"N.Size"}},"C":{"$Kind":"EntityContainer","As":{"$Collection":true,"$Type":"N.A","@V.T":false}}}}"#
        )
    }

    /// The parts in which two graphs differ, by name.
    static func differences(_ first: MetadataGraph, _ second: MetadataGraph) -> [String] {
        let left = first.canonical
        let right = second.canonical
        var parts: [String] = []
        func note<Value: Equatable>(_ name: String, _ value: Value, _ second: Value) {
            guard value != second else { return }
            let (one, other) = (Array("\(value)"), Array("\(second)"))
            let start = zip(one, other).prefix { $0 == $1 }.count
            let cut = { (text: [Character]) in
                String(text[max(0, start - 80)..<min(text.count, start + 60)])
                    .replacing("ODataModel.AnnotationDefinition", with: "")
                    .replacing("ODataModel.AnnotationExpression", with: "")
            }
            parts.append("\(name): «\(cut(one))» «\(cut(other))»")
        }
        note("version", left.version, right.version)
        note("references", left.references, right.references)
        note("schemas", left.schemas, right.schemas)
        for (first, second) in zip(left.structures, right.structures) where first != second {
            note(first.qualifiedName, first, second)
        }
        note("enumerations", left.enumerations, right.enumerations)
        note("type definitions", left.typeDefinitions, right.typeDefinitions)
        note("containers", left.containers, right.containers)
        for (first, second) in zip(left.entitySets, right.entitySets) where first != second {
            note(first.qualifiedName, first, second)
        }
        note("operations", left.operations, right.operations)
        note("imports", left.operationImports, right.operationImports)
        note("terms", left.terms, right.terms)
        note("targets", left.targetedAnnotations, right.targetedAnnotations)
        return parts.isEmpty && left != right ? ["counts"] : parts
    }

    @Test func writtenGraphsReadBackEqual() throws {
        let graph = try CSDLReader.read(Array(V4Workshop.text.utf8))
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(Self.differences(graph, again) == [])
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func everyServiceDocumentOfV4ReadsBackEqual() throws {
        for file in try MetadataDocuments.files("metadata/v4", "vocabularies", "csdl-pairs") {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            guard graph.version >= .v4 else { continue }
            let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
            #expect(Self.differences(graph, again) == [], "\(file.lastPathComponent)")
        }
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func documentsOfBothFormsSayTheSame() throws {
        let pairs = ["csdl-16.1", "csdl-16.2", "odata-rw-v2", "v2-annotations"]
            .map { "csdl-pairs/\($0)" }
        let vocabularies = [
            "Aggregation", "Authorization", "JSON", "Measures", "Repeatability", "Temporal",
            "Validation",
        ].map { "vocabularies/Org.OData.\($0).V1" }
        for name in pairs + vocabularies {
            let xml = try Conformance.bytes(name + ".xml")
            let json = try Conformance.bytes(name + ".json")
            let left = comparable(try CSDLReader.read(xml))
            let right = comparable(try CSDLReader.read(json))
            #expect(Self.differences(left, right) == [], "\(name)")
        }
    }

    /// The graph without what the two documents say differently: addresses of the other form, attributes that are
    /// only in XML, the precision that V2 leaves open, and whether a V2 function may return null.
    private func comparable(_ graph: MetadataGraph) -> MetadataGraph {
        var graph = graph
        graph.references = []
        let version = graph.version
        let isForeign = { (annotation: AnnotationDefinition) in annotation.term.contains(":") }
        for index in graph.schemas.indices {
            graph.schemas[index].annotations.removeAll {
                isForeign($0) || $0.term.hasSuffix(".Links")
            }
        }
        for index in graph.containers.indices {
            graph.containers[index].annotations.removeAll(where: isForeign)
        }
        for index in graph.entitySets.indices {
            graph.entitySets[index].annotations.removeAll {
                isForeign($0)
                    || version < .v4 && $0.term.hasSuffix(".OptimisticConcurrency")
            }
        }
        for index in graph.structures.indices {
            graph.structures[index].annotations.removeAll(where: isForeign)
            for slot in graph.structures[index].properties.indices {
                graph.structures[index].properties[slot].annotations.removeAll(where: isForeign)
                if version < .v4 {
                    graph.structures[index].properties[slot].type.facets.precision = nil
                    graph.structures[index].properties[slot].isConcurrencyToken = false
                }
            }
        }
        for index in graph.operations.indices where graph.version < .v4 {
            graph.operations[index].returnType?.isNullable = true
            graph.operations[index].httpMethod = nil
            for parameter in graph.operations[index].parameters.indices {
                graph.operations[index].parameters[parameter].annotations
                    .removeAll(where: isForeign)
                graph.operations[index].parameters[parameter].type.isNullable = true
            }
        }
        return graph
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func everyV2DocumentIsWrittenAsValidV4() throws {
        for file in try MetadataDocuments.files("metadata/v2", "metadata/v2-s4", "metadata/v3") {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            let again = try CSDLReader.read(Array(CSDLWriter.xml(graph, version: .v4).utf8))
            #expect(again.entitySets.map(\.name) == graph.entitySets.map(\.name))
            #expect(again.structures.map(\.key) == graph.structures.map(\.key))
            for structure in again.structures {
                for property in structure.properties where graph.version < .v4 {
                    #expect(
                        property.type.primitive != .dateTime && property.type.primitive != .time)
                }
            }
        }
    }

    @Test func concurrencyTokensOfV2AreAnnotatedOnTheSet() throws {
        let graph = try CSDLReader.read(Array(V2Shop.text.utf8))
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph, version: .v4).utf8))
        #expect(again.structures[0].properties[1].isConcurrencyToken)
        #expect(again.structures[0].properties[1].type.primitive == .dateTimeOffset)
        #expect(
            again.structures[0].properties[0].annotations
                .first(term: "Org.OData.Core.V1.Description")?.value == .string("Order & ID"))
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"), arguments: ["csdl-16.1"])
    func jsonIsThatOfTheSpecificationApartFromAliases(name: String) throws {
        let xml = try Conformance.bytes("csdl-pairs/\(name).xml")
        let json = try Conformance.bytes("csdl-pairs/\(name).json")
        let expected = try JSONValue(parsing: String(decoding: json, as: UTF8.self))
        let found = CSDLJSONWriter.value(try CSDLReader.read(xml))
        for type in ["Product", "Category", "Supplier", "Country", "Address"] {
            #expect(
                names(found["ODataDemo"]?[type]) == names(expected["ODataDemo"]?[type]), "\(type)")
        }
    }

    /// The value with terms written by their last part and members in order of name.
    private func names(_ value: JSONValue?) -> String {
        guard let object = value?.object else { return value?.text ?? "absent" }
        return object.members.map { member in
            let name =
                member.name.contains("@")
                ? "@" + (member.name.split(separator: ".").last ?? "") : member.name
            return "\(name):\(names(member.value))"
        }.sorted().joined(separator: ",")
    }

    @Test func aMegabyteIsReadInATenthOfASecond() throws {
        let one = V4Workshop.text
        let start = one.range(of: "<EntityType Name=\"Loan\">")
        let end = one.range(of: "<Function Name")
        let loan = String(one[try #require(start).lowerBound..<(try #require(end)).lowerBound])
        var text = ""
        for index in 0..<2_500 { text += loan.replacing("\"Loan\"", with: "\"Loan\(index)\"") }
        let big = Array(one.replacing(loan, with: loan + text).utf8)
        #expect(big.count > 1_000_000)
        let clock = ContinuousClock()
        var graph: MetadataGraph?
        let time = try clock.measure { graph = try CSDLReader.read(big) }
        print("CSDL: \(big.count) bytes in \(time)")
        #expect(graph?.structures.count == 2_504)
    }
}
