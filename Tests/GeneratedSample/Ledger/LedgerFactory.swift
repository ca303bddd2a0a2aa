// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Makes the classes known to a document.
enum LedgerFactory {
    static func registerAll(in document: CSDLDocument) {
        let entityTypes = document.entityTypes
        let complexTypes = document.complexTypes
        registerLedgerAccounts(entityTypes)
        registerLedgerEntries(entityTypes)
        _ = complexTypes
    }

    private static func registerLedgerAccounts(_ types: EntityTypeMap) {
        types.get("Database.Accounts")?.registerFactory(
            ObjectFactory.with(
                create: { LedgerAccounts(withDefaults: false) },
                sparse: { LedgerAccounts(withDefaults: false, withIndexMap: $0) },
                decode: { try LedgerAccounts(from: $0) }))
    }

    private static func registerLedgerEntries(_ types: EntityTypeMap) {
        types.get("Database.Entries")?.registerFactory(
            ObjectFactory.with(
                create: { LedgerEntries(withDefaults: false) },
                sparse: { LedgerEntries(withDefaults: false, withIndexMap: $0) },
                decode: { try LedgerEntries(from: $0) }))
    }
}
