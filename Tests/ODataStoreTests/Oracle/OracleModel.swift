/// The model of the oracle: every primitive type, complex values and collections of them, a derived type, and navigation in
/// both directions.
enum OracleModel {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Grade" IsFlags="true"><Member Name="None" Value="0"/>
          <Member Name="Bronze" Value="1"/><Member Name="Silver" Value="2"/>
          <Member Name="Gold" Value="4"/></EnumType>
        <ComplexType Name="Place"><Property Name="Latitude" Type="Edm.Double" Nullable="false"/>
          <Property Name="Longitude" Type="Edm.Double" Nullable="false"/></ComplexType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
          <Property Name="Zip" Type="Edm.Int32"/>
          <Property Name="Place" Type="Shop.Place" Nullable="false"/></ComplexType>
        <EntityType Name="Customer"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <Property Name="Big" Type="Edm.Int64"/>
          <Property Name="Small" Type="Edm.Int16"/>
          <Property Name="Tiny" Type="Edm.SByte"/>
          <Property Name="Balance" Type="Edm.Decimal" Precision="12" Scale="2"/>
          <Property Name="Exact" Type="Edm.Decimal" Scale="variable"/>
          <Property Name="Score" Type="Edm.Double"/>
          <Property Name="Ratio" Type="Edm.Single"/>
          <Property Name="Since" Type="Edm.Date"/>
          <Property Name="Changed" Type="Edm.DateTimeOffset" Precision="12"/>
          <Property Name="Wakes" Type="Edm.TimeOfDay" Precision="12"/>
          <Property Name="Wait" Type="Edm.Duration" Precision="12"/>
          <Property Name="Token" Type="Edm.Guid"/>
          <Property Name="Active" Type="Edm.Boolean"/>
          <Property Name="Grade" Type="Shop.Grade"/>
          <Property Name="Photo" Type="Edm.Binary"/>
          <Property Name="ManagerId" Type="Edm.Int32"/>
          <Property Name="Address" Type="Shop.Address"/>
          <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
          <Property Name="Marks" Type="Collection(Edm.Int32)"/>
          <Property Name="Places" Type="Collection(Shop.Address)"/>
          <NavigationProperty Name="Manager" Type="Shop.Customer" Partner="Reports">
            <ReferentialConstraint Property="ManagerId" ReferencedProperty="Id"/>
          </NavigationProperty>
          <NavigationProperty Name="Orders" Type="Collection(Shop.Order)" Partner="Customer"/>
          <NavigationProperty Name="Favourite" Type="Shop.Order"/>
          <NavigationProperty Name="Watched" Type="Collection(Shop.Order)" Partner="Watchers"/>
          <NavigationProperty Name="Reports" Type="Collection(Shop.Customer)" Partner="Manager"/>
          <Annotation Term="Org.OData.Aggregation.V1.RecursiveHierarchy" Qualifier="Staff"><Record>
            <PropertyValue Property="NodeProperty" PropertyPath="Id"/>
            <PropertyValue Property="ParentNavigationProperty" NavigationPropertyPath="Manager"/>
          </Record></Annotation>
        </EntityType>
        <EntityType Name="Vip" BaseType="Shop.Customer">
          <Property Name="Level" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int64" Nullable="false"/>
          <Property Name="CustomerId" Type="Edm.Int32"/>
          <Property Name="Amount" Type="Edm.Decimal" Precision="10" Scale="3"/>
          <Property Name="Placed" Type="Edm.DateTimeOffset" Precision="12"/>
          <Property Name="Title" Type="Edm.String"/>
          <Property Name="Note" Type="Edm.String"/>
          <NavigationProperty Name="Customer" Type="Shop.Customer" Partner="Orders">
            <ReferentialConstraint Property="CustomerId" ReferencedProperty="Id"/>
          </NavigationProperty>
          <NavigationProperty Name="Items" Type="Collection(Shop.Item)" Partner="Order"/>
          <NavigationProperty Name="Watchers" Type="Collection(Shop.Customer)" Partner="Watched"/>
          <Annotation Term="Org.OData.Aggregation.V1.CustomAggregate" Qualifier="Turnover"
            String="Edm.Decimal">
            <Annotation Term="OfflineOData.V1.Definition" String="Amount with sum"/></Annotation>
          <Annotation Term="Org.OData.Aggregation.V1.CustomAggregate" Qualifier="Mean"
            String="Edm.Decimal"><Annotation Term="OfflineOData.V1.Definition"
            String="$these/aggregate(Amount with sum) divby $these/aggregate($count)"/>
          </Annotation>
        </EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="OrderId"/><PropertyRef Name="Line"/></Key>
          <Property Name="OrderId" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Product" Type="Edm.String"/>
          <Property Name="Quantity" Type="Edm.Int32"/>
          <NavigationProperty Name="Order" Type="Shop.Order" Partner="Items">
            <ReferentialConstraint Property="OrderId" ReferencedProperty="Id"/>
          </NavigationProperty></EntityType>
        \(OracleSites.metadata)
        <EntityContainer Name="Container">
          <EntitySet Name="Customers" EntityType="Shop.Customer">
            <NavigationPropertyBinding Path="Orders" Target="Orders"/>
            <NavigationPropertyBinding Path="Manager" Target="Customers"/>
            <NavigationPropertyBinding Path="Favourite" Target="Orders"/>
            <NavigationPropertyBinding Path="Watched" Target="Orders"/>
            <NavigationPropertyBinding Path="Reports" Target="Customers"/></EntitySet>
          <EntitySet Name="Orders" EntityType="Shop.Order">
            <NavigationPropertyBinding Path="Customer" Target="Customers"/>
            <NavigationPropertyBinding Path="Watchers" Target="Customers"/>
            <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
          <EntitySet Name="Items" EntityType="Shop.Item">
            <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
          <EntitySet Name="Sites" EntityType="Shop.Site"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
