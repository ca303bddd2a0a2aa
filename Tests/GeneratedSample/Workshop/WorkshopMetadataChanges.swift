// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Puts the elements of fresh metadata in the place of those before.
enum WorkshopMetadataChanges {
    /// What the document lacks stays as it was.
    static func merge(metadata: CSDLDocument) {
        metadata.hasGeneratedProxies = true
        WorkshopFactory.registerAll(in: metadata)
        WorkshopMetadata.document = metadata
        mergeComplexTypes(metadata.complexTypes)
        mergeEntityTypes(metadata.entityTypes)
        mergeEntitySets(metadata.entitySets)
        mergeMethods(metadata.dataMethods)
    }

    private static func mergeComplexTypes(_ elements: ComplexTypeMap) {
        mergeWsSize(elements)
    }

    private static func mergeEntityTypes(_ elements: EntityTypeMap) {
        mergeWsTool(elements)
        mergeWsMember(elements)
        mergeWsPhoto(elements)
    }

    private static func mergeEntitySets(_ elements: EntitySetMap) {
        if let element = elements.get("Tools") { WorkshopMetadata.EntitySets.tools = element }
        if let element = elements.get("Members") { WorkshopMetadata.EntitySets.members = element }
        if let element = elements.get("Photos") { WorkshopMetadata.EntitySets.photos = element }
    }

    private static func mergeMethods(_ elements: DataMethodMap) {
        if let element = elements.get("Total") { WorkshopMetadata.FunctionImports.total = element }
        if let element = elements.get("Motto") { WorkshopMetadata.FunctionImports.motto = element }
        if let element = elements.get("Sizes") { WorkshopMetadata.FunctionImports.sizes = element }
        if let element = elements.get("Best") { WorkshopMetadata.FunctionImports.best = element }
        if let element = elements.get("Reset") { WorkshopMetadata.ActionImports.reset = element }
        if let element = elements.get("Recount") { WorkshopMetadata.ActionImports.recount = element }
        if let element = elements.get("Resize") { WorkshopMetadata.ActionImports.resize = element }
        if let element = elements.get("Ws.Worth") { WorkshopMetadata.BoundFunctions.worth = element }
        if let element = elements.get("Ws.Cheapest") { WorkshopMetadata.BoundFunctions.cheapest = element }
        if let element = elements.get("Ws.Total") { WorkshopMetadata.Functions.total = element }
        if let element = elements.get("Ws.Motto") { WorkshopMetadata.Functions.motto = element }
        if let element = elements.get("Ws.Sizes") { WorkshopMetadata.Functions.sizes = element }
        if let element = elements.get("Ws.Best") { WorkshopMetadata.Functions.best = element }
        if let element = elements.get("Ws.Lend") { WorkshopMetadata.BoundActions.lend = element }
        if let element = elements.get("Ws.Reset") { WorkshopMetadata.Actions.reset = element }
        if let element = elements.get("Ws.Recount") { WorkshopMetadata.Actions.recount = element }
        if let element = elements.get("Ws.Resize") { WorkshopMetadata.Actions.resize = element }
    }

    private static func mergeWsSize(_ elements: ComplexTypeMap) {
        guard let type = elements.get("Ws.Size") else { return }
        WorkshopMetadata.ComplexTypes.size = type
        let properties = type.propertyMap
        if let property = properties.get("Height") { WsSize.height = property }
    }

    private static func mergeWsTool(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Tool") else { return }
        WorkshopMetadata.EntityTypes.tool = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { WsTool.keyID = property }
        if let property = properties.get("Title") { WsTool.title = property }
        if let property = properties.get("Price") { WsTool.price = property }
        if let property = properties.get("Size") { WsTool.size = property }
        if let property = properties.get("OwnerId") { WsTool.ownerID = property }
        if let property = properties.get("Manual") { WsTool.manual = property }
        if let property = properties.get("Owner") { WsTool.owner = property }
    }

    private static func mergeWsMember(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Member") else { return }
        WorkshopMetadata.EntityTypes.member = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { WsMember.keyID = property }
        if let property = properties.get("Name") { WsMember.name = property }
    }

    private static func mergeWsPhoto(_ elements: EntityTypeMap) {
        guard let type = elements.get("Ws.Photo") else { return }
        WorkshopMetadata.EntityTypes.photo = type
        let properties = type.propertyMap
        if let property = properties.get("Id") { WsPhoto.keyID = property }
        if let property = properties.get("Name") { WsPhoto.name = property }
    }
}
