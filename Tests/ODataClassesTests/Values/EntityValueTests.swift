import ODataClasses
import Foundation
import ODataModel
import Testing

@Suite struct EntityValueTests {
    let document: CSDLDocument
    let order: EntityType

    init() throws {
        document = try ShopModel.document()
        order = try document.entity(0)
    }

    private func property(_ name: String) -> Property { order.property(withName: name) }

    private func row() -> StructureValue {
        var value = StructureValue(type: order.structureID, in: document.graph)
        value.slots[0] = .scalar(.integer(7))
        value.slots[1] = .scalar(.string("first"))
        value.slots[2] = .null
        value.control.etag = "W/\"1\""
        return value
    }

    @Test func rowsStayInTheirChunkUntilTheFirstWrite() throws {
        let chunk = CountingChunk([row(), row()])
        let set = try #require(document.entitySet(named: "Orders"))
        let list = EntityValueList.rows(chunk, 0..<2, in: document.model, set: set)
        #expect(list.length == 2)
        let entity = list[1]
        #expect(entity === list[1])
        #expect(entity.dataValue(for: property("Note"))?.toString() == "first")
        #expect(entity.entityTag == "W/\"1\"")
        #expect(entity.canonicalURL == "Orders(7)")
        #expect(entity.localID == 101)
        #expect(!entity.isNew && !entity.isNewOrChanged(property("Note")))
        #expect(chunk.wholeRows == 0)

        entity.setDataValue(for: property("Note"), to: StringValue.of("second"))
        #expect(chunk.wholeRows == 1)
        #expect(entity.localID == 101)
        #expect(entity.structureValue.slots[1] == .scalar(.string("second")))
        #expect(list[0].dataValue(for: property("Note"))?.toString() == "first")
    }

    @Test func unsetNullAndValueAreThreeThings() {
        let entity = EntityValue.make(.value(row()), type: order)
        #expect(entity.hasDataValue(for: property("Price")))
        #expect(entity.dataValue(for: property("Price")) == nil)
        #expect(!entity.hasDataValue(for: property("Due")))
        #expect(entity.optionalValue(for: property("Due")) == nil)
        entity.unsetDataValue(for: property("Note"))
        #expect(!entity.hasDataValue(for: property("Note")))
        #expect(entity.structureValue.slots[1] == nil)
        entity.setOptionalValue(for: property("Price"), to: nil)
        #expect(!entity.hasDataValue(for: property("Price")))
        entity.setOptionalValue(for: property("Note"), to: nil)
        #expect(entity.hasDataValue(for: property("Note")))
    }

    @Test func newEntitiesReadDefaultsWithoutHavingThemSet() {
        let entity = EntityValue.ofType(order)
        #expect(entity.isNew)
        #expect(IntValue.unwrap(entity.dataValue(for: property("ID"))) == 0)
        #expect(ShortValue.unwrap(entity.dataValue(for: property("Count"))) == 3)
        #expect(entity.dataValue(for: property("Note")) == nil)
        #expect(EntityValueList.castRequired(entity.dataValue(for: property("Items"))).isEmpty)
        #expect(entity.structureValue.slots.allSatisfy { $0 == nil })
        #expect(!entity.hasKey())
        entity.setDefaultValues()
        #expect(entity.structureValue.slots[4] == .scalar(.integer(3)))
        #expect(entity.structureValue.slots[0] == .scalar(.integer(0)))
        #expect(entity.structureValue.slots[1] == .null)
        #expect(entity.structureValue.slots[9] == nil)
    }

    @Test func changesAreThoseAgainstTheSnapshot() throws {
        let entity = EntityValue.make(.value(row()), type: order)
        entity.rememberOld()
        #expect(entity.changedSlots == [])
        entity.setDataValue(for: property("Note"), to: StringValue.of("second"))
        entity.setDataValue(for: property("ID"), to: IntValue.of(7))
        #expect(entity.changedSlots == [1])
        let old = try #require(entity.oldEntity)
        #expect(old.dataValue(for: property("Note"))?.toString() == "first")
        entity.setDataValue(for: property("Note"), to: StringValue.of("first"))
        #expect(entity.changedSlots == [])
        entity.rememberOld()
        entity.setDataValue(for: property("Price"), to: DecimalValue.of(BigDecimal("2.50")))
        #expect(entity.isNewOrChanged(property("Price")))
    }

