import Foundation
import ODataClasses
import ODataModel
import Testing

/// A class made for a service has properties of any name and type; what interpolation shows is something else.
@Suite struct ReadableTests {
    final class Note: EntityValue, @unchecked Sendable {
        // Confined as its base class says.
        class var description: Int { 7 }
        var description: String? { "of the service" }
        var debugDescription: Int64 { 12 }

        override func toString() -> String { "readable" }
    }

    @Test func propertiesMayBeCalledLikeTheReadableForms() throws {
        let note = Note(withDefaults: false, type: try ShopModel.document().entity(0))
        #expect(Note.description == 7)
        let own = note.description
        #expect(type(of: own) == String?.self && own == "of the service")
        #expect(note.debugDescription == 12)
        #expect("\(note)" == "readable" && String(reflecting: note) == "readable")
        #expect((note as ObjectBase).description == "readable")
        #expect((note as any CustomStringConvertible).description == "readable")
        #expect(IntValue.of(3).description == "3" && IntValue.of(3).debugDescription == "3")
    }
}
