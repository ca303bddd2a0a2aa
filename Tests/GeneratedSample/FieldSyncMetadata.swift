// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata of `FieldSync` and its elements by name.
public enum FieldSyncMetadata {
    private static let current = Mutex(FieldSyncMetadataParser.document)

    /// Held where the classes exchange their metadata.
    public static let lock = MetadataLock()

    /// The document that the objects of the registry belong to.
    public static var document: CSDLDocument {
        get { current.withLock { $0 } }
        set(value) { current.withLock { $0 = value } }
    }

    /// The entity types.
    public enum EntityTypes {
        private enum Kept {
            static let customer = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.Customer"))
            static let equipmentItem = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.EquipmentItem"))
            static let photo = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.Photo"))
            static let site = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.Site"))
            static let timeEntry = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.TimeEntry"))
            static let workOrder = Mutex(FieldSyncMetadataParser.document.entityType(withName: "FieldService.WorkOrder"))
        }

        /// `FieldService.Customer`.
        public static var customer: EntityType {
            get { Kept.customer.withLock { $0 } }
            set(value) { Kept.customer.withLock { $0 = value } }
        }

        /// `FieldService.EquipmentItem`.
        public static var equipmentItem: EntityType {
            get { Kept.equipmentItem.withLock { $0 } }
            set(value) { Kept.equipmentItem.withLock { $0 = value } }
        }

        /// `FieldService.Photo`.
        public static var photo: EntityType {
            get { Kept.photo.withLock { $0 } }
            set(value) { Kept.photo.withLock { $0 = value } }
        }

        /// `FieldService.Site`.
        public static var site: EntityType {
            get { Kept.site.withLock { $0 } }
            set(value) { Kept.site.withLock { $0 = value } }
        }

        /// `FieldService.TimeEntry`.
        public static var timeEntry: EntityType {
            get { Kept.timeEntry.withLock { $0 } }
            set(value) { Kept.timeEntry.withLock { $0 = value } }
        }

        /// `FieldService.WorkOrder`.
        public static var workOrder: EntityType {
            get { Kept.workOrder.withLock { $0 } }
            set(value) { Kept.workOrder.withLock { $0 = value } }
        }
    }

    /// The entity sets.
    public enum EntitySets {
        private enum Kept {
            static let customers = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "Customers"))
            static let equipment = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "Equipment"))
            static let photos = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "Photos"))
            static let sites = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "Sites"))
            static let timeEntries = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "TimeEntries"))
            static let workOrders = Mutex(FieldSyncMetadataParser.document.entitySet(withName: "WorkOrders"))
        }

        /// `Customers`.
        public static var customers: EntitySet {
            get { Kept.customers.withLock { $0 } }
            set(value) { Kept.customers.withLock { $0 = value } }
        }

        /// `Equipment`.
        public static var equipment: EntitySet {
            get { Kept.equipment.withLock { $0 } }
            set(value) { Kept.equipment.withLock { $0 = value } }
        }

        /// `Photos`.
        public static var photos: EntitySet {
            get { Kept.photos.withLock { $0 } }
            set(value) { Kept.photos.withLock { $0 = value } }
        }

        /// `Sites`.
        public static var sites: EntitySet {
            get { Kept.sites.withLock { $0 } }
            set(value) { Kept.sites.withLock { $0 = value } }
        }

        /// `TimeEntries`.
        public static var timeEntries: EntitySet {
            get { Kept.timeEntries.withLock { $0 } }
            set(value) { Kept.timeEntries.withLock { $0 = value } }
        }

        /// `WorkOrders`.
        public static var workOrders: EntitySet {
            get { Kept.workOrders.withLock { $0 } }
            set(value) { Kept.workOrders.withLock { $0 = value } }
        }
    }

    /// The actions.
    public enum Actions {
        private enum Kept {
            static let closeOrder = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "FieldService.CloseOrder"))
        }

        /// `FieldService.CloseOrder`.
        public static var closeOrder: DataMethod {
            get { Kept.closeOrder.withLock { $0 } }
            set(value) { Kept.closeOrder.withLock { $0 = value } }
        }
    }

    /// The functions.
    public enum Functions {
        private enum Kept {
            static let getOrdersOf = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "FieldService.GetOrdersOf"))
            static let getOrderCount = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "FieldService.GetOrderCount"))
        }

        /// `FieldService.GetOrdersOf`.
        public static var getOrdersOf: DataMethod {
            get { Kept.getOrdersOf.withLock { $0 } }
            set(value) { Kept.getOrdersOf.withLock { $0 = value } }
        }

        /// `FieldService.GetOrderCount`.
        public static var getOrderCount: DataMethod {
            get { Kept.getOrderCount.withLock { $0 } }
            set(value) { Kept.getOrderCount.withLock { $0 = value } }
        }
    }

    /// The actions of the service.
    public enum ActionImports {
        private enum Kept {
            static let closeOrder = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "CloseOrder"))
        }

        /// `CloseOrder`.
        public static var closeOrder: DataMethod {
            get { Kept.closeOrder.withLock { $0 } }
            set(value) { Kept.closeOrder.withLock { $0 = value } }
        }
    }

    /// The functions of the service.
    public enum FunctionImports {
        private enum Kept {
            static let getOrdersOf = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "GetOrdersOf"))
            static let getOrderCount = Mutex(FieldSyncMetadataParser.document.dataMethod(withName: "GetOrderCount"))
        }

        /// `GetOrdersOf`.
        public static var getOrdersOf: DataMethod {
            get { Kept.getOrdersOf.withLock { $0 } }
            set(value) { Kept.getOrdersOf.withLock { $0 = value } }
        }

        /// `GetOrderCount`.
        public static var getOrderCount: DataMethod {
            get { Kept.getOrderCount.withLock { $0 } }
            set(value) { Kept.getOrderCount.withLock { $0 = value } }
        }
    }
}
