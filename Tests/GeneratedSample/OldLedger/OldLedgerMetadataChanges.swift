// odata-generate: OldLedger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum OldLedgerMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        OldLedgerFactory.registerAll(in: metadata)
        OldLedgerMetadata.document = metadata
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeOldLedgerAccounts(elements)
        mergeOldLedgerEntries(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Accounts") { OldLedgerMetadata.EntitySets.accounts = element }
        if let element = elements.get("Entries") { OldLedgerMetadata.EntitySets.entries = element }
    }

    private static func mergeOldLedgerAccounts(_ elements: EntityTypeMap) {
        guard let type = elements.get("Database.Accounts") else { return }
        OldLedgerMetadata.EntityTypes.accounts = type
        let properties = type.propertyMap
        if let property = properties.get("Region") { OldLedgerAccounts.region = property }
        if let property = properties.get("Number") { OldLedgerAccounts.number = property }
        if let property = properties.get("Name") { OldLedgerAccounts.name = property }
        if let property = properties.get("Entries") { OldLedgerAccounts.entries = property }
    }

    private static func mergeOldLedgerEntries(_ elements: EntityTypeMap) {
        guard let type = elements.get("Database.Entries") else { return }
        OldLedgerMetadata.EntityTypes.entries = type
        let properties = type.propertyMap
        if let property = properties.get("Region") { OldLedgerEntries.region = property }
        if let property = properties.get("Number") { OldLedgerEntries.number = property }
        if let property = properties.get("Line") { OldLedgerEntries.line = property }
        if let property = properties.get("Amount") { OldLedgerEntries.amount = property }
        if let property = properties.get("Accounts") { OldLedgerEntries.accounts = property }
    }
}