    @Test func structuresReadFromAPropertyStayAttached() throws {
        var value = row()
        var address = StructureValue(type: StructureID(2), in: document.graph)
        address.slots[0] = .scalar(.string("Rome"))
        value.slots[7] = .structure(address)
        let entity = EntityValue.make(.value(value), type: order)
        entity.rememberOld()
        let complex = ComplexValue.castRequired(entity.dataValue(for: property("Address")))
        let city = complex.complexType.property(withName: "City")
        complex.setDataValue(for: city, to: StringValue.of("Oslo"))
        #expect(entity.changedSlots == [7])
        #expect(entity.structureValue.slots[7]?.structure?.slots[0] == .scalar(.string("Oslo")))
        let path = property("Address").path(city)
        #expect(entity.dataValue(for: path)?.toString() == "Oslo")
        #expect(entity.oldEntity?.dataValue(for: path)?.toString() == "Rome")
    }

    @Test func aChangedRowIsComparedWithTheRowItCameFrom() throws {
        let entity = EntityValue.make(.chunk(CountingChunk([row()]), row: 0), type: order)
        entity.setDataValue(for: property("Note"), to: StringValue.of("second"))
        entity.entityTag = "W/\"2\""
        #expect(entity.changedSlots == [1])
        #expect(entity.oldEntity?.dataValue(for: property("Note"))?.toString() == "first")
        entity.setDataValue(for: property("Note"), to: StringValue.of("first"))
        #expect(entity.changedSlots.isEmpty)
    }

    @Test func copiesAreIndependentAndKeepTheLinks() throws {
        let entity = EntityValue.make(.chunk(CountingChunk([row()]), row: 0), type: order)
        let copy = entity.copyEntity()
        copy.setDataValue(for: property("Note"), to: StringValue.of("copy"))
        #expect(entity.dataValue(for: property("Note"))?.toString() == "first")
        #expect(copy.entityTag == "W/\"1\"")
        #expect(copy.localID == 100)
        #expect(copy.changedSlots == [1])
        #expect(EntityValue.equalKeys(entity, copy))
        #expect(!EntityValue.equal(entity, copy))
    }

    @Test func deepCreateKeepsAssignedEntitiesAndEndsCycles() throws {
        let parent = EntityValue(type: order)
        let item = EntityValue(type: try document.entity(1))
        item.setDataValue(for: item.entityType.property(withName: "Name"), to: StringValue.of("a"))
        parent.setDataValue(for: property("Items"), to: EntityValueList.fromArray([item]))
        parent.setDataValue(for: property("Parent"), to: parent)
        let value = parent.structureValue
        #expect(value.slots[9]?.list?.count == 1)
        #expect(value.slots[9]?.list?.first?.structure?.slots[1] == .scalar(.string("a")))
        #expect(value.slots[10]?.structure?.slots == [])
    }

    @Test func bindingsWaitInOrderAndTheLastWordCounts() throws {
        let entity = EntityValue(type: order)
        let (first, second) = (EntityValue(type: order), EntityValue(type: order))
        let item = EntityValue(type: try document.entity(1))
        #expect(!entity.hasChangedBindings)
        entity.bindEntity(first, to: property("Parent"))
        entity.bindEntity(second, to: property("Parent"))
        entity.bindEntity(item, to: property("Items"))
        entity.unbindEntity(item, from: property("Items"))
        #expect(entity.bindings.map(\.isBind) == [true, false])
        #expect(entity.bindings.first?.target === second)
        entity.bindings = []
        #expect(!entity.hasChangedBindings)
    }

