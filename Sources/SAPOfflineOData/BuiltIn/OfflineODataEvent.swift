import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataText

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
    open var id: Int64 {
        guard case .integer(let value)? = scalar("ID") else { return 0 }
        return value
    }

    /// `Download` or `Upload`.
    open var eventType: String { text("Type") ?? "" }

    /// When the synchronisation ended.
    open var time: GlobalDateTime? {
        own("Time").flatMap { GlobalDateTime.castOptional(dataValue(for: $0)) }
    }

    /// The names of the defining queries of a partial download, joined by commas; nil for everything else.
    open var details: String? { text("Details") }

    private func own(_ name: String) -> Property? { entityType.property(named: name) }

    private func scalar(_ name: String) -> Scalar? {
        own(name).flatMap { dataValue(for: $0)?.odataValue().scalar }
    }

    private func text(_ name: String) -> String? {
        guard case .string(let value)? = scalar(name) else { return nil }
        return value
    }
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
        guard let set = metadata.entitySet(named: "EventLog") else {
            throw ErrorBase.from(
                any: ODataError(
                    .unknownName, "Expected an offline store, found a provider without EventLog.",
                    at: .path("EventLog")))
        }
        let wanted = query.copy()
        wanted.fromDefault(set)
        return try executeQuery(
            wanted, headers: headers ?? HTTPHeaders.empty, options: options ?? RequestOptions.none
        ).entityList().compactMap { $0 as? OfflineODataEvent }
    }
}
