import ODataModel

/// A complex type (CSDL 4.01, section 9).
open class ComplexType: StructureType, @unchecked Sendable {
    package init(_ model: MetadataModel, _ id: StructureID) {
        super.init(model, id, code: DataType.complexValue)
    }

    /// Stands for "no complex type".
    public static let undefined: ComplexType = .placeholder(1)

    /// The abstract type that every complex type derives from (`Edm.ComplexType`).
    public static let abstractBase: ComplexType = .placeholder(3)

    private static func placeholder(_ index: Int) -> ComplexType {
        let model = MetadataModel.undefined
        return (model.structures[index] as? ComplexType) ?? ComplexType(model, StructureID(index))
    }

    /// The complex type that this one derives from; ``abstractBase`` when it derives from none.
    open var supertype: ComplexType {
        definition.baseID.flatMap { model[$0] as? ComplexType } ?? ComplexType.abstractBase
    }

    /// True when another type of the document derives from this one.
    open var hasSubtypes: Bool { !definition.derivedIDs.isEmpty }

    /// Makes instances through `factory` from now on.
    open func registerFactory(_ factory: ObjectFactory) { objectFactory = factory }

    /// Registers a factory and returns the type.
    open func withFactory(_ factory: ObjectFactory) -> ComplexType {
        registerFactory(factory)
        return self
    }
}
