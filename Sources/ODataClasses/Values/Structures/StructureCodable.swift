import ODataModel

/// Decoding of complex and entity values into objects of the classes that are registered for their types.
///
/// It comes from a protocol, because an initialiser of the base class would have to be repeated by every subclass, and generated
/// classes of 2017 do not. Classes that have `required init(from:)` call that of their base class in it, and an
/// ``ObjectFactory`` with a `decode` closure is asked first.
public protocol StructureCodable: Codable {}

extension StructureCodable {
    /// Reads the encoded form as an object of the class that is registered for its type; `userInfo[CSDLDocument.csdlInfoKey]`
    /// must hold the document.
    ///
    /// - Throws: `DecodingError` for a form without the document, and for one whose type makes objects of another class.
    @_disfavoredOverload
    public init(from decoder: any Decoder) throws {
        let object = try StructureCoding.object(decoder)
        guard let own = object as? Self else {
            throw DecodingError.typeMismatch(
                Self.self,
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "Expected \(Self.self), found \(type(of: object)): register a factory for its type."
                ))
        }
        self = own
    }
}

extension StructureCoding {
    /// True while a factory decodes, whose closure may come here again.
    @TaskLocal private static var isInFactory = false

    /// The decoded object, made by the registered factory where there is one.
    static func object(_ decoder: any Decoder) throws -> StructureBase {
        let decoded = try decode(decoder)
        if !isInFactory, let decode = decoded.type.nearestFactory?.decode {
            let made = try $isInFactory.withValue(true) { try decode(decoder) }
            if let made = made as? StructureBase { return made }
        }
        let object = StructureBase.make(.value(decoded.value), decoded.type)
        try (object as? EntityValue)?.decodeState(decoder)
        return object
    }

    /// The decoder that an initialiser was given.
    static func present(_ decoder: (any Decoder)?) throws -> any Decoder {
        guard let decoder else {
            throw UsageError.withMessage("Expected a decoder, found none.")
        }
        return decoder
    }
}
