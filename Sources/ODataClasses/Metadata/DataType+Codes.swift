// The codes of DataType: a standing table. Only their distinctness matters; a list's code is its item's plus an offset.
import ODataModel

extension DataType {
    /// What a list type's code adds to the code of its items.
    package static let listOffset = 1000

    /// The code of the `string` type.
    public static let string = 1
    /// The code of the `binary` type.
    public static let binary = 2
    /// The code of the `boolean` type.
    public static let boolean = 3
    /// The code of the `char` type.
    public static let char = 4
    /// The code of the `byte` type.
    public static let byte = 5
    /// The code of the `short` type.
    public static let short = 6
    /// The code of the `int` type.
    public static let int = 7
    /// The code of the `long` type.
    public static let long = 8
    /// The code of the `integer` type.
    public static let integer = 9
    /// The code of the `decimal` type.
    public static let decimal = 10
    /// The code of the `float` type.
    public static let float = 11
    /// The code of the `double` type.
    public static let double = 12
    /// The code of the `unsignedByte` type.
    public static let unsignedByte = 13
    /// The code of the `unsignedShort` type.
    public static let unsignedShort = 14
    /// The code of the `unsignedInt` type.
    public static let unsignedInt = 15
    /// The code of the `unsignedLong` type.
    public static let unsignedLong = 16
    /// The code of the `guidValue` type.
    public static let guidValue = 17
    /// The code of the `localDate` type.
    public static let localDate = 18
    /// The code of the `localTime` type.
    public static let localTime = 19
    /// The code of the `localDateTime` type.
    public static let localDateTime = 20
    /// The code of the `globalDateTime` type.
    public static let globalDateTime = 21
    /// The code of the `dayTimeDuration` type.
    public static let dayTimeDuration = 22
    /// The code of the `yearMonthDuration` type.
    public static let yearMonthDuration = 23
    /// The code of the `byteStream` type.
    public static let byteStream = 24
    /// The code of the `charStream` type.
    public static let charStream = 25
    /// The code of the `streamLink` type.
    public static let streamLink = 26
    /// The code of the `geographyValue` type.
    public static let geographyValue = 30
    /// The code of the `geographyPoint` type.
    public static let geographyPoint = 31
    /// The code of the `geographyLineString` type.
    public static let geographyLineString = 32
    /// The code of the `geographyPolygon` type.
    public static let geographyPolygon = 33
    /// The code of the `geographyMultiPoint` type.
    public static let geographyMultiPoint = 34
    /// The code of the `geographyMultiLineString` type.
    public static let geographyMultiLineString = 35
    /// The code of the `geographyMultiPolygon` type.
    public static let geographyMultiPolygon = 36
    /// The code of the `geographyCollection` type.
    public static let geographyCollection = 37
    /// The code of the `geometryValue` type.
    public static let geometryValue = 38
    /// The code of the `geometryPoint` type.
    public static let geometryPoint = 39
    /// The code of the `geometryLineString` type.
    public static let geometryLineString = 40
    /// The code of the `geometryPolygon` type.
    public static let geometryPolygon = 41
    /// The code of the `geometryMultiPoint` type.
    public static let geometryMultiPoint = 42
    /// The code of the `geometryMultiLineString` type.
    public static let geometryMultiLineString = 43
    /// The code of the `geometryMultiPolygon` type.
    public static let geometryMultiPolygon = 44
    /// The code of the `geometryCollection` type.
    public static let geometryCollection = 45
    /// The code of the `propertyPath` type.
    public static let propertyPath = 50
    /// The code of the `dataValue` type.
    public static let dataValue = 51
    /// The code of the `enumValue` type.
    public static let enumValue = 60
    /// The code of the `complexValue` type.
    public static let complexValue = 61
    /// The code of the `entityValue` type.
    public static let entityValue = 62

