import ODataClasses
import ODataModel
import ODataQuery

/// Functions that only offline stores know: they ask for the local state of what is read.
open class OfflineODataQueryFunction: QueryFunction, @unchecked Sendable {
    // Immutable as its base class is.

    /// Holds for entities with changes that no download has brought back yet, sent or not.
    public static func isLocal() -> QueryFilter { customFilter("sap.islocal") }

    /// Holds for entities with changes that were not sent yet.
    public static func hasPendingChanges() -> QueryFilter { customFilter("sap.hasPendingChanges") }

    /// Holds for entities of which a change failed in the last upload.
    public static func inErrorState() -> QueryFilter { customFilter("sap.inerrorstate") }

    /// Holds where a path of single-valued navigation properties leads to an entity.
    public static func entityExists(_ property: DataPath) -> QueryFilter {
        customFilter("sap.entityexists", [property])
    }

    /// Holds for entities that the last download inserted or updated.
    public static func upsertedLastDownload() -> QueryFilter {
        customFilter("sap.upsertedlastdownload")
    }
}

/// Another name of ``OfflineODataQueryFunction``.
public typealias OfflineQueryFunction = OfflineODataQueryFunction
