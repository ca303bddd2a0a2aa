import ODataModel
import ODataWire
import Testing

@Suite struct CSDLReaderV2Tests {
    static let shop = """
        <?xml version="1.0" encoding="utf-8"?>
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" \
        xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" \
        xmlns:s="http://www.sap.com/Protocols/SAPData">
          <edmx:DataServices m:DataServiceVersion="2.0">
            <Schema Namespace="SHOP" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" s:schema-version="1">
              <EntityType Name="Order" m:HasStream="true" s:content-version="1">
                <Key><PropertyRef Name="ID"/></Key>
                <Property Name="ID" Type="Edm.String" Nullable="false" MaxLength="10" s:label="Order &amp; ID"/>
                <Property Name="ETag" Type="Edm.DateTime" Precision="7" ConcurrencyMode="Fixed"/>
                <Property Name="ETag" Type="Edm.String"/>
                <Property Name="At" Type="Edm.Time"/>
                <NavigationProperty Name="Items" Relationship="SHOP.OrderItem" FromRole="O" ToRole="I"/>
              </EntityType>
              <EntityType Name="Item">
                <Key><PropertyRef Name="OrderID"/><PropertyRef Name="Pos"/></Key>
                <Property Name="OrderID" Type="Edm.String" Nullable="false"/>
                <Property Name="Pos" Type="Edm.Int16" Nullable="false"/>
                <NavigationProperty Name="Order" Relationship="SHOP.OrderItem" FromRole="I" ToRole="O"/>
              </EntityType>
              <Association Name="OrderItem">
                <End Role="O" Type="SHOP.Order" Multiplicity="1"><OnDelete Action="Cascade"/></End>
                <End Role="I" Type="SHOP.Item" Multiplicity="*"/>
                <ReferentialConstraint>
                  <Principal Role="O"><PropertyRef Name="ID"/></Principal>
                  <Dependent Role="I"><PropertyRef Name="OrderID"/></Dependent>
                </ReferentialConstraint>
              </Association>
              <EntityContainer Name="C" m:IsDefaultEntityContainer="true" s:use-batch="true">
                <EntitySet Name="Orders" EntityType="SHOP.Order" s:pageable="false"/>
                <EntitySet Name="Items" EntityType="SHOP.Item"/>
                <AssociationSet Name="OrderItemSet" Association="SHOP.OrderItem">
                  <End Role="O" EntitySet="Orders"/>
                  <End Role="I" EntitySet="Items"/>
                </AssociationSet>
                <FunctionImport Name="Confirm" ReturnType="SHOP.Order" EntitySet="Orders" m:HttpMethod="POST">
                  <Parameter Name="ID" Type="Edm.String" Mode="In" MaxLength="10"/>
                </FunctionImport>
                <FunctionImport Name="Top" ReturnType="Collection(SHOP.Order)" EntitySet="Orders" m:HttpMethod="GET"/>
              </EntityContainer>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    private func graph() throws -> MetadataGraph { try CSDLReader.read(Array(Self.shop.utf8)) }

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
        let text = Self.shop.replacing(
            "</Schema>",
            with: """
                <EntityContainer Name="D"><EntitySet Name="Orders" EntityType="SHOP.Item"/></EntityContainer></Schema>
                """)
        let graph = try CSDLReader.read(Array(text.utf8))
        #expect(graph.entitySet(named: "Orders")?.index == 0)
        #expect(graph.entitySet(named: "SHOP.D/Orders")?.index == 2)
    }
}
