import ODataModel
import ODataWire
import ModelFixture
import Testing

@Suite struct CSDLReaderV2Tests {
    private func graph() throws -> MetadataGraph { try CSDLReader.read(Array(V2Shop.text.utf8)) }

    @Test func associationsBecomeNavigationsWithMultiplicity() throws {
        let graph = try graph()
        #expect(graph.version == .v2)
        let items = graph.structures[0].properties[3]
        #expect(items.name == "Items" && items.type.isCollection)
        #expect(items.type.structure == graph.structure(named: "SHOP.Item"))
        #expect(items.navigation == NavigationDefinition(partner: "Order", onDelete: .cascade))
        let order = graph.structures[1].properties[2]
        #expect(!order.type.isCollection && !order.type.isNullable)
        #expect(
            order.navigation
                == NavigationDefinition(
                    partner: "Items",
                    referentialConstraints: [
                        ReferentialConstraint(property: "OrderID", referencedProperty: "ID")
                    ]))
    }

    @Test func associationSetsBecomeBindings() throws {
        let graph = try graph()
        #expect(graph.entitySets[0].bindings == [NavigationBinding(path: "Items", target: "Items")])
        #expect(
            graph.entitySets[1].bindings == [NavigationBinding(path: "Order", target: "Orders")])
        let orders = try #require(graph.entitySet(named: "Orders"))
        #expect(graph.targetSet(of: 3, in: orders) == graph.entitySet(named: "Items"))
    }

    @Test func streamsAndConcurrencyTokensAreKnown() throws {
        let order = try graph().structures[0]
        #expect(order.hasStream)
        #expect(order.properties.filter(\.isConcurrencyToken).map(\.name) == ["ETag"])
        #expect(order.properties[1].type.primitive == .dateTime)
        #expect(order.properties[2].type.primitive == .time)
    }

    @Test func aRepeatedPropertyIsADiagnostic() throws {
        let graph = try graph()
        #expect(graph.structures[0].properties.map(\.name) == ["ID", "ETag", "At", "Items"])
        #expect(
            graph.diagnostics == [
                "line 9, column 9: Property ETag is declared twice; the second is ignored."
            ])
    }

    @Test func attributesOfOtherNamespacesAreKeptUnderTheirCustomaryPrefix() throws {
        let graph = try graph()
        #expect(
            graph.structures[0].properties[0].annotations == [
                AnnotationDefinition(term: "sap:label", value: .string("Order & ID")),
                AnnotationDefinition(
                    term: "Org.OData.Core.V1.Description", value: .string("Order & ID")),
            ])
        #expect(graph.entitySets[0].annotations.flag("sap:pageable") == false)
        #expect(graph.containers[0].annotations.flag("sap:use-batch") == true)
        #expect(graph.schemas[0].annotations.first?.term == "sap:schema-version")
    }

    @Test func functionImportsAreOperationsAndImports() throws {
        let graph = try graph()
        #expect(graph.operations.map(\.name) == ["Confirm", "Top"])
        #expect(graph.operations[0].isAction && graph.operations[0].httpMethod == "POST")
        #expect(
            !graph.operations[1].isAction && graph.operations[1].returnType?.isCollection == true)
        #expect(graph.operations[0].parameters[0].type.facets.maxLength == 10)
        #expect(graph.operationImport(named: "Confirm")?.entitySet == "Orders")
    }

    @Test func aSecondContainerKeepsItsSetsUnderTheirQualifiedNames() throws {
        let text = V2Shop.text.replacing(
            "</Schema>",
            with: """
                <EntityContainer Name="D"><EntitySet Name="Orders" EntityType="SHOP.Item"/></EntityContainer></Schema>
                """)
        let graph = try CSDLReader.read(Array(text.utf8))
        #expect(graph.entitySet(named: "Orders")?.index == 0)
        #expect(graph.entitySet(named: "SHOP.D/Orders")?.index == 2)
    }
}
