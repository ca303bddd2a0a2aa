// table: names that generated declarations must not take.

/// Names that are taken by the base classes of generated ones, and by what generated code uses.
package enum ReservedNames {
    /// Members of the classes that entity and complex classes derive from; a test compares them with the declarations.
    package static let structureMembers: Set<String> = [
        "annotations", "asDraft", "bindEntity", "canonicalURL", "castOptional",
        "castRequired", "cloneMutable", "complexType", "copyComplex", "copyEntity",
        "copyMutable", "copyStructure", "dataPath", "dataType", "dataValue", "deltaTime",
        "dynamicProperties", "dynamicValue", "editLink", "encode", "entityID", "entityKey",
        "entitySet", "entityTag", "entityType", "equal", "equalKeys", "equals",
        "hasChangedBindings", "hasClientProvidedKey", "hasDataType", "hasDataValue",
        "hasDynamicProperties", "hasKey", "hasLocalRelatives", "hasNextLink",
        "hasPendingChanges", "hasRelativesWithPendingChanges", "hash", "inErrorState",
        "inSet", "isBinding", "isCreated", "isDeleteError", "isDeleted", "isLocal",
        "isLocalDraft", "isNew", "isNewOrChanged", "isProxy", "isReference", "isResolved",
        "isResolving", "isUpdated", "mediaStream", "nextLink", "ofType", "oldComplex",
        "oldEntity", "optionalValue", "parentEntity", "parentProperty", "readLink",
        "rememberOld", "requiredValue", "setDataValue", "setDefaultValues",
        "setDynamicValue", "setOptionalValue", "setRequiredValue", "streamLink",
        "structureType", "systemFlags", "systemKey", "toString", "typeCode", "unbindEntity",
        "undefined", "unsetDataValue", "valuePath", "withDeepCreate", "withKey", "withLock",
    ]

    /// What every class has, and what generated structures declare beside their properties.
    package static let ownMembers: Set<String> = [
        "array", "copy", "hashValue", "key", "old", "self",
    ]

    /// Members of the service classes; a test compares them with the declarations.
    package static let serviceMembers: Set<String> = [
        "acquireToken", "actionQueue", "activateDraft", "add", "addBackgroundOperation",
        "addBackgroundOperationForAction", "addBackgroundOperationForFunction",
        "applyChanges", "asyncAction", "asyncFunction", "backgroundQueueForAction",
        "backgroundQueueForFunction", "cancelDownload", "cancelPendingRequests",
        "cancelUpload", "checkIfCancelled", "clear", "close", "completionQueue",
        "createDownloadQuery", "createEntity", "createLink", "createMedia",
        "createRelatedEntity", "createRelatedMedia", "dataMethod", "deleteByQuery",
        "deleteDownloadQuery", "deleteEntity", "deleteLink", "deleteStream", "deltaStream",
        "download", "downloadInGroup", "downloadInPhase", "downloadMedia",
        "downloadQueries", "downloadQuery", "downloadStream", "entitySet", "entityStream",
        "eventHistory", "executeMethod", "executeQuery", "failedRequests",
        "fetchErrorArchive", "fetchEventLog", "fetchMetadata", "fetchRequestQueue",
        "functionQueue", "getPreviousUser", "hasFailedRequests", "hasInitialData", "hasMetadata",
        "hasPendingDownload", "hasPendingUpload", "hasQueuedRequests", "httpHeaders",
        "isClientRegistered", "isRequestQueueIsEmpty", "lastDownloadTime", "lastUploadTime",
        "loadEntity", "loadMetadata", "loadProperty", "metadata", "metadataLock", "name",
        "networkOptions", "observe", "open", "pingServer", "prettyTracing", "previousUser",
        "processBatch", "provider", "purgeClientOnlyData", "queuedRequests", "refreshMetadata",
        "registerClient",
        "remove", "requestQueueIsEmpty", "saveEntity", "sendEncryptedStore", "sendStore",
        "serviceOptions", "setDownloadMode",
        "toString", "traceRequests", "traceWithData", "undoPendingChanges",
        "unloadMetadata", "unregisterClient", "updateEntity", "updateLink", "updates",
        "upload", "uploadDatabaseFile", "uploadMedia", "uploadStream",
    ]

    /// What generated service classes declare beside their calls.
    package static let ownServiceMembers: Set<String> = [
        "companion", "hashValue", "online", "self",
    ]

    /// Members of generated enumerations beside their cases.
    package static let enumerationMembers: Set<String> = [
        "allCases", "enumValue", "hash", "hashValue", "rawValue", "self", "encode",
        // Of sets of flags.
        "contains", "description", "formIntersection", "formSymmetricDifference", "formUnion",
        "insert",
        "intersection", "isDisjoint", "isEmpty", "isStrictSubset", "isStrictSuperset", "isSubset",
        "isSuperset", "remove", "subtract", "subtracting", "symmetricDifference", "union", "update",
    ]

    /// Parameters that every call has, and names that the bodies of calls use.
    package static let parameters: Set<String> = [
        "binding", "call", "completionHandler", "headers", "options", "query", "result", "self",
        "service",
    ]

    /// Types that generated code names, and words that Swift keeps for types.
    package static let types: Set<String> = [
        "Any", "AnyObject", "Array", "ArrayConverter", "BigDecimal", "BigInteger", "BinaryValue",
        "BaseDataService", "BindingPath", "BlockingDataService", "Bool", "BooleanValue",
        "ByteValue", "CSDLDocument",
        "CSDLOption",
        "CSDLParser",
        "CastOptional", "CastRequired", "ComplexType", "ComplexTypeMap", "ComplexValue",
        "ComplexValueList", "Data", "DataMethod", "DataMethodMap", "DataQuery", "DataService",
        "DataServiceAsync", "DataServiceProvider", "DataSyncProvider", "DataValue", "DataValueList",
        "DataValueListWithNulls", "DayTimeDuration", "DecimalValue", "Decoder", "Double",
        "DoubleValue",
        "EntityKey", "EntitySet", "EntitySetMap", "EntityType", "EntityTypeMap", "EntityValue",
        "EntityValueList", "EnumType", "EnumTypeMap", "EnumValue", "EnumValueList", "Error",
        "Float",
        "FloatValue", "Foundation", "GeographyCollection", "GeographyLineString",
        "GeographyMultiLineString", "GeographyMultiPoint", "GeographyMultiPolygon",
        "GeographyPoint",
        "GeographyPolygon", "GeographyValue", "GeometryCollection", "GeometryLineString",
        "GeometryMultiLineString", "GeometryMultiPoint", "GeometryMultiPolygon", "GeometryPoint",
        "GeometryPolygon", "GeometryValue", "GlobalDateTime", "GuidValue", "HTTPHeaders", "ID",
        "Identifiable", "Int", "Int64", "IntValue", "IntegerValue", "Kept", "LegacyDataService",
        "LocalDate", "LocalDateTime", "LocalTime", "LongValue", "MetadataLock", "Mutex", "Never",
        "ObjectFactory", "OfflineDataService", "OfflineDataServiceAsync", "OnlineDataService",
        "OnlineDataServiceAsync", "OnlineODataProvider", "OptionSet", "Optional", "ParameterList",
        "Property", "PropertyMap", "Protocol", "Provider", "ProxyInternal", "QueryResult",
        "RequestOptions", "Result", "SAPOData", "Self", "Sendable", "ShortValue", "SparseIndexMap",
        "StreamLink", "String", "StringValue", "Swift", "Synchronization", "Type", "UnsignedByte",
        "Void", "YearMonthDuration",
    ]
}
