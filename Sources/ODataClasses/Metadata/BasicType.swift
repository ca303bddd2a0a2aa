import ODataModel

/// The predefined types, one object each (CSDL 4.01, section 3.3).
public enum BasicType {
    /// The predefined type `string`.
    public static let string = DataType(name: "string", code: DataType.string)
    /// The predefined type `binary`.
    public static let binary = DataType(name: "binary", code: DataType.binary)
    /// The predefined type `boolean`.
    public static let boolean = DataType(name: "boolean", code: DataType.boolean)
    /// The predefined type `char`.
    public static let char = DataType(name: "char", code: DataType.char)
    /// The predefined type `byte`.
    public static let byte = DataType(name: "byte", code: DataType.byte)
    /// The predefined type `short`.
    public static let short = DataType(name: "short", code: DataType.short)
    /// The predefined type `int`.
    public static let int = DataType(name: "int", code: DataType.int)
    /// The predefined type `long`.
    public static let long = DataType(name: "long", code: DataType.long)
    /// The predefined type `integer`.
    public static let integer = DataType(name: "integer", code: DataType.integer)
    /// The predefined type `decimal`.
    public static let decimal = DataType(name: "decimal", code: DataType.decimal)
    /// The predefined type `float`.
    public static let float = DataType(name: "float", code: DataType.float)
    /// The predefined type `double`.
    public static let double = DataType(name: "double", code: DataType.double)
    /// The predefined type `unsignedByte`.
    public static let unsignedByte = DataType(name: "unsignedByte", code: DataType.unsignedByte)
    /// The predefined type `unsignedShort`.
    public static let unsignedShort = DataType(name: "unsignedShort", code: DataType.unsignedShort)
    /// The predefined type `unsignedInt`.
    public static let unsignedInt = DataType(name: "unsignedInt", code: DataType.unsignedInt)
    /// The predefined type `unsignedLong`.
    public static let unsignedLong = DataType(name: "unsignedLong", code: DataType.unsignedLong)
    /// The predefined type `guidValue`.
    public static let guidValue = DataType(name: "guidValue", code: DataType.guidValue)
    /// The predefined type `localDate`.
    public static let localDate = DataType(name: "localDate", code: DataType.localDate)
    /// The predefined type `localTime`.
    public static let localTime = DataType(name: "localTime", code: DataType.localTime)
    /// The predefined type `localDateTime`.
    public static let localDateTime = DataType(name: "localDateTime", code: DataType.localDateTime)
    /// The predefined type `globalDateTime`.
    public static let globalDateTime = DataType(
        name: "globalDateTime", code: DataType.globalDateTime)
    /// The predefined type `dayTimeDuration`.
    public static let dayTimeDuration = DataType(
        name: "dayTimeDuration", code: DataType.dayTimeDuration)
    /// The predefined type `yearMonthDuration`.
    public static let yearMonthDuration = DataType(
        name: "yearMonthDuration", code: DataType.yearMonthDuration)
    /// The predefined type `byteStream`.
    public static let byteStream = DataType(name: "byteStream", code: DataType.byteStream)
    /// The predefined type `charStream`.
    public static let charStream = DataType(name: "charStream", code: DataType.charStream)
    /// The predefined type `streamLink`.
    public static let streamLink = DataType(name: "streamLink", code: DataType.streamLink)
    /// The predefined type `geographyValue`.
    public static let geographyValue = DataType(
        name: "geographyValue", code: DataType.geographyValue)
    /// The predefined type `geographyPoint`.
    public static let geographyPoint = DataType(
        name: "geographyPoint", code: DataType.geographyPoint)
    /// The predefined type `geographyLineString`.
    public static let geographyLineString = DataType(
        name: "geographyLineString", code: DataType.geographyLineString)
    /// The predefined type `geographyPolygon`.
    public static let geographyPolygon = DataType(
        name: "geographyPolygon", code: DataType.geographyPolygon)
    /// The predefined type `geographyMultiPoint`.
    public static let geographyMultiPoint = DataType(
        name: "geographyMultiPoint", code: DataType.geographyMultiPoint)
    /// The predefined type `geographyMultiLineString`.
    public static let geographyMultiLineString = DataType(
        name: "geographyMultiLineString", code: DataType.geographyMultiLineString)
    /// The predefined type `geographyMultiPolygon`.
    public static let geographyMultiPolygon = DataType(
        name: "geographyMultiPolygon", code: DataType.geographyMultiPolygon)
    /// The predefined type `geographyCollection`.
    public static let geographyCollection = DataType(
        name: "geographyCollection", code: DataType.geographyCollection)
    /// The predefined type `geometryValue`.
    public static let geometryValue = DataType(name: "geometryValue", code: DataType.geometryValue)
    /// The predefined type `geometryPoint`.
    public static let geometryPoint = DataType(name: "geometryPoint", code: DataType.geometryPoint)
    /// The predefined type `geometryLineString`.
    public static let geometryLineString = DataType(
        name: "geometryLineString", code: DataType.geometryLineString)
    /// The predefined type `geometryPolygon`.
    public static let geometryPolygon = DataType(
        name: "geometryPolygon", code: DataType.geometryPolygon)
    /// The predefined type `geometryMultiPoint`.
    public static let geometryMultiPoint = DataType(
        name: "geometryMultiPoint", code: DataType.geometryMultiPoint)
    /// The predefined type `geometryMultiLineString`.
    public static let geometryMultiLineString = DataType(
        name: "geometryMultiLineString", code: DataType.geometryMultiLineString)
    /// The predefined type `geometryMultiPolygon`.
    public static let geometryMultiPolygon = DataType(
        name: "geometryMultiPolygon", code: DataType.geometryMultiPolygon)
    /// The predefined type `geometryCollection`.
    public static let geometryCollection = DataType(
        name: "geometryCollection", code: DataType.geometryCollection)
    /// The predefined type `propertyPath`.
    public static let propertyPath = DataType(name: "propertyPath", code: DataType.propertyPath)
    /// The predefined type `dataValue`.
    public static let dataValue = DataType(name: "dataValue", code: DataType.dataValue)

