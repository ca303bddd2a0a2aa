import ConformanceData
import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Documents of V2 and V3, written as such.
@Suite struct CSDLOldWriterTests {
    static let small = """
        <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData" Version="1.0">
        <edmx:DataServices m:DataServiceVersion="2.0">
        <Schema xmlns="http://schemas.microsoft.com/ado/2008/09/edm" Namespace="N" sap:schema-version="3">
        <EntityType Name="Order" sap:label="Orders &amp; more"><Documentation><Summary>Said</Summary></Documentation>
        <Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="At" Type="Edm.DateTime" Precision="0" ConcurrencyMode="Fixed" sap:label="When" sap:updatable="false"/>
        <Property Name="Title" Type="Edm.String" m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="false"/>
        <NavigationProperty Name="Items" Relationship="N.A" FromRole="O" ToRole="I"/></EntityType>
        <EntityType Name="Item" m:HasStream="true"><Key><PropertyRef Name="Id"/><PropertyRef Name="OrderId"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="OrderId" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Took" Type="Edm.Time"/>
        <NavigationProperty Name="Order" Relationship="N.A" FromRole="I" ToRole="O"/></EntityType>
        <Association Name="A"><End Type="N.Order" Role="O" Multiplicity="1"><OnDelete Action="Cascade"/></End>
        <End Type="N.Item" Role="I" Multiplicity="*"/>
        <ReferentialConstraint><Principal Role="O"><PropertyRef Name="Id"/></Principal>
        <Dependent Role="I"><PropertyRef Name="OrderId"/></Dependent></ReferentialConstraint></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="N.Order" sap:deletable="false"/>
        <EntitySet Name="Items" EntityType="N.Item"/>
        <AssociationSet Name="AS" Association="N.A"><End Role="O" EntitySet="Orders"/><End Role="I" EntitySet="Items"/></AssociationSet>
        <FunctionImport Name="Close" ReturnType="N.Order" EntitySet="Orders" m:HttpMethod="POST" sap:action-for="N.Order">
        <Parameter Name="Id" Type="Edm.Int32" Mode="In"/></FunctionImport>
        <FunctionImport Name="Ping" m:HttpMethod="GET"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func aDocumentOfV2IsWrittenAsOne() throws {
        let graph = try CSDLReader.read(Array(Self.small.utf8))
        #expect(
            CSDLWriter.xml(graph) == """
                <?xml version="1.0" encoding="utf-8"?>
                <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData" Version="1.0">
                  <edmx:DataServices m:DataServiceVersion="2.0">
                    <Schema xmlns="http://schemas.microsoft.com/ado/2008/09/edm" Namespace="N" sap:schema-version="3">
                      <EntityType Name="Order" sap:label="Orders &amp; more">
                        <Documentation>
                          <Summary>Said</Summary>
                        </Documentation>
                        <Key>
                          <PropertyRef Name="Id"/>
                        </Key>
                        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
                        <Property Name="At" Type="Edm.DateTime" Precision="0" ConcurrencyMode="Fixed" sap:label="When" sap:updatable="false"/>
                        <Property Name="Title" Type="Edm.String" m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="false"/>
                        <NavigationProperty Name="Items" Relationship="N.Order_Items" FromRole="FromRole_Order_Items" ToRole="ToRole_Order_Items"/>
                      </EntityType>
                      <EntityType Name="Item" m:HasStream="true">
                        <Key>
                          <PropertyRef Name="Id"/>
                          <PropertyRef Name="OrderId"/>
                        </Key>
                        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
                        <Property Name="OrderId" Type="Edm.Int32" Nullable="false"/>
                        <Property Name="Took" Type="Edm.Time"/>
                        <NavigationProperty Name="Order" Relationship="N.Order_Items" FromRole="ToRole_Order_Items" ToRole="FromRole_Order_Items"/>
                      </EntityType>
                      <Association Name="Order_Items">
                        <End Type="N.Order" Role="FromRole_Order_Items" Multiplicity="1">
                          <OnDelete Action="Cascade"/>
                        </End>
                        <End Type="N.Item" Role="ToRole_Order_Items" Multiplicity="*"/>
                        <ReferentialConstraint>
                          <Principal Role="FromRole_Order_Items">
                            <PropertyRef Name="Id"/>
                          </Principal>
                          <Dependent Role="ToRole_Order_Items">
                            <PropertyRef Name="OrderId"/>
                          </Dependent>
                        </ReferentialConstraint>
                      </Association>
                      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
                        <EntitySet Name="Orders" EntityType="N.Order" sap:deletable="false"/>
                        <EntitySet Name="Items" EntityType="N.Item"/>
                        <FunctionImport Name="Close" ReturnType="N.Order" EntitySet="Orders" m:HttpMethod="POST" sap:action-for="N.Order">
                          <Parameter Name="Id" Type="Edm.Int32" Mode="In"/>
                        </FunctionImport>
                        <FunctionImport Name="Ping" m:HttpMethod="GET"/>
                        <AssociationSet Name="Order_Items_Set" Association="N.Order_Items">
                          <End Role="FromRole_Order_Items" EntitySet="Orders"/>
                          <End Role="ToRole_Order_Items" EntitySet="Items"/>
                        </AssociationSet>
                      </EntityContainer>
                    </Schema>
                  </edmx:DataServices>
                </edmx:Edmx>
                """)
    }

    @Test func whatIsWrittenReadsBackEqual() throws {
        let graph = try CSDLReader.read(Array(Self.small.utf8))
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(graph == again)
        let json = try CSDLReader.read(Array(CSDLJSONWriter.json(graph).utf8))
        #expect(graph == json)
        #expect(json.operations[1].httpMethod == "GET" && !json.operations[1].isAction)
        #expect(!json.operationImports[1].isAction)
        let back = try CSDLReader.read(Array(CSDLWriter.xml(json).utf8))
        #expect(back == json)
    }

    @Test(.enabled(if: Conformance.isThere, "\(Conformance.reason)"))
    func everyDocumentOfV2AndV3ReadsBackEqual() throws {
        var count = 0
        for file in try MetadataDocuments.files(
            "metadata/v2", "metadata/v2-s4", "metadata/v3", "csdl-pairs")
        {
            let graph = try CSDLReader.read(MetadataDocuments.bytes(file))
            guard graph.version < .v4 else { continue }
            let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
            #expect(
                CSDLWriterTests.differences(graph, again) == [], "\(file.lastPathComponent)")
            count += 1
        }
        print("CSDL XML: \(count) documents of V2 and V3 read back equal")
    }

    @Test func setsThatShareATypeKeepTheirBindings() throws {
        let sets = Self.small.replacingOccurrences(
            of: "<AssociationSet Name=\"AS\"",
            with: """
                <EntitySet Name="Old" EntityType="N.Order"/>
                <AssociationSet Name="OS" Association="N.A"><End Role="O" EntitySet="Old"/><End Role="I" EntitySet="Items"/></AssociationSet>
                <AssociationSet Name="AS"
                """)
        let graph = try CSDLReader.read(Array(sets.utf8))
        let items = try #require(graph.entitySet(named: "Items"))
        #expect(graph[items].target(of: "Order") == "Old")
        let again = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(CSDLWriterTests.differences(graph, again) == [])
    }

    // MARK: Annotations of V4 that were not kept before

    static let annotated = """
        <edmx:Edmx xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx" Version="4.0">
        <edmx:Reference Uri="http://h/v.xml"><edmx:Include Namespace="V" Alias="W">
        <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="Core.SchemaVersion" String="2"/></edmx:Include>
        <Annotation xmlns="http://docs.oasis-open.org/odata/ns/edm" Term="W.Trusted"/></edmx:Reference>
        <edmx:DataServices><Schema xmlns="http://docs.oasis-open.org/odata/ns/edm" Namespace="N">
        <EntityType Name="A"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="BId" Type="Edm.Int32"/>
        <NavigationProperty Name="B" Type="N.A"><ReferentialConstraint Property="BId" ReferencedProperty="Id">
        <Annotation Term="Core.Description" String="why"/></ReferentialConstraint>
        <OnDelete Action="SetNull"><Annotation Term="Core.Description" String="how"/></OnDelete>
        </NavigationProperty></EntityType></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func annotationsOfConstraintsAndReferencesAreKeptInBothForms() throws {
        let graph = try CSDLReader.read(Array(Self.annotated.utf8))
        let navigation = try #require(graph.structures[0].properties[2].navigation)
        let description = "Org.OData.Core.V1.Description"
        #expect(
            navigation.referentialConstraints[0].annotations.first(term: description)?.value
                == .string("why"))
        #expect(navigation.onDeleteAnnotations.first(term: description)?.value == .string("how"))
        #expect(graph.references[0].annotations.map(\.term) == ["V.Trusted"])
        #expect(graph.references[0].includes[0].annotations.count == 1)
        let xml = try CSDLReader.read(Array(CSDLWriter.xml(graph).utf8))
        #expect(CSDLWriterTests.differences(graph, xml) == [])
        let json = CSDLJSONWriter.json(graph)
        #expect(json.contains(#""$OnDelete@Org.OData.Core.V1.Description":"how""#))
        #expect(CSDLWriterTests.differences(graph, try CSDLReader.read(Array(json.utf8))) == [])
    }
}
