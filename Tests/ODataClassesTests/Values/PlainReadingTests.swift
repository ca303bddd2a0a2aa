import ODataClasses
import ODataModel
import Testing

/// Typed reads give what the value objects hold, from rows and from own values.
@Suite struct PlainReadingTests {
    private let document: CSDLDocument

    init() throws { document = try ShopModel.document() }

    private func order(_ note: ODataValue?) throws -> StructureValue {
        var value = StructureValue(type: StructureID(0), in: document.graph)
        value.slots[0] = .scalar(.integer(7))
        value.slots[1] = note
        value.slots[2] = DecimalNumber("12.50").map { .scalar(.decimal($0)) }
        value.slots[4] = .scalar(.integer(4))
        return value
    }

    private func property(_ name: String) throws -> Property {
        try document.entity(0).property(withName: name)
    }

    @Test(arguments: [true, false])
    func plainValuesAreThoseOfTheObjects(isRow: Bool) throws {
        let value = try order(.scalar(.string("fragile")))
        let storage: StructureStorage =
            isRow ? .chunk(PlainChunk(value), row: 0) : .value(value)
        let entity = EntityValue.make(storage, type: try document.entity(0))
        #expect(try property("ID").intValue(from: entity) == 7)
        #expect(try property("ID").optionalLong(from: entity) == 7)
        #expect(try property("Count").optionalShort(from: entity) == 4)
        #expect(try property("Note").stringValue(from: entity) == "fragile")
        #expect(try property("Price").decimalValue(from: entity) == BigDecimal("12.5"))
        #expect(try property("Price").optionalDouble(from: entity) == 12.5)
        #expect(try property("ID").optionalDecimal(from: entity) == BigDecimal(7))
        #expect(try property("Due").optionalValue(from: entity) == nil)
    }

    @Test(arguments: [true, false])
    func nullAndUnsetAreNil(isRow: Bool) throws {
        for note in [ODataValue.null, nil] {
            let value = try order(note)
            let storage: StructureStorage =
                isRow ? .chunk(PlainChunk(value), row: 0) : .value(value)
            let entity = EntityValue.make(storage, type: try document.entity(0))
            #expect(try property("Note").optionalString(from: entity) == nil)
        }
    }

    @Test func aWriteIsReadAtOnceAndDefaultsStay() throws {
        let row = StructureStorage.chunk(PlainChunk(try order(.null)), row: 0)
        let entity = EntityValue.make(row, type: try document.entity(0))
        try property("Note").setStringValue(in: entity, to: "new")
        #expect(try property("Note").optionalString(from: entity) == "new")
        #expect(try property("ID").intValue(from: entity) == 7)
        let new = EntityValue(type: try document.entity(0))
        #expect(try property("Count").shortValue(from: new) == 3)
        #expect(try property("Note").optionalString(from: new) == nil)
        #expect(try property("Price").optionalDecimal(from: new) == BigDecimal(0))
    }

    @Test func propertiesOfABaseTypeAreReadFromDerivedEntities() throws {
        var value = try order(.scalar(.string("fragile")))
        value.type = StructureID(3)
        value.slots.append(nil)
        let entity = EntityValue.make(
            .chunk(PlainChunk(value), row: 0), type: try document.entity(3))
        #expect(try property("ID").intValue(from: entity) == 7)
        #expect(try property("Note").stringValue(from: entity) == "fragile")
    }
}

/// One row that gives plain values of its own.
private final class PlainChunk: RowChunk {
    private let value: StructureValue

    init(_ value: StructureValue) { self.value = value }

    func type(row: Int) -> StructureID { value.type }
    func value(row: Int, slot: Int) -> ODataValue? { value.slots[slot] }
    func isSet(row: Int, slot: Int) -> Bool { value.slots[slot] != nil }
    func control(row: Int) -> ControlInformation { value.control }
    func structureValue(row: Int) -> StructureValue { value }
    func localID(row: Int) -> Int64? { nil }

    func integer(row: Int, slot: Int) -> PlainReading<Int64> {
        if case .scalar(.integer(let number))? = value.slots[slot] {
            .value(number)
        } else {
            .general
        }
    }

    func text(row: Int, slot: Int) -> PlainReading<String> {
        switch value.slots[slot] {
        case .scalar(.string(let text))?: .value(text)
        case .scalar(.null)?: .null
        default: .general
        }
    }
}
