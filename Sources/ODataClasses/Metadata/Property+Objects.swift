// Typed reads and writes of values that are objects themselves, and of lists; see Property+Scalars.
import ODataModel

extension Property {
    /// The identifier that a structure holds for the property; traps where there is none.
    public func guidValue(from source: StructureBase) -> GuidValue {
        GuidValue.castRequired(source.requiredValue(for: self))
    }

    /// The identifier that a structure holds for the property; nil where there is none.
    public func optionalGuid(from source: StructureBase) -> GuidValue? {
        GuidValue.castOptional(source.optionalValue(for: self))
    }

    /// Sets the identifier of the property in a structure.
    public func setGuidValue(in target: StructureBase, to value: GuidValue) {
        target.setDataValue(for: self, to: value)
    }

    /// Sets the identifier of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalGuid(in target: StructureBase, to value: GuidValue?) {
        target.setOptionalValue(for: self, to: value)
    }

    /// The enumeration value that a structure holds for the property; traps where there is none.
    public func enumValue(from source: StructureBase) -> EnumValue {
        EnumValue.castRequired(source.requiredValue(for: self))
    }

    /// The enumeration value that a structure holds for the property; nil where there is none.
    public func optionalEnum(from source: StructureBase) -> EnumValue? {
        EnumValue.castOptional(source.optionalValue(for: self))
    }

    /// Sets the enumeration value of the property in a structure.
    public func setEnumValue(in target: StructureBase, to value: EnumValue) {
        target.setDataValue(for: self, to: value)
    }

    /// Sets the enumeration value of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalEnum(in target: StructureBase, to value: EnumValue?) {
        target.setOptionalValue(for: self, to: value)
    }

    /// The complex value that a structure holds for the property; traps where there is none.
    public func complexValue(from source: StructureBase) -> ComplexValue {
        ComplexValue.castRequired(source.requiredValue(for: self))
    }

    /// The complex value that a structure holds for the property; nil where there is none.
    public func optionalComplex(from source: StructureBase) -> ComplexValue? {
        ComplexValue.castOptional(source.optionalValue(for: self))
    }

    /// Sets the complex value of the property in a structure.
    public func setComplexValue(in target: StructureBase, to value: ComplexValue) {
        target.setDataValue(for: self, to: value)
    }

    /// Sets the complex value of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalComplex(in target: StructureBase, to value: ComplexValue?) {
        target.setOptionalValue(for: self, to: value)
    }

    /// The entity that a structure holds for the property; traps where there is none.
    public func entityValue(from source: StructureBase) -> EntityValue {
        EntityValue.castRequired(source.requiredValue(for: self))
    }

    /// The entity that a structure holds for the property; nil where there is none.
    public func optionalEntity(from source: StructureBase) -> EntityValue? {
        EntityValue.castOptional(source.optionalValue(for: self))
    }

    /// Sets the entity of the property in a structure.
    public func setEntityValue(in target: StructureBase, to value: EntityValue) {
        target.setDataValue(for: self, to: value)
    }

    /// Sets the entity of the property in a structure; nil unsets a property that may not be null.
    public func setOptionalEntity(in target: StructureBase, to value: EntityValue?) {
        target.setOptionalValue(for: self, to: value)
    }

    /// The list of primitive values that a structure holds for the property; an empty one where it was never set.
    public func basicList(from source: StructureBase) -> DataValueList {
        DataValueList.castOptional(source.optionalValue(for: self)) ?? DataValueList()
    }

    /// Sets the list of primitive values of the property in a structure.
    public func setBasicList(in target: StructureBase, to value: ListBase) {
        target.setDataValue(for: self, to: value)
    }

    /// The list of complex values that a structure holds for the property; an empty one where it was never set.
    public func complexList(from source: StructureBase) -> ComplexValueList {
        ComplexValueList.castOptional(source.optionalValue(for: self)) ?? ComplexValueList()
    }

    /// Sets the list of complex values of the property in a structure.
    public func setComplexList(in target: StructureBase, to value: ComplexValueList) {
        target.setDataValue(for: self, to: value)
    }

    /// The list of entities that a structure holds for the property; an empty one where it was never set.
    public func entityList(from source: StructureBase) -> EntityValueList {
        EntityValueList.castOptional(source.optionalValue(for: self)) ?? EntityValueList()
    }

    /// Sets the list of entities of the property in a structure.
    public func setEntityList(in target: StructureBase, to value: EntityValueList) {
        target.setDataValue(for: self, to: value)
    }

    /// The value that a structure holds for the property; nil for null. Traps where it was never set.
    public func dataValue(from source: StructureBase) -> DataValue? { source.dataValue(for: self) }

    /// The value that a structure holds for the property; nil for null and where it was never set.
    public func optionalValue(from source: StructureBase) -> DataValue? {
        source.optionalValue(for: self)
    }

    /// The value that a structure holds for the property; traps where there is none.
    public func requiredValue(from source: StructureBase) -> DataValue {
        source.requiredValue(for: self)
    }

    /// Sets the value of the property in a structure.
    public func setDataValue(in target: StructureBase, to value: DataValue?) {
        target.setDataValue(for: self, to: value)
    }

    /// Where the content of a stream property is.
    public func streamLink(from source: StructureBase) -> StreamLink {
        source.streamLink(for: self)
    }
}
