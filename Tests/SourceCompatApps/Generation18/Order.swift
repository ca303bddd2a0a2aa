// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Order: EntityValue {
    private static var id_: Property = ShopMetadata.EntityTypes.order.property(withName: "ID")

    private static var title_: Property = ShopMetadata.EntityTypes.order.property(withName: "Title")

    private static var customerID_: Property = ShopMetadata.EntityTypes.order.property(withName: "CustomerID")

    private static var customer_: Property = ShopMetadata.EntityTypes.order.property(withName: "Customer")

    public init(withDefaults: Bool = true) {
        super.init(withDefaults: withDefaults, type: ShopMetadata.EntityTypes.order)
    }

    public required init(from decoder: Decoder) throws {
        try super.init(from: decoder)
    }

    open class func array(from: EntityValueList) -> [Order] {
        return ArrayConverter.convert(from.toArray(), [Order]())
    }

    open func copy() -> Order {
        return CastRequired<Order>.from(self.copyEntity())
    }

    open override var isProxy: Bool {
        return true
    }

    open class func key(id: Int64?) -> EntityKey {
        return EntityKey().with(name: "ID", value: LongValue.of(optional: id))
    }

    open var old: Order {
        return CastRequired<Order>.from(self.oldEntity)
    }

    open class var id: Property {
        get {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            return Order.id_
        }
        set(value) {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            Order.id_ = value
        }
    }

    open class var title: Property {
        get {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            return Order.title_
        }
        set(value) {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            Order.title_ = value
        }
    }

    open class var customerID: Property {
        get {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            return Order.customerID_
        }
        set(value) {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            Order.customerID_ = value
        }
    }

    open class var customer: Property {
        get {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            return Order.customer_
        }
        set(value) {
            objc_sync_enter(Order.self)
            defer { objc_sync_exit(Order.self) }
            Order.customer_ = value
        }
    }

    open var id: Int64? {
        get {
            return LongValue.optional(self.optionalValue(for: Order.id))
        }
        set(value) {
            self.setOptionalValue(for: Order.id, to: LongValue.of(optional: value))
        }
    }

    open var title: String? {
        get {
            return StringValue.optional(self.optionalValue(for: Order.title))
        }
        set(value) {
            self.setOptionalValue(for: Order.title, to: StringValue.of(optional: value))
        }
    }

    open var customerID: Int64? {
        get {
            return LongValue.optional(self.optionalValue(for: Order.customerID))
        }
        set(value) {
            self.setOptionalValue(for: Order.customerID, to: LongValue.of(optional: value))
        }
    }

    open var customer: Customer? {
        get {
            return CastOptional<Customer>.from(self.optionalValue(for: Order.customer))
        }
        set(value) {
            self.setOptionalValue(for: Order.customer, to: value)
        }
    }
}
