// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

// In the compressed form that generators of these years embed.
internal enum ShopMetadataText {
    static let xml: String = """
        <?xml version="1.0" encoding="utf-8"?><?xmlc base="36"?><?xmlc-define _0="edmx:Edmx" _1="edmx:DataServices" _2="Schema" _3="EntityType" _4="Key" _5="PropertyRef" _6="Property" _7="NavigationProperty" _8="ReferentialConstraint" _9="EntityContainer" _A="EntitySet" _B="NavigationPropertyBinding" _C="Name" _D="Type" _E="Nullable" _F="Partner" $0="Edm.String" $1="Edm.Int64" $2="Database.Customers" $3="Customers" $4="Orders" $5="ID"?><_0 Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><_1><_2 Namespace="Database" xmlns="http://docs.oasis-open.org/odata/ns/edm"><_3 _C="$3"><_4><_5 _C="$5"/></_4><_6 _C="$5" _D="$1" _E="false"/><_6 _C="Name" _D="$0"/><_6 _C="Description" _D="$0"/><_6 _C="Balance" _D="Edm.Decimal" Precision="10" Scale="2"/><_7 _C="$4" _D="Collection(Database.Orders)" _F="Customer"/></_3><_3 _C="$4"><_4><_5 _C="$5"/></_4><_6 _C="$5" _D="$1" _E="false"/><_6 _C="Title" _D="$0"/><_6 _C="CustomerID" _D="$1"/><_7 _C="Customer" _D="$2" _F="$4"><_8 _6="CustomerID" ReferencedProperty="$5"/></_7></_3><_9 _C="Shop"><_A _C="$3" _3="$2"><_B Path="$4" Target="$4"/></_A><_A _C="$4" _3="Database.Orders"><_B Path="Customer" Target="$3"/></_A></_9></_2></_1></_0>
        """
}
