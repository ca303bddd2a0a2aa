import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery

/// An entry of the `RequestQueue`: a change that waits to be sent, or that was refused.
open class OfflineODataRequest: EntityValue, @unchecked Sendable {
    // Confined as its base class says.

    /// Creates an entry without values.
    public override init(withDefaults: Bool = true, type: EntityType? = nil) {
        super.init(
            withDefaults: withDefaults, type: type ?? OfflineODataMetadata.EntityTypes.request)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    /// The number of the request; later ones have higher numbers.
    public static var requestID: Property { property("RequestID") }
    /// `queued`, `sent`, `failed` or `blocked`.
    public static var status: Property { property("Status") }
    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    public static var method: Property { property("Method") }
    /// The URL of the request, as text.
    public static var url: Property { property("URL") }
    /// The body of the request as JSON; empty for a request without one, as a deletion.
    public static var body: Property { property("Body") }
    /// The mark that the app gave the request.
    public static var customTag: Property { property("CustomTag") }
    /// The entity that the request is about, as it is locally; expand it, or load it with `loadProperty`.
    public static var affectedEntity: Property { property("AffectedEntity") }
    /// The requests that wait for this one; expand them, or load them with `loadProperty`.
    public static var dependentRequests: Property { property("DependentRequests") }
    /// The header fields that the app gave the request; expand them, or load them with `loadProperty`.
    public static var customHeaders: Property { property("CustomHeaders") }

    private static func property(_ name: String) -> Property {
        OfflineODataMetadata.EntityTypes.request.property(withName: name)
    }

    /// The number of the request; later ones have higher numbers.
    open var requestID: Int64 { builtInNumber("RequestID") ?? 0 }

    /// `queued`, `sent`, `failed` or `blocked`.
    open var status: String? { builtInText("Status") }

    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    open var method: String? { builtInText("Method") }

    /// The URL of the request, as text.
    open var url: String? { builtInText("URL") }

    /// The body of the request as JSON; empty for a request without one, as a deletion.
    open var body: String? { builtInText("Body") }

    /// The mark that the app gave the request.
    open var customTag: String? { builtInText("CustomTag") }

    /// The entity that the request is about, as it is locally; expand it, or load it with `loadProperty`.
    open var affectedEntity: EntityValue? { builtInEntity("AffectedEntity") }

    /// The requests that wait for this one; expand them, or load them with `loadProperty`.
    open var dependentRequests: [OfflineODataRequest] {
        builtInEntities("DependentRequests", as: OfflineODataRequest.self)
    }

    /// The header fields that the app gave the request; expand them, or load them with `loadProperty`.
    open var customHeaders: [OfflineODataCustomHeader] {
        builtInEntities("CustomHeaders", as: OfflineODataCustomHeader.self)
    }
}

extension BlockingDataService {
    /// The entries of the `RequestQueue` of an offline store, in the order of the changes.
    ///
    /// - Parameter query: Filters, orders and pages them; its set need not be given.
    /// - Throws: `DataServiceError` over a provider that has no such set.
    public func fetchRequestQueue(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataRequest] {
        try fetchBuiltIn(.requestQueue, query, headers, options, as: OfflineODataRequest.self)
    }
}
