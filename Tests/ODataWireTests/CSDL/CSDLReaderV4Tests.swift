import ModelFixture
import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct CSDLReaderV4Tests {
    private func graph() throws -> MetadataGraph {
        try CSDLReader.read(Array(V4Workshop.text.utf8))
    }

    @Test func inheritedPropertiesStandInFrontAndKeysAreNeverNull() throws {
        let graph = try graph()
        let id = try #require(graph.structure(named: "W.Tool"))
        let tool = graph[id]
        #expect(
            tool.properties.map(\.name) == [
                "Id", "Title", "Price", "States", "Size", "Version", "Loans",
            ])
        #expect(tool.inheritedCount == 1)
        #expect(tool.key == [KeyProperty(path: "Id")])
        #expect(!tool.properties[0].type.isNullable)
        #expect(tool.hasStream)
        #expect(graph.structure(named: "Ws.Model.Tool") == id)
        #expect(graph.structures[1].isAbstract)
    }

    @Test func typesAndFacetsResolve() throws {
        let graph = try graph()
        let tool = graph[try #require(graph.structure(named: "Ws.Model.Tool"))]
        let title = tool.properties[1].type
        #expect(title.primitive == .string && title.facets.maxLength == 80 && title.isNullable)
        #expect(tool.properties[1].defaultValue == "none")
        let price = tool.properties[2].type
        #expect(price.primitive == .decimal && price.typeDefinition == "Ws.Model.Money")
        #expect(price.facets.precision == 12 && price.facets.scale == .fixed(2))
        let states = tool.properties[3].type
        #expect(states.enumeration == EnumerationID(0) && states.isCollection)
        #expect(tool.properties[4].type.structure == graph.structure(named: "Ws.Model.Size"))
        #expect(graph.enumerations[0].underlyingType == .byte && graph.enumerations[0].isFlags)
    }

    @Test func navigationSaysPartnerConstraintContainmentAndCascade() throws {
        let graph = try graph()
        let loans = graph.structures[2].properties[6]
        #expect(loans.type.isCollection)
        #expect(
            loans.navigation
                == NavigationDefinition(
                    partner: "Tool", containsTarget: true, onDelete: .cascade))
        let tool = graph.structures[3].properties[2]
        #expect(
            tool.navigation?.referentialConstraints == [
                ReferentialConstraint(property: "ToolId", referencedProperty: "Id")
            ])
        #expect(!tool.type.isNullable)
    }

    @Test func setsSingletonsAndBindingsAreUnaliased() throws {
        let graph = try graph()
        #expect(graph.entitySets.map(\.name) == ["Tools", "Best"])
        #expect(graph.entitySets[0].container == "Ws.Service.Home")
        #expect(
            graph.entitySets[0].bindings == [
                NavigationBinding(path: "Ws.Model.Special/Owner", target: "People")
            ])
        #expect(graph.entitySets[1].isSingleton && graph.entitySets[1].isNullable)
        #expect(graph.defaultContainer?.qualifiedName == "Ws.Service.Home")
    }

    @Test func optimisticConcurrencyMarksTheToken() throws {
        let graph = try graph()
        let tool = graph[try #require(graph.structure(named: "Ws.Model.Tool"))]
        #expect(tool.properties.filter(\.isConcurrencyToken).map(\.name) == ["Version"])
    }

    @Test func annotationsWrittenApartReachTheirTargets() throws {
        let graph = try graph()
        let title = graph.structures[2].properties[1]
        #expect(
            title.annotations.map(\.term) == [
                "Org.OData.Core.V1.Description", "Org.OData.Core.V1.Computed",
            ])
        #expect(title.annotations.flag("Org.OData.Core.V1.Computed") == true)
        #expect(graph.entitySets[0].annotations.last?.value == .string("Tools"))
        #expect(graph.containers[0].annotations.first?.value == .string("7"))
        #expect(graph.enumerations[0].members[0].annotations.first?.value == .string("Fresh"))
        #expect(graph.targetedAnnotations.map(\.target) == ["Ws.Model.Home/Tools"])
        #expect(graph.targetedAnnotations[0].annotations[0].qualifier == "Tablet")
    }

    @Test func operationsKeepTheirSignatures() throws {
        let graph = try graph()
        let cheapest = try #require(graph.operations(named: "W.Cheapest").first)
        #expect(!cheapest.isAction && cheapest.isBound && cheapest.isComposable)
        #expect(cheapest.parameters.map(\.name) == ["tools", "limit"])
        #expect(cheapest.entitySetPath == "tools")
        #expect(graph.typeName(try #require(cheapest.returnType)) == "Collection(Ws.Model.Tool)")
        #expect(graph.operationImport(named: "Reset")?.operation == "Ws.Model.Reset")
    }

    @Test func referencesAreNotedAndNothingElse() throws {
        let graph = try graph()
        #expect(
            graph.references == [
                .init(
                    uri: "https://example.com/Core.xml",
                    includes: [.init(namespace: "Org.OData.Core.V1", alias: "Core")])
            ])
        #expect(graph.diagnostics.isEmpty)
    }

    @Test func annotationExpressionsKeepTheirShape() throws {
        let text = document(
            """
            <EntityType Name="A"><Annotation Term="V.T"><Collection>
            <Record Type="V.R"><PropertyValue Property="P" Int="3"/><PropertyValue Property="Q">
            <Apply Function="odata.concat"><Path>X/Y</Path><String>s</String></Apply></PropertyValue></Record>
            <Null/><EnumMember>V.E/A V.E/B</EnumMember><Decimal>1.50</Decimal></Collection></Annotation></EntityType>
            """)
        let graph = try CSDLReader.read(Array(text.utf8))
        #expect(
            graph.structures[0].annotations == [
                AnnotationDefinition(
                    term: "V.T",
                    value: .collection([
                        .record(
                            type: "V.R",
                            properties: [
                                AnnotationDefinition(term: "P", value: .integer(3)),
                                AnnotationDefinition(
                                    term: "Q",
                                    value: .dynamic(
                                        name: "Apply", attributes: ["Function": "odata.concat"],
                                        operands: [
                                            .path(kind: "Path", text: "X/Y"), .string("s"),
                                        ])),
                            ]),
                        .null, .enumMember("V.E/A V.E/B"), .constant(kind: "Decimal", text: "1.50"),
                    ]))
            ])
    }
}
