import ODataModel
import ODataText
import ODataWire
import Testing

@Suite struct CSDLReaderV4Tests {
    static let workshop = """
        <?xml version="1.0" encoding="UTF-8"?>
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
          <edmx:Reference Uri="https://example.com/Core.xml">
            <edmx:Include Namespace="Org.OData.Core.V1" Alias="Core"/>
          </edmx:Reference>
          <edmx:DataServices>
            <Schema Namespace="Ws.Model" Alias="W" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EnumType Name="State" IsFlags="true" UnderlyingType="Edm.Byte">
                <Member Name="New" Value="1"/>
                <Member Name="Lent" Value="2"/>
              </EnumType>
              <TypeDefinition Name="Money" UnderlyingType="Edm.Decimal" Precision="12" Scale="2"/>
              <ComplexType Name="Size">
                <Property Name="Width" Type="Edm.Double" Nullable="false"/>
              </ComplexType>
              <EntityType Name="Thing" Abstract="true">
                <Key><PropertyRef Name="Id"/></Key>
                <Property Name="Id" Type="Edm.Int32"/>
              </EntityType>
              <EntityType Name="Tool" BaseType="W.Thing" HasStream="true">
                <Property Name="Title" Type="Edm.String" MaxLength="80" DefaultValue="none">
                  <Annotation Term="Core.Description" String="What it is"/>
                </Property>
                <Property Name="Price" Type="W.Money"/>
                <Property Name="States" Type="Collection(W.State)" Nullable="false"/>
                <Property Name="Size" Type="Ws.Model.Size"/>
                <Property Name="Version" Type="Edm.Int64" Nullable="false"/>
                <NavigationProperty Name="Loans" Type="Collection(W.Loan)" Partner="Tool" ContainsTarget="true">
                  <OnDelete Action="Cascade"/>
                </NavigationProperty>
              </EntityType>
              <EntityType Name="Loan">
                <Key><PropertyRef Name="No"/></Key>
                <Property Name="No" Type="Edm.Guid" Nullable="false"/>
                <Property Name="ToolId" Type="Edm.Int32" Nullable="false"/>
                <NavigationProperty Name="Tool" Type="W.Tool" Nullable="false" Partner="Loans">
                  <ReferentialConstraint Property="ToolId" ReferencedProperty="Id"/>
                </NavigationProperty>
              </EntityType>
              <Function Name="Cheapest" IsBound="true" IsComposable="true" EntitySetPath="tools">
                <Parameter Name="tools" Type="Collection(W.Tool)"/>
                <Parameter Name="limit" Type="Edm.Int32" Nullable="false"/>
                <ReturnType Type="Collection(W.Tool)"/>
              </Function>
              <Action Name="Reset"/>
              <Annotations Target="W.Tool/Title">
                <Annotation Term="Core.Computed"/>
              </Annotations>
              <Annotations Target="W.Home/Tools" Qualifier="Tablet">
                <Annotation Term="Core.LongDescription" String="All tools"/>
              </Annotations>
              <Annotations Target="W.State/New">
                <Annotation Term="Core.Description" String="Fresh"/>
              </Annotations>
            </Schema>
            <Schema Namespace="Ws.Service" Alias="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
              <EntityContainer Name="Home">
                <EntitySet Name="Tools" EntityType="W.Tool">
                  <NavigationPropertyBinding Path="W.Special/Owner" Target="Ws.Service.Home/People"/>
                  <Annotation Term="Core.OptimisticConcurrency">
                    <Collection><PropertyPath>Version</PropertyPath></Collection>
                  </Annotation>
                </EntitySet>
                <Singleton Name="Best" Type="W.Tool" Nullable="true"/>
                <ActionImport Name="Reset" Action="W.Reset"/>
              </EntityContainer>
              <Annotations Target="S.Home/Tools">
                <Annotation Term="Core.Description" String="Tools"/>
              </Annotations>
              <Annotations Target="S.Home">
                <Annotation Term="Core.SchemaVersion" String="7"/>
              </Annotations>
            </Schema>
          </edmx:DataServices>
        </edmx:Edmx>
        """

    private func graph() throws -> MetadataGraph {
        try CSDLReader.read(Array(Self.workshop.utf8))
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

/// A V4 document around the content of one schema named `N`.
func document(_ content: String, version: String = "4.0") -> String {
    """
    <edmx:Edmx Version="\(version)" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
    \(content)
    </Schema></edmx:DataServices></edmx:Edmx>
    """
}