    @Test func keysOfSeveralPartsMakeTheCanonicalURL() throws {
        let type = try document.entity(1)
        let item = EntityValue(type: type).withKey(
            EntityKey().with(name: "OrderID", value: IntValue.of(5))
                .with(name: "Name", value: StringValue.of("O'Neil/100%")))
        #expect(item.canonicalURL == "Items(OrderID=5,Name='O''Neil%2F100%25')")
        #expect(item.entityKey.toString() == "OrderID=5,Name=O'Neil/100%")
        #expect(item.hasClientProvidedKey)
    }

    @Test func codableRoundTripsTypeValuesAndLinks() throws {
        let entity = EntityValue(type: try document.entity(3)).inSet(
            try #require(document.entitySet(named: "Orders")))
        func set(_ name: String, _ value: DataValue?) {
            entity.setDataValue(for: entity.entityType.property(withName: name), to: value)
        }
        set("ID", IntValue.of(7))
        set("Note", nil)
        set("Price", DecimalValue.of(BigDecimal("12345678901234567890.50")))
        set("Due", LocalDate.parse("-0044-03-15"))
        set("Colour", EnumValue.castRequired(EnumValue(document[EnumerationID(0)], 5)))
        set("Tags", StringList.fromArray(["a", "b"]))
        set("Changed", GlobalDateTime.parse("2031-05-01T08:30:00.123456789012+05:30"))
        set("Token", GuidValue.parse("01234567-89ab-cdef-0123-456789abcdef"))
        set("Data", BinaryValue.of(Data([1, 2, 255])))
        set("Hours", DayTimeDuration.parse("PT36H"))
        let address = ComplexValue.ofType(
            try #require(document[StructureID(2)] as? ComplexType))
        address.setDataValue(
            for: address.complexType.property(withName: "City"), to: StringValue.of("Rome"))
        address.setDynamicValue("Planet", StringValue.of("Earth"))
        set("Address", address)
        entity.entityTag = "W/\"9\""

        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = document
        let read = try decoder.decode(EntityValue.self, from: JSONEncoder().encode(entity))
        #expect(read == entity)
        #expect(read.structureValue == entity.structureValue)
        #expect(read.entitySet === entity.entitySet)
        #expect(read.isNew)
        let blind = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(EntityValue.self, from: JSONEncoder().encode(entity))
        }
        guard case .dataCorrupted(let context)? = blind else {
            Issue.record("Expected corrupted data, found \(String(describing: blind)).")
            return
        }
        #expect(context.debugDescription.contains("CSDLDocument.csdlInfoKey"))
    }

    @Test func registeredFactoriesMakeTheirSubclass() throws {
        final class Order: EntityValue, @unchecked Sendable {
            override var isProxy: Bool { true }
        }
        let type = order
        type.registerFactory(ObjectFactory.with(create: { Order(withDefaults: false, type: type) }))
        #expect(EntityValue.ofType(order) is Order)
        let loaded = EntityValue.make(.value(row()), type: order)
        #expect(loaded is Order && !loaded.isNew)
        #expect(loaded.copyEntity() is Order)
        var derived = row()
        derived.type = StructureID(3)
        let rush = EntityValue.make(.value(derived), type: try document.entity(3))
        #expect(rush is Order)
        #expect(rush.entityType.localName == "RushOrder")
    }

    @Test func textIsJSONOfTheSetProperties() {
        let entity = EntityValue.make(.value(row()), type: order)
        #expect(entity.toString() == #"{"ID":7,"Note":"first","Price":null}"#)
        #expect("\(entity)" == entity.toString())
    }

    @Test func instanceAnnotationsAreThoseOfTheWholeValue() {
        var value = row()
        value.control.annotations["Shop.Colour#wall"] = .scalar(.string("red"))
        value.control.annotations["Note@Shop.Colour"] = .scalar(.string("blue"))
        let entity = EntityValue.make(.value(value), type: order)
        #expect(entity.annotations.size == 1)
        #expect(entity.annotations.orderedValues.first?.explicitValue?.toString() == "red")
        #expect(EntityValue(type: order).annotations.isEmpty)
    }
}