    private static let all: [DataType] = [
        string, binary, boolean, char, byte, short, int, long, integer, decimal, float, double,
        unsignedByte, unsignedShort, unsignedInt, unsignedLong, guidValue, localDate, localTime,
        localDateTime, globalDateTime, dayTimeDuration, yearMonthDuration, byteStream, charStream,
        streamLink, geographyValue, geographyPoint, geographyLineString, geographyPolygon,
        geographyMultiPoint, geographyMultiLineString, geographyMultiPolygon, geographyCollection,
        geometryValue, geometryPoint, geometryLineString, geometryPolygon, geometryMultiPoint,
        geometryMultiLineString, geometryMultiPolygon, geometryCollection, propertyPath, dataValue,
    ]

    static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The class-side type of a primitive Edm type.
    package static func of(_ type: PrimitiveType) -> DataType {
        switch type {
        case .binary: binary
        case .boolean: boolean
        case .byte: unsignedByte
        case .sbyte: byte
        case .int16: short
        case .int32: int
        case .int64: long
        case .single: float
        case .double: double
        case .decimal: decimal
        case .string: string
        case .guid: guidValue
        case .date: localDate
        case .timeOfDay, .time: localTime
        case .dateTimeOffset: globalDateTime
        case .duration: dayTimeDuration
        case .dateTime: localDateTime
        case .stream: streamLink
        case .geography: geographyValue
        case .geometry: geometryValue
        case .untyped: dataValue
        case .geographyPoint: geographyPoint
        case .geographyLineString: geographyLineString
        case .geographyPolygon: geographyPolygon
        case .geographyMultiPoint: geographyMultiPoint
        case .geographyMultiLineString: geographyMultiLineString
        case .geographyMultiPolygon: geographyMultiPolygon
        case .geographyCollection: geographyCollection
        case .geometryPoint: geometryPoint
        case .geometryLineString: geometryLineString
        case .geometryPolygon: geometryPolygon
        case .geometryMultiPoint: geometryMultiPoint
        case .geometryMultiLineString: geometryMultiLineString
        case .geometryMultiPolygon: geometryMultiPolygon
        case .geometryCollection: geometryCollection
        }
    }
}
