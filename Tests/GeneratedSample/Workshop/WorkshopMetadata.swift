// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata of `Workshop` and its elements by name.
public enum WorkshopMetadata {
    private static let current = Mutex(WorkshopMetadataParser.document)

    /// Held where the classes exchange their metadata.
    public static let lock = MetadataLock()

    /// The document that the objects of the registry belong to.
    public static var document: CSDLDocument {
        get { current.withLock { $0 } }
        set(value) { current.withLock { $0 = value } }
    }

    /// The complex types.
    public enum ComplexTypes {
        private enum Kept {
            static let size = Mutex(WorkshopMetadataParser.document.complexType(withName: "Ws.Size"))
        }

        /// `Ws.Size`.
        public static var size: ComplexType {
            get { Kept.size.withLock { $0 } }
            set(value) { Kept.size.withLock { $0 = value } }
        }
    }

    /// The entity types.
    public enum EntityTypes {
        private enum Kept {
            static let tool = Mutex(WorkshopMetadataParser.document.entityType(withName: "Ws.Tool"))
            static let member = Mutex(WorkshopMetadataParser.document.entityType(withName: "Ws.Member"))
            static let photo = Mutex(WorkshopMetadataParser.document.entityType(withName: "Ws.Photo"))
        }

        /// `Ws.Tool`.
        public static var tool: EntityType {
            get { Kept.tool.withLock { $0 } }
            set(value) { Kept.tool.withLock { $0 = value } }
        }

        /// `Ws.Member`.
        public static var member: EntityType {
            get { Kept.member.withLock { $0 } }
            set(value) { Kept.member.withLock { $0 = value } }
        }

        /// `Ws.Photo`.
        public static var photo: EntityType {
            get { Kept.photo.withLock { $0 } }
            set(value) { Kept.photo.withLock { $0 = value } }
        }
    }

    /// The entity sets.
    public enum EntitySets {
        private enum Kept {
            static let tools = Mutex(WorkshopMetadataParser.document.entitySet(withName: "Tools"))
            static let members = Mutex(WorkshopMetadataParser.document.entitySet(withName: "Members"))
            static let photos = Mutex(WorkshopMetadataParser.document.entitySet(withName: "Photos"))
        }

        /// `Tools`.
        public static var tools: EntitySet {
            get { Kept.tools.withLock { $0 } }
            set(value) { Kept.tools.withLock { $0 = value } }
        }

        /// `Members`.
        public static var members: EntitySet {
            get { Kept.members.withLock { $0 } }
            set(value) { Kept.members.withLock { $0 = value } }
        }

        /// `Photos`.
        public static var photos: EntitySet {
            get { Kept.photos.withLock { $0 } }
            set(value) { Kept.photos.withLock { $0 = value } }
        }
    }

    /// The actions.
    public enum Actions {
        private enum Kept {
            static let reset = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Reset"))
            static let recount = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Recount"))
            static let resize = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Resize"))
        }

        /// `Ws.Reset`.
        public static var reset: DataMethod {
            get { Kept.reset.withLock { $0 } }
            set(value) { Kept.reset.withLock { $0 = value } }
        }

        /// `Ws.Recount`.
        public static var recount: DataMethod {
            get { Kept.recount.withLock { $0 } }
            set(value) { Kept.recount.withLock { $0 = value } }
        }

        /// `Ws.Resize`.
        public static var resize: DataMethod {
            get { Kept.resize.withLock { $0 } }
            set(value) { Kept.resize.withLock { $0 = value } }
        }
    }

    /// The functions.
    public enum Functions {
        private enum Kept {
            static let total = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Total"))
            static let motto = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Motto"))
            static let sizes = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Sizes"))
            static let best = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Best"))
        }

        /// `Ws.Total`.
        public static var total: DataMethod {
            get { Kept.total.withLock { $0 } }
            set(value) { Kept.total.withLock { $0 = value } }
        }

        /// `Ws.Motto`.
        public static var motto: DataMethod {
            get { Kept.motto.withLock { $0 } }
            set(value) { Kept.motto.withLock { $0 = value } }
        }

        /// `Ws.Sizes`.
        public static var sizes: DataMethod {
            get { Kept.sizes.withLock { $0 } }
            set(value) { Kept.sizes.withLock { $0 = value } }
        }

        /// `Ws.Best`.
        public static var best: DataMethod {
            get { Kept.best.withLock { $0 } }
            set(value) { Kept.best.withLock { $0 = value } }
        }
    }

    /// The actions that are bound to a value.
    public enum BoundActions {
        private enum Kept {
            static let lend = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Lend"))
        }

        /// `Ws.Lend`.
        public static var lend: DataMethod {
            get { Kept.lend.withLock { $0 } }
            set(value) { Kept.lend.withLock { $0 = value } }
        }
    }

    /// The functions that are bound to a value.
    public enum BoundFunctions {
        private enum Kept {
            static let worth = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Worth"))
            static let cheapest = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Ws.Cheapest"))
        }

        /// `Ws.Worth`.
        public static var worth: DataMethod {
            get { Kept.worth.withLock { $0 } }
            set(value) { Kept.worth.withLock { $0 = value } }
        }

        /// `Ws.Cheapest`.
        public static var cheapest: DataMethod {
            get { Kept.cheapest.withLock { $0 } }
            set(value) { Kept.cheapest.withLock { $0 = value } }
        }
    }

    /// The actions of the service.
    public enum ActionImports {
        private enum Kept {
            static let reset = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Reset"))
            static let recount = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Recount"))
            static let resize = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Resize"))
        }

        /// `Reset`.
        public static var reset: DataMethod {
            get { Kept.reset.withLock { $0 } }
            set(value) { Kept.reset.withLock { $0 = value } }
        }

        /// `Recount`.
        public static var recount: DataMethod {
            get { Kept.recount.withLock { $0 } }
            set(value) { Kept.recount.withLock { $0 = value } }
        }

        /// `Resize`.
        public static var resize: DataMethod {
            get { Kept.resize.withLock { $0 } }
            set(value) { Kept.resize.withLock { $0 = value } }
        }
    }

    /// The functions of the service.
    public enum FunctionImports {
        private enum Kept {
            static let total = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Total"))
            static let motto = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Motto"))
            static let sizes = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Sizes"))
            static let best = Mutex(WorkshopMetadataParser.document.dataMethod(withName: "Best"))
        }

        /// `Total`.
        public static var total: DataMethod {
            get { Kept.total.withLock { $0 } }
            set(value) { Kept.total.withLock { $0 = value } }
        }

        /// `Motto`.
        public static var motto: DataMethod {
            get { Kept.motto.withLock { $0 } }
            set(value) { Kept.motto.withLock { $0 = value } }
        }

        /// `Sizes`.
        public static var sizes: DataMethod {
            get { Kept.sizes.withLock { $0 } }
            set(value) { Kept.sizes.withLock { $0 = value } }
        }

        /// `Best`.
        public static var best: DataMethod {
            get { Kept.best.withLock { $0 } }
            set(value) { Kept.best.withLock { $0 = value } }
        }
    }
}
