// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata of `FieldService` and its elements by name.
public enum FieldServiceMetadata {
    private static let current = Mutex(FieldServiceMetadataParser.document)

    /// Held where the classes exchange their metadata.
    public static let lock = MetadataLock()

    /// The document that the objects of the registry belong to.
    public static var document: CSDLDocument {
        get { current.withLock { $0 } }
        set(value) { current.withLock { $0 = value } }
    }

    /// The enumeration types.
    public enum EnumTypes {
        private enum Kept {
            static let mood = Mutex(FieldServiceMetadataParser.document.enumType(withName: "Own.Mood"))
        }

        /// `Own.Mood`.
        public static var mood: EnumType {
            get { Kept.mood.withLock { $0 } }
            set(value) { Kept.mood.withLock { $0 = value } }
        }
    }

    /// The members of enumeration types.
    public enum EnumValues {
        /// The members of `Mood`.
        public enum Mood {
            private enum Kept {
                static let fine = Mutex(FieldServiceMetadataParser.document.enumType(withName: "Own.Mood").member(name: "Fine"))
                static let urgent = Mutex(FieldServiceMetadataParser.document.enumType(withName: "Own.Mood").member(name: "Urgent"))
            }

            /// `Fine`.
            public static var fine: EnumValue {
                get { Kept.fine.withLock { $0 } }
                set(value) { Kept.fine.withLock { $0 = value } }
            }

            /// `Urgent`.
            public static var urgent: EnumValue {
                get { Kept.urgent.withLock { $0 } }
                set(value) { Kept.urgent.withLock { $0 = value } }
            }
        }
    }

    /// The entity types.
    public enum EntityTypes {
        private enum Kept {
            static let customer = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.Customer"))
            static let equipmentItem = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.EquipmentItem"))
            static let photo = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.Photo"))
            static let site = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.Site"))
            static let timeEntry = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.TimeEntry"))
            static let workOrder = Mutex(FieldServiceMetadataParser.document.entityType(withName: "FieldService.WorkOrder"))
            static let memo = Mutex(FieldServiceMetadataParser.document.entityType(withName: "Own.Memo"))
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

        /// `Own.Memo`.
        public static var memo: EntityType {
            get { Kept.memo.withLock { $0 } }
            set(value) { Kept.memo.withLock { $0 = value } }
        }
    }

    /// The entity sets.
    public enum EntitySets {
        private enum Kept {
            static let customers = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "Customers"))
            static let equipment = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "Equipment"))
            static let photos = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "Photos"))
            static let sites = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "Sites"))
            static let timeEntries = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "TimeEntries"))
            static let workOrders = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "WorkOrders"))
            static let memos = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "Memos"))
            static let workOrderDrafts = Mutex(FieldServiceMetadataParser.document.entitySet(withName: "WorkOrderDrafts"))
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

        /// `Memos`.
        public static var memos: EntitySet {
            get { Kept.memos.withLock { $0 } }
            set(value) { Kept.memos.withLock { $0 = value } }
        }

        /// `WorkOrderDrafts`.
        public static var workOrderDrafts: EntitySet {
            get { Kept.workOrderDrafts.withLock { $0 } }
            set(value) { Kept.workOrderDrafts.withLock { $0 = value } }
        }
    }

    /// The actions.
    public enum Actions {
        private enum Kept {
            static let closeOrder = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "FieldService.CloseOrder"))
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
            static let getOrdersOf = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "FieldService.GetOrdersOf"))
            static let getOrderCount = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "FieldService.GetOrderCount"))
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
            static let closeOrder = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "CloseOrder"))
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
            static let getOrdersOf = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "GetOrdersOf"))
            static let getOrderCount = Mutex(FieldServiceMetadataParser.document.dataMethod(withName: "GetOrderCount"))
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
