// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

public class ShopMetadata {
    private static var document_: CSDLDocument = ShopMetadata.resolve()

    public static var document: CSDLDocument {
        get {
            objc_sync_enter(ShopMetadata.self)
            defer { objc_sync_exit(ShopMetadata.self) }
            return ShopMetadata.document_
        }
        set(value) {
            objc_sync_enter(ShopMetadata.self)
            defer { objc_sync_exit(ShopMetadata.self) }
            ShopMetadata.document_ = value
        }
    }

    private static func resolve() -> CSDLDocument {
        try! ShopFactory.registerAll()
        ShopMetadataParser.parsed.hasGeneratedProxies = true
        return ShopMetadataParser.parsed
    }

    public class EntityTypes {
        private static var customer_: EntityType = ShopMetadataParser.parsed.entityType(withName: "Database.Customers")
        private static var order_: EntityType = ShopMetadataParser.parsed.entityType(withName: "Database.Orders")

        public static var customer: EntityType {
            get {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                return ShopMetadata.EntityTypes.customer_
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                ShopMetadata.EntityTypes.customer_ = value
            }
        }

        public static var order: EntityType {
            get {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                return ShopMetadata.EntityTypes.order_
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                ShopMetadata.EntityTypes.order_ = value
            }
        }
    }

    public class EntitySets {
        private static var customers_: EntitySet = ShopMetadataParser.parsed.entitySet(withName: "Customers")
        private static var orders_: EntitySet = ShopMetadataParser.parsed.entitySet(withName: "Orders")

        public static var customers: EntitySet {
            get {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                return ShopMetadata.EntitySets.customers_
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                ShopMetadata.EntitySets.customers_ = value
            }
        }

        public static var orders: EntitySet {
            get {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                return ShopMetadata.EntitySets.orders_
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                ShopMetadata.EntitySets.orders_ = value
            }
        }
    }
}

internal class ShopMetadataParser {
    internal static let options: Int =
        (CSDLOption.processMixedVersions | CSDLOption.retainOriginalText | CSDLOption.ignoreUndefinedTerms
            | CSDLOption.allowCaseConflicts | CSDLOption.disableFacetWarnings | CSDLOption.disableNameValidation)

    internal static let parsed: CSDLDocument = ShopMetadataParser.parse()

    static func parse() -> CSDLDocument {
        let parser = CSDLParser()
        parser.logWarnings = false
        parser.csdlOptions = ShopMetadataParser.options
        let metadata = parser.parseInProxy(ShopMetadataText.xml, url: "Shop")
        metadata.proxyVersion = "18.9"
        return metadata
    }
}

internal class ShopFactory {
    static func registerAll() throws {
        ShopMetadata.EntityTypes.customer.registerFactory(
            ObjectFactory.with(create: { Customer(withDefaults: false) }, createWithDecoder: { d in try Customer(from: d) }))
        ShopMetadata.EntityTypes.order.registerFactory(
            ObjectFactory.with(create: { Order(withDefaults: false) }, createWithDecoder: { d in try Order(from: d) }))
        ShopStaticResolver.resolve()
    }
}

internal class ShopStaticResolver {
    static func resolve() {
        Ignore.value(ShopMetadata.EntityTypes.customer)
        Ignore.value(ShopMetadata.EntitySets.orders)
        Ignore.value(Customer.id)
        Ignore.value(Order.customer)
    }
}

internal class ShopMetadataChanges {
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        ShopMetadata.document = metadata
        if !ShopMetadata.EntityTypes.customer.isRemoved {
            ShopMetadata.EntityTypes.customer = metadata.entityType(withName: "Database.Customers")
        }
        if !ShopMetadata.EntityTypes.order.isRemoved {
            ShopMetadata.EntityTypes.order = metadata.entityType(withName: "Database.Orders")
        }
        if !ShopMetadata.EntitySets.customers.isRemoved {
            ShopMetadata.EntitySets.customers = metadata.entitySet(withName: "Customers")
        }
        if !ShopMetadata.EntitySets.orders.isRemoved {
            ShopMetadata.EntitySets.orders = metadata.entitySet(withName: "Orders")
        }
        if !Customer.id.isRemoved { Customer.id = ShopMetadata.EntityTypes.customer.property(withName: "ID") }
        if !Customer.name.isRemoved { Customer.name = ShopMetadata.EntityTypes.customer.property(withName: "Name") }
        if !Customer.description.isRemoved {
            Customer.description = ShopMetadata.EntityTypes.customer.property(withName: "Description")
        }
        if !Customer.balance.isRemoved {
            Customer.balance = ShopMetadata.EntityTypes.customer.property(withName: "Balance")
        }
        if !Customer.orders.isRemoved { Customer.orders = ShopMetadata.EntityTypes.customer.property(withName: "Orders") }
        if !Order.id.isRemoved { Order.id = ShopMetadata.EntityTypes.order.property(withName: "ID") }
        if !Order.title.isRemoved { Order.title = ShopMetadata.EntityTypes.order.property(withName: "Title") }
        if !Order.customerID.isRemoved {
            Order.customerID = ShopMetadata.EntityTypes.order.property(withName: "CustomerID")
        }
        if !Order.customer.isRemoved { Order.customer = ShopMetadata.EntityTypes.order.property(withName: "Customer") }
    }
}
