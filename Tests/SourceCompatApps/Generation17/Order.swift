// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Order: EntityValue {
    public static let id: Property = ShopMetadata.EntityTypes.order.property(withName: "ID")
    public static let title: Property = ShopMetadata.EntityTypes.order.property(withName: "Title")
    public static let customerID: Property = ShopMetadata.EntityTypes.order.property(withName: "CustomerID")
    public static let customer: Property = ShopMetadata.EntityTypes.order.property(withName: "Customer")

    public init() {
        super.init(type: ShopMetadata.EntityTypes.order)
    }

    open class func list(from: EntityValueList) -> [Order] {
        return ArrayConverter.convert(from.toArray(), [Order]())
    }

    open func copy() -> Order {
        return CastRequired<Order>.from(self.copyEntity())
    }

    open var old: Order {
        return CastRequired<Order>.from(self.oldEntity)
    }

    public static func key(id: Int64) -> EntityKey {
        return EntityKey().with(name: "ID", value: LongValue.of(id))
    }

    open var id: Int64 {
        get {
            return LongValue.unwrap(self.dataValue(for: Order.id))
        }
        set(value) {
            self.setDataValue(for: Order.id, to: LongValue.of(value))
        }
    }

    open var title: String? {
        get {
            return StringValue.optional(self.dataValue(for: Order.title))
        }
        set(value) {
            self.setDataValue(for: Order.title, to: StringValue.of(optional: value))
        }
    }

    open var customerID: Int64? {
        get {
            return LongValue.optional(self.dataValue(for: Order.customerID))
        }
        set(value) {
            self.setDataValue(for: Order.customerID, to: LongValue.of(optional: value))
        }
    }

    open var customer: Customer? {
        get {
            return CastOptional<Customer>.from(self.dataValue(for: Order.customer))
        }
        set(value) {
            self.setDataValue(for: Order.customer, to: value)
        }
    }
}
