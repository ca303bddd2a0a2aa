// odata-generate: OldLedger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum OldLedgerFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerOldLedgerAccounts(entityTypes)
        registerOldLedgerEntries(entityTypes)
        _ = complexTypes
    }

    private static func registerOldLedgerAccounts(_ types: EntityTypeMap) {
        types.get("Database.Accounts")?.registerFactory(
            ObjectFactory.with(
                create: { OldLedgerAccounts(withDefaults: false) },
                sparse: { OldLedgerAccounts(withDefaults: false, withIndexMap: $0) },
                decode: { try OldLedgerAccounts(from: $0) }))
    }

    private static func registerOldLedgerEntries(_ types: EntityTypeMap) {
        types.get("Database.Entries")?.registerFactory(
            ObjectFactory.with(
                create: { OldLedgerEntries(withDefaults: false) },
                sparse: { OldLedgerEntries(withDefaults: false, withIndexMap: $0) },
                decode: { try OldLedgerEntries(from: $0) }))
    }
}
