/// A V2 metadata document with most of what V2 has: derived and complex types, associations, function imports, extensions.
package enum V2Shop {
    package static let text = """
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
}
