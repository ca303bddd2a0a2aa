// table: names that generated structs must not take.

/// Names that are taken by the Swift face, and by what generated structs use.
package enum StructNames {
    /// Members of generated structs beside their properties.
    package static let members: Set<String> = [
        "fieldValue", "hash", "hashValue", "ref", "row", "self", "storedValue", "write",
    ]

    /// Parameters of initialisers and members of structs for operations.
    package static let operationMembers: Set<String> = [
        "answer", "entity", "name", "on", "result", "self", "target", "write",
    ]

    /// Members of structs for enumerations.
    package static let enumerationMembers: Set<String> = [
        "contains", "description", "fieldValue", "formIntersection", "formSymmetricDifference",
        "formUnion", "hash", "hashValue", "insert", "intersection", "isDisjoint", "isEmpty",
        "isStrictSubset", "isStrictSuperset", "isSubset", "isSuperset", "rawValue", "remove",
        "self", "storedValue", "subtract", "subtracting", "symmetricDifference", "union", "update",
    ]

    /// Types of the face, types that apps write beside them, and words that Swift keeps for types. A test compares them with
    /// what is public and with what generated code names.
    package static let types: Set<String> = [
        "Aggregate", "Any", "AnyObject", "Array", "AveragedFieldValue", "Base", "Bool",
        "CalendarDate", "Character", "ClockTime",
        "Codable", "Comparable", "ComplexValue", "Condition", "Confirmation", "Conflict",
        "ConflictRule", "Credentials", "Data", "Date", "Decimal", "Decodable", "Decoder",
        "Dictionary", "Direction", "Double", "Download", "Draft", "Duration", "DynamicProperties",
        "DynamicValue", "Element", "Encodable", "Encoder", "Entity", "EntityDraft", "Equatable",
        "Error", "ExactDecimal", "Field", "FieldPath", "FieldSet", "FieldValue", "Fields", "Float",
        "Foundation", "Geography", "Hashable", "Hasher", "ID", "Identifiable", "Int", "Int16",
        "Int32", "Int64", "Int8", "Link", "Links", "LiveBox", "LiveQuery", "LiveSync", "MainActor",
        "MediaStream", "Never", "NoDraft", "OData", "ODataError", "OfflineStore", "OffsetDateTime",
        "OpenEntity", "OpenEnum", "OperationAnswer", "OperationTarget", "OptionSet", "Optional",
        "OrderedFieldValue", "Protocol", "Query", "RawRepresentable", "RawValue", "Ref", "Refusal",
        "Refusals", "RemoteOperation", "Resolution", "Result", "Role", "Row", "RowInfo", "Rows",
        "Self", "Sendable", "Set", "StagedContent", "StoreKey", "StoreLocation", "StoredValue",
        "StreamBytes", "String", "Substring", "Swift", "SyncReport", "SyncStatus", "Target",
        "ToMany", "ToOne", "Transaction", "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8",
        "URL", "UUID", "Values", "Void", "WallDateTime",
    ]
}
