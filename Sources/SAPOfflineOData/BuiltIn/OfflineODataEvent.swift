import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery

/// An entry of the `EventLog`: a synchronisation that succeeded.
open class OfflineODataEvent: EntityValue, @unchecked Sendable {
    // Confined as its base class says.

    /// Creates an entry without values.
    public override init(withDefaults: Bool = true, type: EntityType? = nil) {
        super.init(withDefaults: withDefaults, type: type ?? OfflineODataMetadata.EntityTypes.event)
    }

    /// Reads the encoded form; see `StructureBase`.
    ///
    /// - Throws: `DecodingError` for a form that is not of this type, or without the document.
    public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    /// The number of the event; later ones have higher numbers.
    public static var id: Property { property("ID") }
    /// What was done.
    public static var eventType: Property { property("Type") }
    /// When it was done.
    public static var time: Property { property("Time") }
    /// Which defining queries were downloaded.
    public static var details: Property { property("Details") }

    private static func property(_ name: String) -> Property {
        OfflineODataMetadata.EntityTypes.event.property(withName: name)
    }

    /// The number of the event.
    open var id: Int64 { builtInNumber("ID") ?? 0 }

    /// `Download` or `Upload`.
    open var eventType: String { builtInText("Type") ?? "" }

    /// When the synchronisation ended.
    open var time: GlobalDateTime? { builtInTime("Time") }

    /// The names of the defining queries of a partial download, joined by commas; nil for everything else.
    open var details: String? { builtInText("Details") }
}

extension BlockingDataService {
    /// The entries of the `EventLog` of an offline store: the newest hundred successful synchronisations.
    ///
    /// - Parameter query: Filters, orders and pages them; its set need not be given.
    /// - Throws: `DataServiceError` over a provider that has no such set.
    public func fetchEventLog(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataEvent] {
        try fetchBuiltIn(.eventLog, query, headers, options, as: OfflineODataEvent.self)
    }
}