    /// The code of lists of `string` items.
    public static let stringList = 1001
    /// The code of lists of `binary` items.
    public static let binaryList = 1002
    /// The code of lists of `boolean` items.
    public static let booleanList = 1003
    /// The code of lists of `char` items.
    public static let charList = 1004
    /// The code of lists of `byte` items.
    public static let byteList = 1005
    /// The code of lists of `short` items.
    public static let shortList = 1006
    /// The code of lists of `int` items.
    public static let intList = 1007
    /// The code of lists of `long` items.
    public static let longList = 1008
    /// The code of lists of `integer` items.
    public static let integerList = 1009
    /// The code of lists of `decimal` items.
    public static let decimalList = 1010
    /// The code of lists of `float` items.
    public static let floatList = 1011
    /// The code of lists of `double` items.
    public static let doubleList = 1012
    /// The code of lists of `unsignedByte` items.
    public static let unsignedByteList = 1013
    /// The code of lists of `unsignedShort` items.
    public static let unsignedShortList = 1014
    /// The code of lists of `unsignedInt` items.
    public static let unsignedIntList = 1015
    /// The code of lists of `unsignedLong` items.
    public static let unsignedLongList = 1016
    /// The code of lists of `guidValue` items.
    public static let guidValueList = 1017
    /// The code of lists of `localDate` items.
    public static let localDateList = 1018
    /// The code of lists of `localTime` items.
    public static let localTimeList = 1019
    /// The code of lists of `localDateTime` items.
    public static let localDateTimeList = 1020
    /// The code of lists of `globalDateTime` items.
    public static let globalDateTimeList = 1021
    /// The code of lists of `dayTimeDuration` items.
    public static let dayTimeDurationList = 1022
    /// The code of lists of `yearMonthDuration` items.
    public static let yearMonthDurationList = 1023
    /// The code of lists of `byteStream` items.
    public static let byteStreamList = 1024
    /// The code of lists of `charStream` items.
    public static let charStreamList = 1025
    /// The code of lists of `streamLink` items.
    public static let streamLinkList = 1026
    /// The code of lists of `geographyValue` items.
    public static let geographyValueList = 1030
    /// The code of lists of `geographyPoint` items.
    public static let geographyPointList = 1031
    /// The code of lists of `geographyLineString` items.
    public static let geographyLineStringList = 1032
    /// The code of lists of `geographyPolygon` items.
    public static let geographyPolygonList = 1033
    /// The code of lists of `geographyMultiPoint` items.
    public static let geographyMultiPointList = 1034
    /// The code of lists of `geographyMultiLineString` items.
    public static let geographyMultiLineStringList = 1035
    /// The code of lists of `geographyMultiPolygon` items.
    public static let geographyMultiPolygonList = 1036
    /// The code of lists of `geographyCollection` items.
    public static let geographyCollectionList = 1037
    /// The code of lists of `geometryValue` items.
    public static let geometryValueList = 1038
    /// The code of lists of `geometryPoint` items.
    public static let geometryPointList = 1039
    /// The code of lists of `geometryLineString` items.
    public static let geometryLineStringList = 1040
    /// The code of lists of `geometryPolygon` items.
    public static let geometryPolygonList = 1041
    /// The code of lists of `geometryMultiPoint` items.
    public static let geometryMultiPointList = 1042
    /// The code of lists of `geometryMultiLineString` items.
    public static let geometryMultiLineStringList = 1043
    /// The code of lists of `geometryMultiPolygon` items.
    public static let geometryMultiPolygonList = 1044
    /// The code of lists of `geometryCollection` items.
    public static let geometryCollectionList = 1045
    /// The code of lists of `propertyPath` items.
    public static let propertyPathList = 1050
    /// The code of lists of `dataValue` items.
    public static let dataValueList = 1051
    /// The code of lists of `enumValue` items.
    public static let enumValueList = 1060
    /// The code of lists of `complexValue` items.
    public static let complexValueList = 1061
    /// The code of lists of `entityValue` items.
    public static let entityValueList = 1062
}
