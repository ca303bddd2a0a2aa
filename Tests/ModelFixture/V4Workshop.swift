/// A V4 metadata document with most of what V4 has.
package enum V4Workshop {
    package static let text = """
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
}

/// A V4 document around the content of one schema named `N`.
package func document(_ content: String, version: String = "4.0") -> String {
    """
    <edmx:Edmx Version="\(version)" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
    \(content)
    </Schema></edmx:DataServices></edmx:Edmx>
    """
}
