// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Customer: EntityValue {
    private static var id_: Property = ShopMetadata.EntityTypes.customer.property(withName: "ID")

    private static var name_: Property = ShopMetadata.EntityTypes.customer.property(withName: "Name")

    private static var description_: Property = ShopMetadata.EntityTypes.customer.property(withName: "Description")

    private static var balance_: Property = ShopMetadata.EntityTypes.customer.property(withName: "Balance")

    private static var orders_: Property = ShopMetadata.EntityTypes.customer.property(withName: "Orders")

    public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
        super.init(withDefaults: withDefaults, type: ShopMetadata.EntityTypes.customer, withIndexMap: withIndexMap)
    }

    public required init(from decoder: Decoder) throws {
        try super.init(from: decoder)
    }

    open class func array(from: EntityValueList) -> [Customer] {
        return ArrayConverter.convert(from.toArray(), [Customer]())
    }

    open func copy() -> Customer {
        return CastRequired<Customer>.from(self.copyEntity())
    }

    override open var isProxy: Bool {
        return true
    }

    open class func key(id: Int64?) -> EntityKey {
        return EntityKey().with(name: "ID", value: LongValue.of(optional: id))
    }

    open var old: Customer {
        return CastRequired<Customer>.from(self.oldEntity)
    }

    open class var id: Property {
        get {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                return Customer.id_
            }
        }
        set(value) {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                Customer.id_ = value
            }
        }
    }

    open class var name: Property {
        get {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                return Customer.name_
            }
        }
        set(value) {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                Customer.name_ = value
            }
        }
    }

    open class var description: Property {
        get {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                return Customer.description_
            }
        }
        set(value) {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                Customer.description_ = value
            }
        }
    }

    open class var balance: Property {
        get {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                return Customer.balance_
            }
        }
        set(value) {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                Customer.balance_ = value
            }
        }
    }

    open class var orders: Property {
        get {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                return Customer.orders_
            }
        }
        set(value) {
            objc_sync_enter(Customer.self)
            defer { objc_sync_exit(Customer.self) }
            do {
                Customer.orders_ = value
            }
        }
    }

    open var id: Int64? {
        get {
            return LongValue.optional(self.optionalValue(for: Customer.id))
        }
        set(value) {
            self.setOptionalValue(for: Customer.id, to: LongValue.of(optional: value))
        }
    }

    open var name: String? {
        get {
            return StringValue.optional(self.optionalValue(for: Customer.name))
        }
        set(value) {
            self.setOptionalValue(for: Customer.name, to: StringValue.of(optional: value))
        }
    }

    open var description: String? {
        get {
            return StringValue.optional(self.optionalValue(for: Customer.description))
        }
        set(value) {
            self.setOptionalValue(for: Customer.description, to: StringValue.of(optional: value))
        }
    }

    open var balance: BigDecimal? {
        get {
            return DecimalValue.optional(self.optionalValue(for: Customer.balance))
        }
        set(value) {
            self.setOptionalValue(for: Customer.balance, to: DecimalValue.of(optional: value))
        }
    }

    open var orders: [Order] {
        get {
            return ArrayConverter.convert(Customer.orders.entityList(from: self).toArray(), [Order]())
        }
        set(value) {
            Customer.orders.setEntityList(in: self, to: EntityValueList.fromArray(ArrayConverter.convert(value, [EntityValue]())))
        }
    }
}
