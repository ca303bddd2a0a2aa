import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery

/// An entry of the `ErrorArchive`: a change that the service refused.
open class OfflineODataErrorArchiveEntity: EntityValue, @unchecked Sendable {
    // Confined as its base class says.

    /// Creates an entry without values.
    public override init(withDefaults: Bool = true, type: EntityType? = nil) {
        super.init(
            withDefaults: withDefaults,
            type: type ?? OfflineODataMetadata.EntityTypes.errorArchiveEntity)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    /// The number of the request; later ones have higher numbers.
    public static var requestID: Property { property("RequestID") }
    /// The mark that the app gave the request.
    public static var customTag: Property { property("CustomTag") }
    /// The HTTP status of the refusal.
    public static var httpStatusCode: Property { property("HTTPStatusCode") }
    /// The service's own code.
    public static var code: Property { property("Code") }
    /// What the service said.
    public static var message: Property { property("Message") }
    /// What only developers should see, as text.
    public static var innerError: Property { property("InnerError") }
    /// `backend`, `dependency` for a request that waits for a refused one, or `client`.
    public static var domain: Property { property("Domain") }
    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    public static var requestMethod: Property { property("RequestMethod") }
    /// The URL of the request.
    public static var requestURL: Property { property("RequestURL") }
    /// The body of the request as JSON; empty for a request without one, as a deletion.
    public static var requestBody: Property { property("RequestBody") }
    /// The entity that the request is about, as it is locally; expand it, or load it with `loadProperty`.
    public static var affectedEntity: Property { property("AffectedEntity") }
    /// The header fields that the app gave the request; expand them, or load them with `loadProperty`.
    public static var customHeaders: Property { property("CustomHeaders") }

    private static func property(_ name: String) -> Property {
        OfflineODataMetadata.EntityTypes.errorArchiveEntity.property(withName: name)
    }

    /// The number of the request; later ones have higher numbers.
    open var requestID: Int64 { builtInNumber("RequestID") ?? 0 }

    /// The mark that the app gave the request.
    open var customTag: String? { builtInText("CustomTag") }

    /// The HTTP status of the refusal.
    open var httpStatusCode: Int? { builtInNumber("HTTPStatusCode").map { Int($0) } }

    /// The service's own code.
    open var code: String? { builtInText("Code") }

    /// What the service said.
    open var message: String? { builtInText("Message") }

    /// What only developers should see, as text.
    open var innerError: String? { builtInText("InnerError") }

    /// `backend`, `dependency` for a request that waits for a refused one, or `client`.
    open var domain: String? { builtInText("Domain") }

    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    open var requestMethod: String? { builtInText("RequestMethod") }

    /// The URL of the request.
    open var requestURL: String? { builtInText("RequestURL") }

    /// The body of the request as JSON; empty for a request without one, as a deletion.
    open var requestBody: String? { builtInText("RequestBody") }

    /// The entity that the request is about, as it is locally; expand it, or load it with `loadProperty`.
    open var affectedEntity: EntityValue? { builtInEntity("AffectedEntity") }

    /// The header fields that the app gave the request; expand them, or load them with `loadProperty`.
    open var customHeaders: [OfflineODataCustomHeader] {
        builtInEntities("CustomHeaders", as: OfflineODataCustomHeader.self)
    }
}

extension BlockingDataService {
    /// The entries of the `ErrorArchive` of an offline store: the changes that the service refused.
    ///
    /// - Parameter query: Filters, orders and pages them; its set need not be given.
    /// - Throws: `DataServiceError` over a provider that has no such set.
    public func fetchErrorArchive(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataErrorArchiveEntity] {
        try fetchBuiltIn(
            .errorArchive, query, headers, options, as: OfflineODataErrorArchiveEntity.self)
    }
}
