// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

public enum ShopMetadata {
    private static var document_: CSDLDocument = ShopMetadata.resolve()

    public static var document: CSDLDocument {
        get {
            objc_sync_enter(ShopMetadata.self)
            defer { objc_sync_exit(ShopMetadata.self) }
            do {
                return ShopMetadata.document_
            }
        }
        set(value) {
            objc_sync_enter(ShopMetadata.self)
            defer { objc_sync_exit(ShopMetadata.self) }
            do {
                ShopMetadata.document_ = value
            }
        }
    }

    public static let lock: MetadataLock = MetadataLock()

    private static func resolve() -> CSDLDocument {
        ShopFactory.registerAll()
        ShopMetadataParser.parsed.hasGeneratedProxies = true
        return ShopMetadataParser.parsed
    }

    public enum EntityTypes {
        private static var customer_: EntityType = ShopMetadataParser.parsed.entityType(withName: "Database.Customers")

        private static var order_: EntityType = ShopMetadataParser.parsed.entityType(withName: "Database.Orders")

        public static var customer: EntityType {
            get {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                do {
                    return ShopMetadata.EntityTypes.customer_
                }
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                do {
                    ShopMetadata.EntityTypes.customer_ = value
                }
            }
        }

        public static var order: EntityType {
            get {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                do {
                    return ShopMetadata.EntityTypes.order_
                }
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntityTypes.self)
                defer { objc_sync_exit(ShopMetadata.EntityTypes.self) }
                do {
                    ShopMetadata.EntityTypes.order_ = value
                }
            }
        }
    }

    public enum EntitySets {
        private static var customers_: EntitySet = ShopMetadataParser.parsed.entitySet(withName: "Customers")

        private static var orders_: EntitySet = ShopMetadataParser.parsed.entitySet(withName: "Orders")

        public static var customers: EntitySet {
            get {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                do {
                    return ShopMetadata.EntitySets.customers_
                }
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                do {
                    ShopMetadata.EntitySets.customers_ = value
                }
            }
        }

        public static var orders: EntitySet {
            get {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                do {
                    return ShopMetadata.EntitySets.orders_
                }
            }
            set(value) {
                objc_sync_enter(ShopMetadata.EntitySets.self)
                defer { objc_sync_exit(ShopMetadata.EntitySets.self) }
                do {
                    ShopMetadata.EntitySets.orders_ = value
                }
            }
        }
    }
}

internal enum ShopMetadataParser {
    static let options: Int =
        CSDLOption.processMixedVersions | CSDLOption.ignoreUndefinedTerms | CSDLOption.allowCaseConflicts
            | CSDLOption.disableFacetWarnings | CSDLOption.disableNameValidation | CSDLOption.synthesizeTargetSets

    static let parsed: CSDLDocument = ShopMetadataParser.parse()

    static func parse() -> CSDLDocument {
        let parser = CSDLParser()
        parser.logWarnings = false
        parser.csdlOptions = ShopMetadataParser.options
        let metadata = parser.parseInProxy(ShopMetadataText.xml, url: "Shop")
        metadata.proxyVersion = "22.5.0"
        return xs_immortalize(metadata.immortalize())
    }
}

internal enum ShopFactory {
    static func registerAll() {
        ShopMetadata.EntityTypes.customer.registerFactory(ObjectFactory.with(create: { Customer(withDefaults: false) }, sparse: { indexMap in Customer(withDefaults: false, withIndexMap: indexMap) }, decode: { decoder in try Customer(from: decoder) }))
        ShopMetadata.EntityTypes.order.registerFactory(ObjectFactory.with(create: { Order(withDefaults: false) }, sparse: { indexMap in Order(withDefaults: false, withIndexMap: indexMap) }, decode: { decoder in try Order(from: decoder) }))
        ShopStaticResolver.resolve()
    }
}

internal enum ShopStaticResolver {
    static func resolve() {
        Ignore.value(ShopMetadata.EntityTypes.customer)
        Ignore.value(ShopMetadata.EntitySets.orders)
        Ignore.value(Customer.id)
        Ignore.value(Order.customer)
    }
}

internal enum ShopMetadataChanges {
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
        if !Customer.id.isRemoved {
            Customer.id = ShopMetadata.EntityTypes.customer.property(withName: "ID")
        }
        if !Customer.name.isRemoved {
            Customer.name = ShopMetadata.EntityTypes.customer.property(withName: "Name")
        }
        if !Customer.description.isRemoved {
            Customer.description = ShopMetadata.EntityTypes.customer.property(withName: "Description")
        }
        if !Customer.balance.isRemoved {
            Customer.balance = ShopMetadata.EntityTypes.customer.property(withName: "Balance")
        }
        if !Customer.orders.isRemoved {
            Customer.orders = ShopMetadata.EntityTypes.customer.property(withName: "Orders")
        }
        if !Order.id.isRemoved {
            Order.id = ShopMetadata.EntityTypes.order.property(withName: "ID")
        }
        if !Order.title.isRemoved {
            Order.title = ShopMetadata.EntityTypes.order.property(withName: "Title")
        }
        if !Order.customerID.isRemoved {
            Order.customerID = ShopMetadata.EntityTypes.order.property(withName: "CustomerID")
        }
        if !Order.customer.isRemoved {
            Order.customer = ShopMetadata.EntityTypes.order.property(withName: "Customer")
        }
    }
}
