// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Customer: EntityValue {
    public static let id: Property = ShopMetadata.EntityTypes.customer.property(withName: "ID")
    public static let name: Property = ShopMetadata.EntityTypes.customer.property(withName: "Name")
    public static let description: Property = ShopMetadata.EntityTypes.customer.property(withName: "Description")
    public static let balance: Property = ShopMetadata.EntityTypes.customer.property(withName: "Balance")
    public static let orders: Property = ShopMetadata.EntityTypes.customer.property(withName: "Orders")

    public init() {
        super.init(type: ShopMetadata.EntityTypes.customer)
    }

    open class func list(from: EntityValueList) -> [Customer] {
        return ArrayConverter.convert(from.toArray(), [Customer]())
    }

    open func copy() -> Customer {
        return CastRequired<Customer>.from(self.copyEntity())
    }

    open var old: Customer {
        return CastRequired<Customer>.from(self.oldEntity)
    }

    public static func key(id: Int64) -> EntityKey {
        return EntityKey().with(name: "ID", value: LongValue.of(id))
    }

    open var id: Int64 {
        get {
            return LongValue.unwrap(self.dataValue(for: Customer.id))
        }
        set(value) {
            self.setDataValue(for: Customer.id, to: LongValue.of(value))
        }
    }

    open var name: String? {
        get {
            return StringValue.optional(self.dataValue(for: Customer.name))
        }
        set(value) {
            self.setDataValue(for: Customer.name, to: StringValue.of(optional: value))
        }
    }

    open var description: String? {
        get {
            return StringValue.optional(self.dataValue(for: Customer.description))
        }
        set(value) {
            self.setDataValue(for: Customer.description, to: StringValue.of(optional: value))
        }
    }

    open var balance: BigDecimal? {
        get {
            return DecimalValue.optional(self.dataValue(for: Customer.balance))
        }
        set(value) {
            self.setDataValue(for: Customer.balance, to: DecimalValue.of(optional: value))
        }
    }

    open var orders: [Order] {
        get {
            return ArrayConverter.convert(EntityValueList.castRequired(self.requiredValue(for: Customer.orders)).toArray(), [Order]())
        }
        set(value) {
            Customer.orders.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]())))
        }
    }
}
