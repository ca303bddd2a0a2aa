import Foundation
import ODataModel
import ODataText
import ODataWire
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
    private func differences(_ left: MetadataGraph, _ right: MetadataGraph) -> [String] {
        var parts: [String] = []
        if left.version != right.version { parts.append("version") }
        if left.references != right.references { parts.append("references") }
        if left.schemas != right.schemas { parts.append("schemas") }
        for (first, second) in zip(left.structures, right.structures) where first != second {
            parts.append("\(first.qualifiedName) \(second.qualifiedName)")
        }
        if left.enumerations != right.enumerations { parts.append("enumerations") }
        if left.typeDefinitions != right.typeDefinitions { parts.append("type definitions") }
        if left.containers != right.containers { parts.append("containers") }
        for (first, second) in zip(left.entitySets, right.entitySets) where first != second {
            parts.append("\(first.qualifiedName) \(second.qualifiedName)")
        }
        if left.operations != right.operations { parts.append("operations") }
        if left.operationImports != right.operationImports { parts.append("imports") }
        if left.terms != right.terms { parts.append("terms") }
        if left.targetedAnnotations != right.targetedAnnotations { parts.append("targets") }
        let isEqual = left == right
        return parts.isEmpty && !isEqual ? ["counts"] : parts
    }

    @Test func writtenGraphsReadBackEqual() throws {
        let graph = try CSDLReader.read(Array(CSDLReaderV4Tests.workshop.utf8))
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(differences(graph, again) == [])
    }

    @Test func everyServiceDocumentOfV4ReadsBackEqual() throws {
        for file in MetadataDocuments.files("metadata/v4", "vocabularies", "csdl-pairs") {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            guard graph.version >= .v4 else { continue }
            let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
            // This V4 document marks its token as V2 does; it is written as the annotation of V4.
            let isMixed = file.lastPathComponent == "olingo-demo-metadata.xml"
            let set = "ODataDemo.DemoService/Suppliers"
            #expect(
                differences(graph, again) == (isMixed ? ["\(set) \(set)"] : []),
                "\(file.lastPathComponent)")
        }
    }

    @Test func everyV2DocumentIsWrittenAsValidV4() throws {
        for file in MetadataDocuments.files("metadata/v2", "metadata/v2-s4", "metadata/v3") {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
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
        let graph = try CSDLReader.read(Array(CSDLReaderV2Tests.shop.utf8))
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(again.structures[0].properties[1].isConcurrencyToken)
        #expect(again.structures[0].properties[1].type.primitive == .dateTimeOffset)
        #expect(
            again.structures[0].properties[0].annotations.first(term: "sap:label")?.value
                == .string("Order & ID"))
    }

    @Test(arguments: ["csdl-16.1"])
    func jsonIsThatOfTheSpecificationApartFromAliases(name: String) throws {
        guard let xml = Conformance.bytes("csdl-pairs/\(name).xml"),
            let json = Conformance.bytes("csdl-pairs/\(name).json")
        else { return }
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
        let one = CSDLReaderV4Tests.workshop
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
