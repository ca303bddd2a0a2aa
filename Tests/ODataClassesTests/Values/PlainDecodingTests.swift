import Foundation
import ODataClasses
import ODataModel
import Testing

/// What entities are encoded as is what the decoders of an app's own types read.
@Suite struct PlainDecodingTests {
    private struct Order: Decodable {
        var ID: Int
        var Note: String?
        var Token: UUID
        var Data: Data
        var Changed: Date
        var Colour: Int
        var Tags: [String]
        var Address: Address

        struct Address: Decodable { var City: String? }
    }

    private struct Price<Value: Decodable>: Decodable { var Price: Value }

    private static let bytes = Data([0xFB, 0xFF, 0x3E, 0x3F])

    private func order() throws -> EntityValue {
        let document = try ShopModel.document()
        let type = try document.entity(0)
        let order = EntityValue(withDefaults: false, type: type)
        func set(_ name: String, _ value: DataValue) {
            order.setDataValue(for: type.property(withName: name), to: value)
        }
        set("ID", IntValue.of(7))
        set("Note", StringValue.of("n"))
        set("Price", DecimalValue.of(BigDecimal("12345678901234567890.10")))
        set("Token", GuidValue.literal("01234567-89ab-cdef-0123-456789abcdef"))
        set("Data", BinaryValue.of(Self.bytes))
        set("Changed", GlobalDateTime.of(year: 2031, month: 5, day: 1, hour: 8))
        set("Colour", document.enumType(withName: "Shop.Colour").withInt(2))
        set("Tags", StringList.fromArray(["a", "b"]))
        let address = ComplexValue.ofType(document.complexType(withName: "Shop.Address"))
        address.setDataValue(
            for: address.complexType.property(withName: "City"), to: StringValue.of("Ulm"))
        set("Address", address)
        return order
    }

    @Test func typesOfTheAppReadTheForm() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let read = try decoder.decode(Order.self, from: JSONEncoder().encode(try order()))
        #expect(read.ID == 7 && read.Note == "n" && read.Tags == ["a", "b"])
        #expect(read.Token == UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
        #expect(read.Data == Self.bytes && read.Colour == 2 && read.Address.City == "Ulm")
        #expect(read.Changed == GlobalDateTime.of(year: 2031, month: 5, day: 1, hour: 8).utc())
    }

    @Test func decimalsAreTextOrNumbersByChoice() throws {
        let order = try order()
        let encoder = JSONEncoder()
        let text = try JSONDecoder().decode(Price<String>.self, from: try encoder.encode(order))
        #expect(text.Price == "12345678901234567890.10")
        encoder.userInfo[CSDLDocument.decimalsAsNumbersKey] = true
        let data = try encoder.encode(order)
        let number = try JSONDecoder().decode(Price<Decimal>.self, from: data)
        #expect(number.Price == Decimal(string: "12345678901234567890.1"))
        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = try ShopModel.document()
        let again = try decoder.decode(EntityValue.self, from: data)
        let price = again.entityType.property(withName: "Price")
        #expect(price.decimalValue(from: again) == BigDecimal("12345678901234567890.10"))
        #expect(
            again.entityType.property(withName: "Data").binaryValue(from: again) == Self.bytes)
    }
}
