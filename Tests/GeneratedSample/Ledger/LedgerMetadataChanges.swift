// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum LedgerMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        LedgerFactory.registerAll(in: metadata)
        LedgerMetadata.document = metadata
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeLedgerAccounts(elements)
        mergeLedgerEntries(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Accounts") { LedgerMetadata.EntitySets.accounts = element }
        if let element = elements.get("Entries") { LedgerMetadata.EntitySets.entries = element }
    }

    private static func mergeLedgerAccounts(_ elements: EntityTypeMap) {
        guard let type = elements.get("Database.Accounts") else { return }
        LedgerMetadata.EntityTypes.accounts = type
        let properties = type.propertyMap
        if let property = properties.get("Region") { LedgerAccounts.region = property }
        if let property = properties.get("Number") { LedgerAccounts.number = property }
        if let property = properties.get("Name") { LedgerAccounts.name = property }
        if let property = properties.get("Entries") { LedgerAccounts.entries = property }
    }

    private static func mergeLedgerEntries(_ elements: EntityTypeMap) {
        guard let type = elements.get("Database.Entries") else { return }
        LedgerMetadata.EntityTypes.entries = type
        let properties = type.propertyMap
        if let property = properties.get("Region") { LedgerEntries.region = property }
        if let property = properties.get("Number") { LedgerEntries.number = property }
        if let property = properties.get("Line") { LedgerEntries.line = property }
        if let property = properties.get("Amount") { LedgerEntries.amount = property }
        if let property = properties.get("Accounts") { LedgerEntries.accounts = property }
    }
}
