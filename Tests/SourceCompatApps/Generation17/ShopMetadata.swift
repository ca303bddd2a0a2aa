// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

public class ShopMetadata {
    private static let source: String = """
        <?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="Database" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Customers"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Name" Type="Edm.String"/><Property Name="Description" Type="Edm.String"/><Property Name="Balance" Type="Edm.Decimal" Precision="10" Scale="2"/><NavigationProperty Name="Orders" Type="Collection(Database.Orders)" Partner="Customer"/></EntityType><EntityType Name="Orders"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="Title" Type="Edm.String"/><Property Name="CustomerID" Type="Edm.Int64"/><NavigationProperty Name="Customer" Type="Database.Customers" Partner="Orders"><ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType><EntityContainer Name="Shop"><EntitySet Name="Customers" EntityType="Database.Customers"><NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet><EntitySet Name="Orders" EntityType="Database.Orders"><NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    internal static let parsed: CSDLDocument = ShopMetadata.parse()

    public static let document: CSDLDocument = ShopMetadata.resolve()

    private static func parse() -> CSDLDocument {
        let parser = CSDLParser()
        parser.logWarnings = false
        parser.csdlOptions = (CSDLOption.processMixedVersions | CSDLOption.retainOriginalText | CSDLOption.ignoreUndefinedTerms)
        let metadata = parser.parseInProxy(ShopMetadata.source, url: "Shop")
        metadata.proxyVersion = "17.3"
        return metadata
    }

    private static func resolve() -> CSDLDocument {
        EntityTypes.customer.registerFactory(ObjectFactory.with(create: { Customer() }))
        EntityTypes.order.registerFactory(ObjectFactory.with(create: { Order() }))
        ShopMetadata.parsed.hasGeneratedProxies = true
        return ShopMetadata.parsed
    }

    public class EntityTypes {
        public static let customer: EntityType = ShopMetadata.parsed.entityType(withName: "Database.Customers")
        public static let order: EntityType = ShopMetadata.parsed.entityType(withName: "Database.Orders")
    }

    public class EntitySets {
        public static let customers: EntitySet = ShopMetadata.parsed.entitySet(withName: "Customers")
        public static let orders: EntitySet = ShopMetadata.parsed.entitySet(withName: "Orders")
    }
}
