import Foundation
import SAPOData

// Section 4: core support types. Each function names what apps may write; that it compiles is the test.

enum CoreNames {
    static func objects() {
        let object = ObjectBase()
        _ = objc_sync_enter(object)
        defer { _ = objc_sync_exit(object) }
        let text: String = object.toString()
        _ = text + "\(object)" + object.description
    }

    static func lists(_ list: EntityValueList, _ entity: EntityValue) {
        let strings: StringList = ["a", "b"]
        strings.append("c")
        _ = strings.append("d")
        _ = strings.appendThis("e").length + strings.count
        _ = (strings[0], strings.item(at: 0), strings.first(), strings.last())
        _ = (strings.includes("a"), strings.indexOf("a"), strings.lastIndexOf("a"))
        strings.insert("x", at: 0)
        strings.insertAll(["y"], at: 0)
        strings.removeAt(0)
        strings.removeFirst()
        strings.removeLast()
        strings.reverse()
        strings.sort()
        _ = (strings.slice(0, 1), strings.copy(), strings.isEmpty, strings.dataType)
        strings.clear()
        _ = StringList(capacity: 3).appendAll(strings).toArray()
        list[0] = entity
        for each in list { _ = each.entityType }
        _ = EntityValueList.fromArray(list.toArray()).appendThis(entity)
        _ = (EntityValueList.empty.length, EntityValueList.share(list), list.single())
        _ = (list.toDynamic(), list.comparer, list.equality, list.toString())
        let base: ListBase = list
        base.removeRange(0, 0)
        base.sortWith(list.comparer)
    }

    static let listTypes: [ListBase.Type] = [
        EntityValueList.self, ComplexValueList.self, DataValueList.self, StringList.self,
        BooleanList.self, ByteList.self, ShortList.self, IntList.self, LongList.self,
        IntegerList.self, DecimalList.self, FloatList.self, DoubleList.self, BinaryList.self,
        CharList.self, GuidValueList.self, LocalDateList.self, LocalTimeList.self,
        LocalDateTimeList.self, GlobalDateTimeList.self, DayTimeDurationList.self,
        YearMonthDurationList.self, UnsignedByteList.self, UnsignedShortList.self,
        EnumValueList.self, GeographyValueList.self, GeometryValueList.self, PropertyList.self,
        PropertyPathList.self, EntitySetList.self, EntityTypeList.self, ComplexTypeList.self,
        EnumTypeList.self, SimpleTypeList.self, DataTypeList.self, DataSchemaList.self,
        DataMethodList.self, ParameterList.self, AnnotationList.self, AnnotationTermList.self,
        SortItemList.self, SelectItemList.self, ExpandItemList.self, ChangedLinkList.self,
        ErrorResponseList.self, StructureTypeList.self, PendingRequestList.self,
        DownloadQueryList.self, SyncEventList.self, UntypedList.self,
        EntityValueListWithNulls.self, DataValueListWithNulls.self, ComplexValueListWithNulls.self,
    ]

    static func maps(_ values: DataValueMap, _ property: Property) {
        let map = StringMap()
        map.set("a", "b")
        _ = map.setThis("c", "d").size + map.count
        _ = (map.get("a"), map.getRequired("a"), map.has("a"), map.delete("a"), map["a"])
        _ = (map.value(forKey: "a"), map.isEmpty, map.entries(), map.keys(), map.values())
        _ = (map.sortedEntries(), map.sortedKeys(), map.sortedValues(), StringMap.empty)
        for pair in property.referentialConstraints { _ = pair.key + pair.value }
        map.clear()
        _ = values.value(forKey: "a")?.toString()
        let entry: StringMap.Entry? = map.entries().first
        _ = entry?.value
    }

    static let mapTypes: [Any.Type] = [
        StringMap.self, DataValueMap.self, PropertyMap.self, EntityTypeMap.self,
        EntitySetMap.self, ComplexTypeMap.self, EnumTypeMap.self, SimpleTypeMap.self,
        DataSchemaMap.self, DataMethodMap.self, AnnotationMap.self, AnnotationTermMap.self,
        EntityContainerMap.self, PathAnnotationsMap.self, EnumValueMap.self, StringSet.self,
        UntypedMap.self,
    ]

    static func cancelling(_ listener: CancellationListener) {
        let token = CancelToken()
        token.addListener(listener)
        token.cancel()
        _ = token.isCancelled
        _ = RequestOptions().cancelable(token).cancelToken
    }

    static func streams() throws {
        let bytes = ByteStream.fromBinary(data: Data(), offset: 0, length: 0)
        _ = (bytes.mediaType, bytes.entityTag, bytes.fileName)
        bytes.mediaType = "text/plain"
        _ = try bytes.readAndClose()
        try bytes.flush()
        try bytes.close()
        let text = CharStream.fromString("ab")
        _ = try text.readString(1)
        _ = try text.readLine()
        _ = try text.readChar()
        _ = try CharStream.fromString("x").readAndClose()
        let base: StreamBase = text
        try base.close()
    }
}
