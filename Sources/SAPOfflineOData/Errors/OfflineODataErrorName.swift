// table: the numbers are this library's own and keep their meaning from now on.
import ODataClasses

/// What exactly went wrong, as a name with a number.
public struct OfflineODataErrorName: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, which is the code of the error.
    public let rawValue: Int

    /// The name with this number, known or not.
    public init(rawValue: Int) { self.rawValue = rawValue }

    private static let names: [Int: String] = [
        0: "noneException", 1: "debugException", 2: "externalException",
        100: "errorExecutingSqlStmt", 101: "errorConnectingToDb", 102: "dbNotFound",
        110: "errorLoadingEdmMetadata", 111: "errorLoadingMapping", 112: "fatalParseError",
        120: "urlSyntaxError", 121: "unexpectedEoi", 122: "illegalTypeValue",
        123: "emptyResourcePath", 124: "invalidEntityContainer", 125: "invalidKeyPredicate",
        126: "invalidUnnamedKeyValue", 127: "wrongNumberOfKeyValues", 128: "invalidKeyProperty",
        129: "duplicateKeyProperty", 130: "invalidKeyPropertyType",
        131: "invalidNullInKeyPredicate", 132: "invalidProperty", 133: "invalidEmptyParen",
        200: "storeNotOpen", 201: "storeAlreadyOpen", 202: "encryptionKeyMismatch",
        203: "duplicateKey", 204: "entityNotFound", 205: "readOnlyEntitySet",
        206: "definingQueryInvalid", 207: "definingQueryRemovalNotAllowed", 208: "networkFailure",
        209: "requestCancelled", 210: "pendingChangesExist", 211: "unsupportedOperation",
        212: "incompatibleMetadataChange", 213: "serviceFailure", 214: "invalidArgument",
    ]

    /// The name, or the number of one that is not known.
    public var description: String { Self.names[rawValue] ?? "error \(rawValue)" }
}

extension OfflineODataErrorName {
    /// No error.
    public static let noneException = Self(rawValue: 0)
    /// Raised on purpose in tests.
    public static let debugException = Self(rawValue: 1)
    /// A fault of an object that the caller supplied.
    public static let externalException = Self(rawValue: 2)
    /// The database refused or failed.
    public static let errorExecutingSqlStmt = Self(rawValue: 100)
    /// The store cannot be opened.
    public static let errorConnectingToDb = Self(rawValue: 101)
    /// The store's file is missing.
    public static let dbNotFound = Self(rawValue: 102)
    /// The metadata is not valid.
    public static let errorLoadingEdmMetadata = Self(rawValue: 110)
    /// The stored description of the tables is not valid.
    public static let errorLoadingMapping = Self(rawValue: 111)
    /// A payload cannot be read.
    public static let fatalParseError = Self(rawValue: 112)
    /// A URL or query is not valid.
    public static let urlSyntaxError = Self(rawValue: 120)
    /// A URL ends too early.
    public static let unexpectedEoi = Self(rawValue: 121)
    /// A value does not fit its type.
    public static let illegalTypeValue = Self(rawValue: 122)
    /// A URL names no resource.
    public static let emptyResourcePath = Self(rawValue: 123)
    /// A URL names a container that does not exist.
    public static let invalidEntityContainer = Self(rawValue: 124)
    /// A key predicate is not well formed.
    public static let invalidKeyPredicate = Self(rawValue: 125)
    /// A key value without name where the key has several parts.
    public static let invalidUnnamedKeyValue = Self(rawValue: 126)
    /// A key with too few or too many values.
    public static let wrongNumberOfKeyValues = Self(rawValue: 127)
    /// A key predicate names what is no key property.
    public static let invalidKeyProperty = Self(rawValue: 128)
    /// A key predicate names a property twice.
    public static let duplicateKeyProperty = Self(rawValue: 129)
    /// A key value does not fit its property.
    public static let invalidKeyPropertyType = Self(rawValue: 130)
    /// A key value is null.
    public static let invalidNullInKeyPredicate = Self(rawValue: 131)
    /// A property that does not exist.
    public static let invalidProperty = Self(rawValue: 132)
    /// Empty parentheses where none may be.
    public static let invalidEmptyParen = Self(rawValue: 133)
    /// A call that needs an open store.
    public static let storeNotOpen = Self(rawValue: 200)
    /// A call that needs a closed store.
    public static let storeAlreadyOpen = Self(rawValue: 201)
    /// The store is sealed with another key.
    public static let encryptionKeyMismatch = Self(rawValue: 202)
    /// Another entity has this key.
    public static let duplicateKey = Self(rawValue: 203)
    /// There is no such entity.
    public static let entityNotFound = Self(rawValue: 204)
    /// The set may only be read.
    public static let readOnlyEntitySet = Self(rawValue: 205)
    /// A defining query that does not fit the service.
    public static let definingQueryInvalid = Self(rawValue: 206)
    /// A defining query that must stay.
    public static let definingQueryRemovalNotAllowed = Self(rawValue: 207)
    /// The service could not be reached.
    public static let networkFailure = Self(rawValue: 208)
    /// The operation was cancelled.
    public static let requestCancelled = Self(rawValue: 209)
    /// Changes that were not sent yet stand in the way.
    public static let pendingChangesExist = Self(rawValue: 210)
    /// A feature that does not exist here.
    public static let unsupportedOperation = Self(rawValue: 211)
    /// Metadata changed in a way that the store cannot follow.
    public static let incompatibleMetadataChange = Self(rawValue: 212)
    /// The service answered with an error.
    public static let serviceFailure = Self(rawValue: 213)
    /// An argument that is not valid.
    public static let invalidArgument = Self(rawValue: 214)
    /// Another provider or process has the store.
    public static let storeInUse = Self(rawValue: 216)
    /// The store belongs to another user.
    public static let userSwitchRefused = Self(rawValue: 215)
}
