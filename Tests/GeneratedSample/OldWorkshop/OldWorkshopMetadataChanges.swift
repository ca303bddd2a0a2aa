// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum OldWorkshopMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        OldWorkshopFactory.registerAll(in: metadata)
        OldWorkshopMetadata.document = metadata
        mergeComplexTypes(metadata.complexTypes)
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
        mergeMethods(metadata.dataMethods)
    }

    private static func mergeComplexTypes(_ elements: ComplexTypeMap) {
        mergeOldSize(elements)
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeOldTool(elements)
        mergeOldPowerTool(elements)
        mergeOldMember(elements)
        mergeOldPhoto(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Tools") { OldWorkshopMetadata.EntitySets.tools = element }
        if let element = elements.get("Members") { OldWorkshopMetadata.EntitySets.members = element }
        if let element = elements.get("Photos") { OldWorkshopMetadata.EntitySets.photos = element }
    }

    private static func mergeMethods(_ elements: DataMethodMap) {
        if let element = elements.get("Count") { OldWorkshopMetadata.FunctionImports.count = element }
        if let element = elements.get("Motto") { OldWorkshopMetadata.FunctionImports.motto = element }
        if let element = elements.get("Words") { OldWorkshopMetadata.FunctionImports.words = element }
        if let element = elements.get("Best") { OldWorkshopMetadata.FunctionImports.best = element }
        if let element = elements.get("Worst") { OldWorkshopMetadata.FunctionImports.worst = element }
        if let element = elements.get("Lost") { OldWorkshopMetadata.FunctionImports.lost = element }
        if let element = elements.get("Cheap") { OldWorkshopMetadata.FunctionImports.cheap = element }
        if let element = elements.get("Sizes") { OldWorkshopMetadata.FunctionImports.sizes = element }
        if let element = elements.get("Resize") { OldWorkshopMetadata.ActionImports.resize = element }
    }

    private static func mergeOldSize(_ elements: ComplexTypeMap) {
        guard let type = elements.get("Ws.Size") else { return }
        OldWorkshopMetadata.ComplexTypes.size = type
        let properties = type.propertyMap
        if let property = properties.get("Height") { OldSize.height = property }
    }

    private static func mergeOldTool(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Tool") else { return }
        OldWorkshopMetadata.EntityTypes.tool = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { OldTool.keyID = property }
        if let property = properties.get("Title") { OldTool.title = property }
        if let property = properties.get("Price") { OldTool.price = property }
        if let property = properties.get("Size") { OldTool.size = property }
        if let property = properties.get("OwnerId") { OldTool.ownerID = property }
        if let property = properties.get("Owner") { OldTool.owner = property }
        if let property = properties.get("Helpers") { OldTool.helpers = property }
    }

    private static func mergeOldPowerTool(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.PowerTool") else { return }
        OldWorkshopMetadata.EntityTypes.powerTool = type
        let properties = type.propertyMap
        if let property = properties.get("Watts") { OldPowerTool.watts = property }
    }

    private static func mergeOldMember(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Member") else { return }
        OldWorkshopMetadata.EntityTypes.member = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { OldMember.keyID = property }
        if let property = properties.get("Name") { OldMember.name = property }
    }

    private static func mergeOldPhoto(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Photo") else { return }
        OldWorkshopMetadata.EntityTypes.photo = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { OldPhoto.keyID = property }
        if let property = properties.get("Name") { OldPhoto.name = property }
    }
}
