// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata of `Ledger` and its elements by name.
public enum LedgerMetadata {
    private static let current = Mutex(LedgerMetadataParser.document)

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
            static let accounts = Mutex(LedgerMetadataParser.document.entityType(withName: "Database.Accounts"))
            static let entries = Mutex(LedgerMetadataParser.document.entityType(withName: "Database.Entries"))
        }

        /// `Database.Accounts`.
        public static var accounts: EntityType {
            get { Kept.accounts.withLock { $0 } }
            set(value) { Kept.accounts.withLock { $0 = value } }
        }

        /// `Database.Entries`.
        public static var entries: EntityType {
            get { Kept.entries.withLock { $0 } }
            set(value) { Kept.entries.withLock { $0 = value } }
        }
    }

    /// The entity sets.
    public enum EntitySets {
        private enum Kept {
            static let accounts = Mutex(LedgerMetadataParser.document.entitySet(withName: "Accounts"))
            static let entries = Mutex(LedgerMetadataParser.document.entitySet(withName: "Entries"))
        }

        /// `Accounts`.
        public static var accounts: EntitySet {
            get { Kept.accounts.withLock { $0 } }
            set(value) { Kept.accounts.withLock { $0 = value } }
        }

        /// `Entries`.
        public static var entries: EntitySet {
            get { Kept.entries.withLock { $0 } }
            set(value) { Kept.entries.withLock { $0 = value } }
        }
    }
}
