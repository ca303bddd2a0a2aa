import ODataClasses
import Foundation
import ODataModel
import Testing

/// A class in the shape that generators write: class-level properties, typed accessors, key and copy.
@Suite struct ProxyClassTests {
    final class Registry: @unchecked Sendable {
        // Written once by `make`, before any use.
        let document: CSDLDocument
        let order: EntityType

        init() throws {
            document = try ShopModel.document()
            order = try document.entity(0)
        }
    }

    open class Order: EntityValue, Identifiable, @unchecked Sendable {
        nonisolated(unsafe) static var registry: Registry?
        static var orderType: EntityType { registry?.order ?? EntityType.undefined }
        open class var note: Property { orderType.property(withName: "Note") }
        open class var items: Property { orderType.property(withName: "Items") }
        open class var parent: Property { orderType.property(withName: "Parent") }

        public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

        public init(withDefaults: Bool = true, withIndexMap: SparseIndexMap? = nil) {
            super.init(
                withDefaults: withDefaults, type: Order.orderType, withIndexMap: withIndexMap)
        }

        open class func array(from: EntityValueList) -> [Order] {
            ArrayConverter.convert(from.toArray(), [Order]())
        }

        open class func key(id: Int?) -> EntityKey {
            EntityKey().with(name: "ID", value: IntValue.of(optional: id))
        }

        open func copy() -> Order { CastRequired<Order>.from(copyEntity()) }
        open var old: Order { CastRequired<Order>.from(oldEntity) }
        open override var isProxy: Bool { true }

        open var note: String? {
            get { StringValue.optional(optionalValue(for: Order.note)) }
            set(value) { setOptionalValue(for: Order.note, to: StringValue.of(optional: value)) }
        }

        open var parent: Order? {
            get { CastOptional<Order>.from(optionalValue(for: Order.parent)) }
            set(value) { setOptionalValue(for: Order.parent, to: value) }
        }
    }

    @Test func generatedShapesWork() throws {
        let registry = try Registry()
        Order.registry = registry
        registry.order.registerFactory(
            ObjectFactory.with(
                create: { Order(withDefaults: false) },
                sparse: { Order(withDefaults: false, withIndexMap: $0) },
                decode: { try Order(from: $0) }))
        let order = Order()
        #expect(order.note == nil && order.isProxy)
        order.note = "first"
        order.rememberOld()
        order.note = "second"
        #expect(order.old.note == "first")
        #expect(order.copy().note == "second")
        let parent = Order().withKey(Order.key(id: 3))
        order.parent = parent
        #expect(order.parent === parent)
        #expect(order.structureValue.slots[10]?.structure?.slots[0] == .scalar(.integer(3)))
        let list = EntityValueList.fromArray([order, parent])
        #expect(Order.array(from: list).map(\.note) == ["second", nil])

        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = registry.document
        let read = try decoder.decode(Order.self, from: JSONEncoder().encode(order))
        #expect(read.note == "second")
        #expect(read.parent?.entityKey.toString() == "ID=3")
    }
}
