import ODataModel

/// The type of a value: a name, a code for `switch`, and what kind of type it is (CSDL 4.01, section 3).
///
/// Types never change once their document is built (flags and factories that apps set are behind locks), so they are
/// shared freely between threads.
open class DataType: ObjectBase, @unchecked Sendable {
    private let typeName: String
    private let typeCode: Int
    private let item: DataType?

    package init(name: String, code: Int, itemType: DataType? = nil) {
        typeName = name
        typeCode = code
        item = itemType
        super.init()
    }

    /// The name of the type, qualified where it belongs to a schema.
    open var name: String { typeName }

    /// The code that stands for the type in a `switch`.
    open var code: Int { typeCode }

    /// The type of the items of a list type; nil for any other type.
    open var itemType: DataType? { item }

    /// The type that this type was derived from; nil when there is none.
    open var baseType: DataType? { nil }

    /// The type of values whose type is not known.
    public static let unknown = DataType(name: "unknown", code: 0)

    /// The list type with the given items.
    public static func listOf(_ itemType: DataType) -> DataType {
        DataType(
            name: "Collection(\(itemType.name))",
            code: itemType.code < DataType.listOffset
                ? itemType.code + DataType.listOffset : DataType.dataValueList,
            itemType: itemType)
    }

    /// The predefined type with this code; ``unknown`` when there is none.
    public static func forCode(_ code: Int) -> DataType {
        if code >= listOffset, let item = BasicType.byCode[code - listOffset] {
            return listOf(item)
        }
        return BasicType.byCode[code] ?? unknown
    }

    /// The predefined type with this name (`string`, `Edm.String`, `Collection(Edm.String)`); nil when there is none.
    public static func forName(_ name: String) -> DataType? {
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            return forName(String(name.dropFirst(11).dropLast())).map(listOf)
        }
        if let type = BasicType.byName[name] { return type }
        return name.hasPrefix("Edm.") ? PrimitiveType(name: name).map(BasicType.of) : nil
    }

    /// The name of the type.
    open override func toString() -> String { name }
}

extension DataType {
    /// True for primitive types and type definitions over them.
    public var isBasic: Bool { code > 0 && code < DataType.enumValue }

    /// True for lists of primitive values.
    public var isBasicList: Bool { itemType?.isBasic ?? false }

    /// True for complex types.
    public var isComplex: Bool { code == DataType.complexValue }

    /// True for lists of complex values.
    public var isComplexList: Bool { code == DataType.complexValueList }

    /// True for entity types.
    public var isEntity: Bool { code == DataType.entityValue }

    /// True for lists of entities.
    public var isEntityList: Bool { code == DataType.entityValueList }

    /// True for enumeration types.
    public var isEnum: Bool { code == DataType.enumValue }

    /// True for lists of enumeration values.
    public var isEnumList: Bool { code == DataType.enumValueList }

    /// True for complex and entity types.
    public var isStructure: Bool { isComplex || isEntity }

    /// True for all list types.
    public var isList: Bool { code >= DataType.listOffset }

    /// True for numeric primitive types.
    public var isNumber: Bool { code >= DataType.byte && code <= DataType.unsignedLong }

    /// True for dates, times and durations.
    public var isCalendar: Bool { code >= DataType.localDate && code <= DataType.yearMonthDuration }

    /// True for Edm.Guid.
    public var isGuid: Bool { code == DataType.guidValue }

    /// True for streams and stream properties.
    public var isStream: Bool { code >= DataType.byteStream && code <= DataType.streamLink }

    /// True for the unsigned number types.
    public var isUnsigned: Bool { code >= DataType.unsignedByte && code <= DataType.unsignedLong }

    /// True for the types whose values are paths into the model.
    public var isPath: Bool { code == DataType.propertyPath }

    /// True for Edm.Geography and its subtypes.
    public var isGeography: Bool {
        code >= DataType.geographyValue && code <= DataType.geographyCollection
    }

    /// True for Edm.Geometry and its subtypes.
    public var isGeometry: Bool {
        code >= DataType.geometryValue && code <= DataType.geometryCollection
    }

    /// True for all geospatial types.
    public var isGeospatial: Bool { isGeography || isGeometry }

    /// True for types that have a base type.
    public var isDerived: Bool { baseType != nil }
}
