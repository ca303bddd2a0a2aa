// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata of `OldWorkshop` and its elements by name.
public enum OldWorkshopMetadata {
    private static let current = Mutex(OldWorkshopMetadataParser.document)

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
            static let size = Mutex(OldWorkshopMetadataParser.document.complexType(withName: "Ws.Size"))
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
            static let tool = Mutex(OldWorkshopMetadataParser.document.entityType(withName: "Ws.Tool"))
            static let powerTool = Mutex(OldWorkshopMetadataParser.document.entityType(withName: "Ws.PowerTool"))
            static let member = Mutex(OldWorkshopMetadataParser.document.entityType(withName: "Ws.Member"))
            static let photo = Mutex(OldWorkshopMetadataParser.document.entityType(withName: "Ws.Photo"))
        }

        /// `Ws.Tool`.
        public static var tool: EntityType {
            get { Kept.tool.withLock { $0 } }
            set(value) { Kept.tool.withLock { $0 = value } }
        }

        /// `Ws.PowerTool`.
        public static var powerTool: EntityType {
            get { Kept.powerTool.withLock { $0 } }
            set(value) { Kept.powerTool.withLock { $0 = value } }
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
            static let tools = Mutex(OldWorkshopMetadataParser.document.entitySet(withName: "Tools"))
            static let members = Mutex(OldWorkshopMetadataParser.document.entitySet(withName: "Members"))
            static let photos = Mutex(OldWorkshopMetadataParser.document.entitySet(withName: "Photos"))
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

    /// The actions of the service.
    public enum ActionImports {
        private enum Kept {
            static let resize = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Resize"))
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
            static let count = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Count"))
            static let motto = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Motto"))
            static let words = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Words"))
            static let best = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Best"))
            static let worst = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Worst"))
            static let lost = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Lost"))
            static let cheap = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Cheap"))
            static let sizes = Mutex(OldWorkshopMetadataParser.document.dataMethod(withName: "Sizes"))
        }

        /// `Count`.
        public static var count: DataMethod {
            get { Kept.count.withLock { $0 } }
            set(value) { Kept.count.withLock { $0 = value } }
        }

        /// `Motto`.
        public static var motto: DataMethod {
            get { Kept.motto.withLock { $0 } }
            set(value) { Kept.motto.withLock { $0 = value } }
        }

        /// `Words`.
        public static var words: DataMethod {
            get { Kept.words.withLock { $0 } }
            set(value) { Kept.words.withLock { $0 = value } }
        }

        /// `Best`.
        public static var best: DataMethod {
            get { Kept.best.withLock { $0 } }
            set(value) { Kept.best.withLock { $0 = value } }
        }

        /// `Worst`.
        public static var worst: DataMethod {
            get { Kept.worst.withLock { $0 } }
            set(value) { Kept.worst.withLock { $0 = value } }
        }

        /// `Lost`.
        public static var lost: DataMethod {
            get { Kept.lost.withLock { $0 } }
            set(value) { Kept.lost.withLock { $0 = value } }
        }

        /// `Cheap`.
        public static var cheap: DataMethod {
            get { Kept.cheap.withLock { $0 } }
            set(value) { Kept.cheap.withLock { $0 = value } }
        }

        /// `Sizes`.
        public static var sizes: DataMethod {
            get { Kept.sizes.withLock { $0 } }
            set(value) { Kept.sizes.withLock { $0 = value } }
        }
    }
}

/// What types have that others derive from.
public protocol OldWorkshopStructure {}

extension OldWorkshopStructure where Self: EntityValue {
    /// The values of a list, which must be of this class.
    public static func array(from: EntityValueList) -> [Self] {
        ArrayConverter.convert(from.toArray(), [Self]())
    }
}

extension OldWorkshopStructure where Self: ComplexValue {
    /// The values of a list, which must be of this class.
    public static func array(from: ComplexValueList) -> [Self] {
        ArrayConverter.convert(from.toArray(), [Self]())
    }
}
