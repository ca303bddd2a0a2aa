import Foundation
import ODataClasses
import ODataModel
import Testing

/// Classes as generators of 2017 wrote them, which know nothing of decoders, and classes that do.
@Suite struct OlderClassTests {
    final class Plain: EntityValue, @unchecked Sendable {
        // As its base class.
        nonisolated(unsafe) static var type_ = EntityType.undefined

        init() { super.init(type: Plain.type_) }
    }

    final class Decoded: EntityValue, @unchecked Sendable {
        // As its base class.
        let isDecoded: Bool

        init(_ type: EntityType) {
            isDecoded = false
            super.init(withDefaults: false, type: type)
        }

        required init(from decoder: any Decoder) throws {
            isDecoded = true
            try super.init(from: decoder)
        }
    }

    private func decode<Value: Decodable>(
        _ value: EntityValue, as type: Value.Type, _ document: CSDLDocument
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = document
        return try decoder.decode(type, from: try JSONEncoder().encode(value))
    }

    @Test func classesWithoutAnInitialiserForItAreDecoded() throws {
        let document = try ShopModel.document()
        let type = try document.entity(0)
        Plain.type_ = type
        let note = type.property(withName: "Note")
        let plain = Plain()
        note.setStringValue(in: plain, to: "n")
        plain.isNew = false
        #expect(throws: DecodingError.self) { try decode(plain, as: Plain.self, document) }
        #expect(note.stringValue(from: try decode(plain, as: EntityValue.self, document)) == "n")
        // The closure leads back to where it was asked from, which is no reason to go round for ever.
        type.registerFactory(
            ObjectFactory.with(create: { Plain() }, createWithDecoder: { try Plain(from: $0) }))
        let again = try decode(plain, as: Plain.self, document)
        #expect(note.stringValue(from: again) == "n" && !again.isNew && again.oldEntity != nil)
        #expect(try decode(plain, as: EntityValue.self, document) is Plain)
    }

    @Test func theInitialiserOfAClassIsUsed() throws {
        let document = try ShopModel.document()
        let type = try document.entity(0)
        type.registerFactory(
            ObjectFactory.with(
                create: { Decoded(type) }, createWithDecoder: { try Decoded(from: $0) }))
        let value = Decoded(type)
        type.property(withName: "Note").setStringValue(in: value, to: "n")
        let again = try decode(value, as: Decoded.self, document)
        #expect(again.isDecoded && again.isNew)
        #expect(type.property(withName: "Note").stringValue(from: again) == "n")
    }
}
