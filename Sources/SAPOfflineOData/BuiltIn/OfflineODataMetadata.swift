import ODataClasses
import ODataModel
import ODataProviders
import ODataText

/// The metadata of the sets that every offline store has beside those of its service.
public enum OfflineODataMetadata {
    /// The types of the entities in the store's own sets.
    public enum EntityTypes {
        /// The type of the entries of the `ErrorArchive`.
        public static var errorArchiveEntity: EntityType { type(.errorArchive) }
        /// The type of the entries of the `EventLog`.
        public static var event: EntityType { type(.eventLog) }
        /// The type of the entries of the `RequestQueue`.
        public static var request: EntityType { type(.requestQueue) }

        /// The type of the header fields of requests.
        public static var customHeader: EntityType {
            (document.structureType(named: BuiltInModel.header) as? EntityType)
                ?? EntityType.undefined
        }

        private static func type(_ set: BuiltInModel.Set) -> EntityType {
            EntitySets.own(set).entityType
        }
    }

    /// The store's own sets.
    public enum EntitySets {
        /// The changes that the service refused.
        public static var errorArchive: EntitySet { own(.errorArchive) }
        /// The newest successful synchronisations.
        public static var eventLog: EntitySet { own(.eventLog) }
        /// The changes that wait to be sent.
        public static var requestQueue: EntitySet { own(.requestQueue) }

        static func own(_ set: BuiltInModel.Set) -> EntitySet {
            document.entitySet(named: set.rawValue) ?? EntitySet.undefined
        }
    }

    /// A document with nothing but the store's own sets.
    private static let document: CSDLDocument = {
        let document = CSDLDocument(graph: MetadataGraph(version: .v4))
        try? BuiltInModel.extend(document)
        return document
    }()
}
