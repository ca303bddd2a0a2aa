// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

// As a generator embeds it: the document with insignificant white space removed.
internal class ShopMetadataText {
    static let xml: String = """
        <?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="Database" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Customers"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/><Property Name="Description" Type="Edm.String"/><Property Name="Balance" Type="Edm.Decimal" Precision="10" Scale="2"/><NavigationProperty Name="Orders" Type="Collection(Database.Orders)" Partner="Customer"/></EntityType><EntityType Name="Orders"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Title" Type="Edm.String"/><Property Name="CustomerID" Type="Edm.Int64"/><NavigationProperty Name="Customer" Type="Database.Customers" Partner="Orders"><ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType><EntityContainer Name="Shop"><EntitySet Name="Customers" EntityType="Database.Customers"><NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet><EntitySet Name="Orders" EntityType="Database.Orders"><NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
